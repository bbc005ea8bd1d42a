/**
 * How frames cross the channel: in batches of `[length][header length][header][bodies]`, both lengths
 * 32 bits. The header is a JSON array with one object per frame; a frame's body stands outside of it,
 * so text is escaped by nobody and bytes are no base64.
 *
 * The channel is a bare socket and not Node's own: that one believes any length that it is told and
 * obeys commands of the other end before we see them, so a host process that was taken over could
 * end the server with one message.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { jsonTextFault } from '../json-limits.ts';
import type { Body } from '../running-plugin.ts';
import { limits } from './limits.ts';

interface AnyFrame {
  readonly kind: string;
  readonly body?: Body;
}

const lengthsBytes = 8;
/** What is longer is decoded only if it is UTF-8: to mend it would take ten times as long. */
const longText = 65_536;
const noBytes = Buffer.alloc(0);
/** The list, a frame in it, what was used in the frame, and by whom. */
const headerLimits = { maxLength: limits.headerBytes, maxDepth: 4 };

/** Packs frames into as few batches as their sizes allow; the reader takes each of them. */
export function encodeBatches(frames: readonly AnyFrame[]): Buffer[] {
  const batches: Buffer[] = [];
  let group: AnyFrame[] = [];
  let bodyLength = 0;
  for (const frame of frames) {
    const length = frame.body?.length ?? 0;
    const isFull =
      group.length === limits.batchFrames || bodyLength + length > limits.batchTargetBytes;
    if (isFull && group.length > 0) {
      encodeGroup(group, batches);
      group = [];
      bodyLength = 0;
    }
    group.push(frame);
    bodyLength += length;
  }
  if (group.length > 0) encodeGroup(group, batches);
  return batches;
}

/**
 * Adds the batch of these frames, or one of each half when they are too long together. A text body
 * stands in the header as its length in bytes, a binary one as `-1 - length`.
 */
function encodeGroup(frames: readonly AnyFrame[], batches: Buffer[]): void {
  const bodies: Body[] = [];
  const lengths: number[] = [];
  let bodyBytes = 0;
  const heads = frames.map((frame) => {
    const { body } = frame;
    if (body === undefined) return frame;
    const isText = typeof body === 'string';
    const length = isText ? Buffer.byteLength(body) : body.byteLength;
    bodies.push(body);
    lengths.push(length);
    bodyBytes += length;
    return { ...frame, body: isText ? length : -1 - length };
  });
  const header = JSON.stringify(heads);
  const headerBytes = Buffer.byteLength(header);
  const isTooLong =
    headerBytes > limits.headerTargetBytes || bodyBytes > 2 * limits.batchTargetBytes;
  if (isTooLong && frames.length > 1) {
    const half = frames.length >> 1;
    encodeGroup(frames.slice(0, half), batches);
    encodeGroup(frames.slice(half), batches);
    return;
  }
  const batch = Buffer.allocUnsafe(lengthsBytes + headerBytes + bodyBytes);
  batch.writeUInt32LE(4 + headerBytes + bodyBytes, 0);
  batch.writeUInt32LE(headerBytes, 4);
  batch.write(header, lengthsBytes);
  let offset = lengthsBytes + headerBytes;
  for (const [index, body] of bodies.entries()) {
    if (typeof body === 'string') batch.write(body, offset);
    else batch.set(body, offset);
    offset += lengths[index] ?? 0;
  }
  batches.push(batch);
}

/** Takes what the socket gives and calls back with one parsed, unvalidated frame after the other. */
export interface BatchReader {
  /**
   * `null`, or why what came cannot be a batch, as words that follow "sent": nothing after it can be
   * trusted either. While the reader rests, what comes is kept and not looked at.
   */
  readonly push: (chunk: Buffer) => string | null;
  /** Whether `onFrame` has asked for a rest. */
  readonly isResting: () => boolean;
  /** Ends the rest. Gives what `push` gives. */
  readonly goOn: () => string | null;
}

/** What a reader calls. */
export interface BatchReaderParts {
  /** False: not one frame more of the batch is decoded until the reader is told to go on. */
  readonly onFrame: (frame: unknown) => boolean;
  /** Comes after the last frame of each batch. */
  readonly onBatchEnd?: () => void;
  /** The sender is the kernel: its headers are parsed without a look at how many values they hold. */
  readonly isTrusted?: boolean;
}

/** A batch of which frames are still to be decoded. */
interface OpenBatch {
  readonly bytes: Buffer;
  readonly heads: readonly unknown[];
  next: number;
  /** Where the body of the next frame begins. */
  offset: number;
}

/** What is in a batch, or why there cannot be one. */
type Opened = OpenBatch | string;

/** Lengths are looked at before anything is waited for, numbers of values before anything is parsed. */
export function createBatchReader({
  onFrame,
  onBatchEnd,
  isTrusted = false,
}: BatchReaderParts): BatchReader {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 4;
  let open: OpenBatch | undefined;
  let isResting = false;

  function push(chunk: Buffer): string | null {
    chunks.push(chunk);
    held += chunk.length;
    return isResting || held < wanted ? null : goOn();
  }

  function goOn(): string | null {
    isResting = false;
    for (;;) {
      const batch = open ?? openNext();
      if (batch === undefined || typeof batch === 'string') return batch ?? null;
      open = batch;
      const fault = decodeOpen(batch);
      if (fault !== null || rests()) return fault;
    }
  }

  const rests = (): boolean => isResting;

  /** `undefined` when the next batch is not there as a whole. */
  function openNext(): Opened | undefined {
    const [first = noBytes] = chunks;
    const bytes = chunks.length <= 1 ? first : Buffer.concat(chunks, held);
    const length = batchLengthOf(bytes);
    if (typeof length === 'string') return length;
    wanted = length;
    const isWhole = bytes.length >= length && length > lengthsBytes;
    keep(isWhole ? bytes.subarray(length) : bytes);
    return isWhole ? openBatch(bytes.subarray(4, length), isTrusted) : undefined;
  }

  function keep(bytes: Buffer): void {
    chunks = bytes.length === 0 ? [] : [bytes];
    held = bytes.length;
  }

  function decodeOpen(batch: OpenBatch): string | null {
    while (batch.next < batch.heads.length) {
      const frame = nextFrame(batch);
      if (frame === undefined) return 'a body that its batch has no room for';
      if (frame === 'no text') return 'a text that is not UTF-8';
      isResting = !onFrame(frame.value);
      if (isResting && batch.next < batch.heads.length) return null;
    }
    open = undefined;
    if (batch.offset !== batch.bytes.length) return 'bytes in a batch that belong to no frame';
    onBatchEnd?.();
    return null;
  }

  return { push, goOn, isResting: rests };
}

/**
 * The bytes of the next batch, with its lengths; as many as are needed to tell that, while they are not
 * there; or why there is none.
 */
function batchLengthOf(bytes: Buffer): number | string {
  if (bytes.length < 4) return 4;
  const length = bytes.readUInt32LE(0);
  if (length < 6) return `a batch of ${length} bytes, which is not one`;
  if (length > limits.batchBytes) return `a batch of ${length} bytes, above ${limits.batchBytes}`;
  if (bytes.length < lengthsBytes) return lengthsBytes;
  const header = bytes.readUInt32LE(4);
  if (header > limits.headerBytes)
    return `a header of ${header} bytes, above ${limits.headerBytes}`;
  return header + 4 > length ? 'a header that is longer than its batch' : 4 + length;
}

function openBatch(bytes: Buffer, isTrusted: boolean): Opened {
  const headerEnd = 4 + bytes.readUInt32LE(0);
  const text = bytes.toString('utf8', 4, headerEnd);
  const tooMuch = isTrusted ? null : jsonTextFault(text, headerLimits);
  if (tooMuch !== null) return `a header that ${tooMuch}`;
  const heads = parseJson(text);
  if (!Array.isArray(heads)) return 'a header that is not a list';
  if (heads.length === 0) return 'a batch without frames';
  if (heads.length > limits.batchFrames) {
    return `a batch of ${heads.length} frames, above ${limits.batchFrames}`;
  }
  return { bytes, heads, next: 0, offset: headerEnd };
}

/** In a box, since a frame may be anything; `undefined` when its body is not there. */
function nextFrame(batch: OpenBatch): { readonly value: unknown } | 'no text' | undefined {
  const { bytes, offset } = batch;
  const head = batch.heads[batch.next++];
  const length = bodyLengthOf(head);
  if (length === undefined) return { value: head };
  const end = offset + (length >= 0 ? length : -1 - length);
  if (!Number.isSafeInteger(length) || end > bytes.length) return undefined;
  batch.offset = end;
  const raw = bytes.subarray(offset, end);
  if (length < 0) return { value: { ...(head as object), body: raw } };
  if (length > longText && !isUtf8(raw)) return 'no text';
  return { value: { ...(head as object), body: raw.toString() } };
}

function bodyLengthOf(head: unknown): number | undefined {
  if (typeof head !== 'object' || head === null || !('body' in head)) return undefined;
  return typeof head.body === 'number' ? head.body : Number.NaN;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
