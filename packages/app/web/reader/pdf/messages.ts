/**
 * What the document of the PDF reader and the frame that runs PDF.js tell each other. The frame reads
 * bytes of strangers, so the document trusts none of its messages: it parses each, with limits.
 */

/** What can be wrong with a PDF. */
export type PdfProblem = 'damaged' | 'no-pages';

/** A line of the contents; `depth` is 0 for the first level. */
export interface ContentsLine {
  readonly title: string;
  readonly depth: number;
}

/** What the frame tells. */
export type FromFrame =
  /** It wants bytes of the file, without the one at `end`. */
  | { readonly type: 'read'; readonly start: number; readonly end: number }
  /** It wants a file of PDF.js: a font, a table of characters, a decoder. */
  | { readonly type: 'asset'; readonly id: number; readonly name: string }
  | {
      readonly type: 'opened';
      readonly pages: number;
      readonly isRightToLeft: boolean;
      readonly contents: readonly ContentsLine[];
    }
  | { readonly type: 'failed'; readonly problem: PdfProblem }
  /** It waits for a password; the one before was wrong. */
  | { readonly type: 'locked'; readonly isWrong: boolean }
  | { readonly type: 'drawn'; readonly page: number; readonly isBroken: boolean }
  /** A link or a line of the contents leads to a page, from 1. */
  | { readonly type: 'go'; readonly page: number }
  /** A link leads out of the book. */
  | { readonly type: 'out'; readonly url: string }
  | { readonly type: 'key'; readonly key: string }
  | { readonly type: 'swipe'; readonly isRight: boolean };

/** What the document tells. */
export type ToFrame =
  | { readonly type: 'open'; readonly size: number; readonly linkWord: string }
  | { readonly type: 'bytes'; readonly start: number; readonly bytes: ArrayBuffer }
  | { readonly type: 'asset'; readonly id: number; readonly bytes: ArrayBuffer | null }
  | {
      readonly type: 'show';
      /** From 1, in the order of the book. */
      readonly pages: readonly number[];
      readonly fit: 'page' | 'width';
      readonly isRightToLeft: boolean;
      readonly theme: string;
    }
  | { readonly type: 'password'; readonly text: string }
  | { readonly type: 'follow'; readonly line: number }
  /** Moves a page that is higher than the window. */
  | { readonly type: 'scroll'; readonly isDown: boolean };

const maxPages = 100_000;
const maxLines = 2000;
const maxDepth = 8;
const maxTitle = 300;
/** PDF.js asks for parts of 64 KiB, and for neighbours in one question. */
export const maxRangeBytes = 64 * 1024 * 1024;
const assetName = /^[\w-]{1,40}\.(bcmap|pfb|ttf|wasm)$/;
/** The keys that the frame passes on: it has the focus where somebody reads. */
export const turningKeys: ReadonlySet<string> = new Set([
  'ArrowLeft',
  'ArrowRight',
  'PageUp',
  'PageDown',
  'Home',
  'End',
  'Escape',
  ' ',
]);
const problems: readonly PdfProblem[] = ['damaged', 'no-pages'];

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

/** Reads a message of the frame about a file of `size` bytes; `undefined` = it is not one. */
export function parseFromFrame(value: unknown, size: number): FromFrame | undefined {
  if (!isFields(value)) return undefined;
  switch (value['type']) {
    case 'read':
      return parseRead(value, size);
    case 'asset': {
      const { id, name } = value;
      if (!isCount(id, 1_000_000) || typeof name !== 'string' || !assetName.test(name)) break;
      return { type: 'asset', id, name };
    }
    case 'opened':
      return parseOpened(value);
    case 'failed': {
      const problem = problems.find((one) => one === value['problem']);
      return { type: 'failed', problem: problem ?? 'damaged' };
    }
    case 'locked':
      return { type: 'locked', isWrong: value['isWrong'] === true };
    case 'drawn': {
      const { page, isBroken } = value;
      if (!isCount(page, maxPages)) break;
      return { type: 'drawn', page, isBroken: isBroken === true };
    }
    case 'go':
      if (!isCount(value['page'], maxPages)) break;
      return { type: 'go', page: value['page'] };
    case 'out': {
      const url = outsideOf(value['url']);
      return url === undefined ? undefined : { type: 'out', url: url.href };
    }
    case 'key': {
      const { key } = value;
      return typeof key === 'string' && turningKeys.has(key) ? { type: 'key', key } : undefined;
    }
    case 'swipe':
      return { type: 'swipe', isRight: value['isRight'] === true };
  }
  return undefined;
}

function parseRead({ start, end }: Fields, size: number): FromFrame | undefined {
  if (!isCount(start, size) || !isCount(end, size)) return undefined;
  if (start >= end || end - start > maxRangeBytes) return undefined;
  return { type: 'read', start, end };
}

function parseOpened({ pages, isRightToLeft, contents }: Fields): FromFrame | undefined {
  if (!isCount(pages, maxPages) || pages === 0) return { type: 'failed', problem: 'no-pages' };
  const lines: ContentsLine[] = [];
  for (const line of Array.isArray(contents) ? contents.slice(0, maxLines) : []) {
    const { title, depth }: Fields = isFields(line) ? line : {};
    if (typeof title === 'string' && isCount(depth, maxDepth))
      lines.push({ title: title.slice(0, maxTitle), depth });
  }
  return { type: 'opened', pages, isRightToLeft: isRightToLeft === true, contents: lines };
}

/** An address that a person may be sent to; `undefined` = a book may not name it. */
export function outsideOf(value: unknown): URL | undefined {
  if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  const isPlain = url.username === '' && url.password === '';
  return /^https?:$/.test(url.protocol) && isPlain ? url : undefined;
}
