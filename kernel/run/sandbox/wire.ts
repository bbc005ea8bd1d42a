/**
 * How frames cross the channel: in batches of `[length][header length][header][bodies]`, with lengths
 * of 32 bits. The header is a JSON array with one object per frame. Bodies are outside it, so text
 * needs no escaping and bytes no base64.
 *
 * The channel is a bare socket, not Node's own channel. Node's channel trusts any length and executes
 * control messages before we see them, so a compromised host process could end the server with one
 * message.
 */
import { Buffer, isUtf8 } from 'node:buffer';
import { jsonTextFault } from '../../json-limits.ts';
import type { Body } from '../../call/running-plugin.ts';
import { limits } from './limits.ts';

interface AnyFrame {
  readonly kind: string;
  readonly body?: Body;
}

const lengthsBytes = 8;
/** A longer text is decoded only if it is valid UTF-8, since repairing it is slow. */
const longText = 65_536;
const noBytes = Buffer.alloc(0);
/** The levels: the list, a frame, its usage list, and an entry of that. */
const headerLimits = { maxLength: limits.headerBytes, maxDepth: 4 };

/** Packs frames into as few batches as their sizes allow; the reader accepts each of them. */
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
 * Adds the batch of these frames, or one for each half when they are too long together. The header
 * has the length of a text body in bytes, or `-1 - length` for a binary one.
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

/** Takes bytes of the socket and calls back with each parsed, unvalidated frame. */
export type BatchReader = ReturnType<typeof createBatchReader>;

/** Callbacks of a reader. */
export interface BatchReaderParts {
  /** False: no further frame of the batch is decoded until `goOn`. */
  readonly onFrame: (frame: unknown) => boolean;
  /** Called after the last frame of each batch. */
  readonly onBatchEnd?: () => void;
  /** The sender is the kernel: the number of values in its headers is not checked. */
  readonly isTrusted?: boolean;
}

/** A batch with frames to decode. */
interface OpenBatch {
  readonly bytes: Buffer;
  readonly heads: readonly unknown[];
  next: number;
  /** Where the body of the next frame begins. */
  offset: number;
}

/** A batch, or why there cannot be one. */
type Opened = OpenBatch | string;

/** Lengths are checked before waiting for bytes, numbers of values before parsing. */
export function createBatchReader({ onFrame, onBatchEnd, isTrusted = false }: BatchReaderParts) {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 4;
  let open: OpenBatch | undefined;
  let isResting = false;

  /**
   * `null`, or why the bytes cannot be a batch, as words that follow "sent". Nothing after that
   * can be trusted. While the reader rests, bytes are kept unread.
   */
  function push(chunk: Buffer): string | null {
    chunks.push(chunk);
    held += chunk.length;
    return isResting || held < wanted ? null : goOn();
  }

  /** Ends the rest. Returns what `push` returns. */
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

  /** Whether `onFrame` has requested a rest. */
  const rests = (): boolean => isResting;

  /** `undefined` while the next batch is incomplete. */
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
 * The length of the next batch with its length fields; the number of bytes needed to know it; or why
 * there is no valid batch.
 */
function batchLengthOf(bytes: Buffer): number | string {
  if (bytes.length < 4) return 4;
  const length = bytes.readUInt32LE(0);
  if (length < 6) return `a batch of ${length} bytes, which is too short`;
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

/** Wrapped, since a frame may be any value; `undefined` when its body is missing. */
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
