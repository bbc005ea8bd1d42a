/** Opens a PDF over a port: its bytes, and the files of PDF.js, come from the document around the frame. */
import {
  getDocument,
  PasswordResponses,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFWorker,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { FromFrame } from './messages.ts';

type Send = (message: FromFrame) => void;

/** What the document answers. */
export interface Answers {
  readonly bytes: (start: number, bytes: ArrayBuffer) => void;
  readonly asset: (id: number, bytes: ArrayBuffer | null) => void;
  /** Tries a password. PDF.js keeps it as long as the book is open, and nothing else does. */
  readonly password: (text: string) => void;
}

/** A PDF that is being opened. */
export interface OpeningPdf {
  readonly answers: Answers;
  readonly pdf: Promise<PDFDocumentProxy>;
}

/** A picture with more pixels is left out. */
const maxImagePixels = 64_000_000;
const rangeBytes = 256 * 1024;

/** Ranges of the file, asked for one by one. */
class Ranges extends PDFDataRangeTransport {
  readonly #send: Send;

  constructor(size: number, send: Send) {
    super(size, null);
    this.#send = send;
  }

  override requestDataRange(start: number, end: number): void {
    this.#send({ type: 'read', start, end });
  }
}

/** Opens a file of `size` bytes. */
export function openPdf(
  size: number,
  { worker, send }: { readonly worker: PDFWorker; readonly send: Send },
): OpeningPdf {
  const ranges = new Ranges(size, send);
  const asked = new Map<number, (bytes: ArrayBuffer | null) => void>();
  let serial = 0;

  class Assets {
    async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
      const id = serial++;
      const bytes = await new Promise<ArrayBuffer | null>((resolve) => {
        asked.set(id, resolve);
        send({ type: 'asset', id, name: filename });
      });
      if (bytes === null) throw new Error(`There is no file ${filename}.`);
      return new Uint8Array(bytes);
    }
  }

  const task = getDocument({
    range: ranges,
    rangeChunkSize: rangeBytes,
    disableStream: true,
    disableAutoFetch: true,
    worker,
    BinaryDataFactory: Assets,
    useWorkerFetch: false,
    // Fonts that are not in the file look the same on every device.
    useSystemFonts: false,
    cMapUrl: 'assets/',
    standardFontDataUrl: 'assets/',
    wasmUrl: 'assets/',
    maxImageSize: maxImagePixels,
    enableXfa: false,
    verbosity: 0,
  });
  let tryPassword: ((text: string) => void) | undefined;
  task.onPassword = (update: (text: string) => void, reason: number) => {
    tryPassword = update;
    send({ type: 'locked', isWrong: reason === PasswordResponses.INCORRECT_PASSWORD });
  };
  return {
    pdf: task.promise,
    answers: {
      bytes: (start, bytes) => ranges.onDataRange(start, new Uint8Array(bytes)),
      asset: (id, bytes) => {
        asked.get(id)?.(bytes);
        asked.delete(id);
      },
      password: (text) => {
        tryPassword?.(text);
        tryPassword = undefined;
      },
    },
  };
}
