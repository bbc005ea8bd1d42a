/**
 * How frames cross the channel: in batches of `[length][header length][header][bodies]`, both lengths
 * 32 bits. The header is a JSON array with one object per frame; a frame's body stands outside of it,
 * so text is escaped by nobody and bytes are no base64.
 *
 * The channel is a bare socket and not Node's own: that one believes any length that it is told and
 * obeys commands of the other end before we see them, so a host process that was taken over could
 * end the server with one message.
 */
import { Buffer } from 'node:buffer';
import type { Body } from '../running-plugin.ts';
import { limits } from './limits.ts';

interface AnyFrame {
  readonly kind: string;
  readonly body?: Body;
}

const lengthsBytes = 8;

/** Packs frames into as few batches as their sizes allow. */
export function encodeBatches(frames: readonly AnyFrame[]): Buffer[] {
  const batches: Buffer[] = [];
  let group: AnyFrame[] = [];
  let size = 0;
  for (const frame of frames) {
    group.push(frame);
    size += 64 + (frame.body?.length ?? 0);
    if (size < limits.batchTargetBytes) continue;
    batches.push(encodeBatch(group));
    group = [];
    size = 0;
  }
  if (group.length > 0) batches.push(encodeBatch(group));
  return batches;
}

/** A text body stands in the header as its length, bytes as `-1 - length`. */
function encodeBatch(frames: readonly AnyFrame[]): Buffer {
  const bodies: Body[] = [];
  const lengths: number[] = [];
  let bodyBytes = 0;
  const heads = frames.map((frame) => {
    const { body } = frame;
    if (body === undefined) return frame;
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    bodies.push(body);
    lengths.push(length);
    bodyBytes += length;
    return { ...frame, body: typeof body === 'string' ? length : -1 - length };
  });
  const header = JSON.stringify(heads);
  const headerBytes = Buffer.byteLength(header);
  const batch = Buffer.allocUnsafe(lengthsBytes + headerBytes + bodyBytes);
  batch.writeUInt32LE(4 + headerBytes + bodyBytes, 0);
  batch.writeUInt32LE(headerBytes, 4);
  batch.write(header, lengthsBytes);
  let offset = lengthsBytes + headerBytes;
  bodies.forEach((body, index) => {
    if (typeof body === 'string') batch.write(body, offset);
    else batch.set(body, offset);
    offset += lengths[index] ?? 0;
  });
  return batch;
}

/** Takes what the socket gives and calls back with one parsed, unvalidated frame after the other. */
export interface BatchReader {
  /** False when what came cannot be a batch: nothing after it can be trusted either. */
  readonly push: (chunk: Buffer) => boolean;
}

/** `onBatchEnd` comes after the last frame of each batch. */
export function createBatchReader(
  onFrame: (frame: unknown) => void,
  onBatchEnd: () => void = () => undefined,
): BatchReader {
  let chunks: Buffer[] = [];
  let held = 0;
  let wanted = 4;

  function push(chunk: Buffer): boolean {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return true;
    let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks, held);
    while (rest.length >= 4) {
      const length = rest.readUInt32LE(0);
      if (length < 4 || length > limits.batchBytes) return false;
      if (rest.length < 4 + length) break;
      if (!decodeBatch(rest.subarray(4, 4 + length), onFrame)) return false;
      onBatchEnd();
      rest = rest.subarray(4 + length);
    }
    wanted = rest.length >= 4 ? 4 + rest.readUInt32LE(0) : 4;
    chunks = rest.length === 0 ? [] : [rest];
    held = rest.length;
    return true;
  }

  return { push };
}

function decodeBatch(batch: Buffer, onFrame: (frame: unknown) => void): boolean {
  const headerEnd = 4 + batch.readUInt32LE(0);
  if (headerEnd > batch.length) return false;
  const heads = parseJson(batch.toString('utf8', 4, headerEnd));
  if (!Array.isArray(heads)) return false;
  let offset = headerEnd;
  for (const head of heads as readonly unknown[]) {
    const length = bodyLengthOf(head);
    if (length === undefined) {
      onFrame(head);
      continue;
    }
    const end = offset + (length >= 0 ? length : -1 - length);
    if (!Number.isSafeInteger(length) || end > batch.length) return false;
    const body = length >= 0 ? batch.toString('utf8', offset, end) : batch.subarray(offset, end);
    offset = end;
    onFrame({ ...(head as object), body });
  }
  return offset === batch.length;
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
