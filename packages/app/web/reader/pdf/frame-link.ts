/**
 * The way to the frame that runs PDF.js: gives it the bytes that it asks for, and nothing else. The
 * frame reads bytes of strangers and may be theirs, so each of its messages is parsed.
 */
import { Refusal } from '../../core/api.ts';
import { untilAnswer } from '../../core/until-answer.ts';
import type { RangeSource } from '../ranges.ts';
import { BrokenBook } from '../zip.ts';
import { parseFromFrame, type FromFrame, type ToFrame } from './messages.ts';

/** What the frame tells of the book. */
export type Told = Exclude<FromFrame, { readonly type: 'read' | 'asset' | 'failed' }>;

/** The frame, as the reader sees it. */
export interface FrameLink {
  readonly send: (
    message: Extract<ToFrame, { readonly type: 'show' | 'follow' | 'scroll' | 'password' }>,
  ) => void;
  readonly close: () => void;
}

/**
 * A file whose index is whole is opened with a few ranges. PDF.js reads a damaged one from its
 * beginning to its end: a large one is refused before that.
 */
const maxBytesBeforeOpen = 64 * 1024 * 1024;

/** Opens a file in a frame that has been loaded. `fail` gets what went wrong. */
export function linkFrame(
  frame: Window,
  {
    source,
    linkWord,
    hear,
    fail,
  }: {
    readonly source: RangeSource;
    readonly linkWord: string;
    readonly hear: (told: Told) => void;
    readonly fail: (error: unknown) => void;
  },
): FrameLink {
  const { port1: port, port2 } = new MessageChannel();
  let isOpen = false;
  let readBytes = 0;
  let isClosed = false;
  const send = (message: ToFrame, transfer: Transferable[] = []): void => {
    if (!isClosed) port.postMessage(message, transfer);
  };
  const stop = (error: unknown): void => {
    close();
    fail(error);
  };

  /** Reads again when the network is back: PDF.js asks for a range once. */
  async function read(start: number, end: number): Promise<ArrayBuffer> {
    for (;;)
      try {
        return (await source.read(start, end)).buffer;
      } catch (error) {
        if (isClosed || !(error instanceof Refusal && error.code === 'unreachable')) throw error;
        await untilAnswer();
      }
  }

  async function answer(start: number, end: number): Promise<void> {
    readBytes += end - start;
    if (!isOpen && readBytes > maxBytesBeforeOpen) throw new BrokenBook('too-large');
    const bytes = await read(start, end);
    send({ type: 'bytes', start, bytes }, [bytes]);
  }

  async function giveAsset(id: number, name: string): Promise<void> {
    const reply = await fetch(`/web/pdf/${name}`);
    const bytes = reply.ok ? await reply.arrayBuffer() : null;
    send({ type: 'asset', id, bytes }, bytes === null ? [] : [bytes]);
  }

  port.onmessage = ({ data }) => {
    const told = parseFromFrame(data, source.size);
    if (told === undefined || isClosed) return;
    if (told.type === 'read') void answer(told.start, told.end).catch(stop);
    else if (told.type === 'asset')
      void giveAsset(told.id, told.name).catch(() =>
        send({ type: 'asset', id: told.id, bytes: null }),
      );
    else if (told.type === 'failed') stop(new BrokenBook(told.problem));
    // A book that is open has no reason to ask for a password.
    else if (told.type !== 'locked' || !isOpen) {
      isOpen ||= told.type === 'opened';
      hear(told);
    }
  };
  function close(): void {
    isClosed = true;
    port.close();
  }
  // A frame of an opaque origin has no origin that could be named.
  frame.postMessage('port', '*', [port2]);
  send({ type: 'open', size: source.size, linkWord });
  return { send, close };
}
