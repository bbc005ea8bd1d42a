/**
 * Sends a checked plan: its head, then its pieces, from the disk to the socket. Pieces that lie close
 * together are read at once, at most 1 MiB, and only as fast as the client takes them. A file that
 * became shorter fails the stream, so that the client sees a broken transfer and not a complete one.
 */
import { Readable } from 'node:stream';
import { KernelError } from '../../../kernel/index.ts';
import type { OpenedSource } from '../../files/filesystems/index.ts';
import type { CheckedPlan } from './checked-plan.ts';

/** The most bytes of one read. */
const readBytes = 1024 * 1024;
/** Bytes between two pieces that are read with them: a read costs more than copying so many bytes. */
const gapBytes = 128 * 1024;

/** A run shorter than this is copied: sending it alone costs more than the copy. */
const copyBelow = 16 * 1024;

/** The file, open for reading. It is closed when the stream ends or is destroyed. */
type Source = Pick<OpenedSource, 'read' | 'close'>;

/** The bytes of the plan. The first of them are read before it resolves, so that a bad file rejects. */
export async function copyPlan(plan: CheckedPlan, source: Source): Promise<Readable> {
  const blocks = blocksOf(plan, source);
  const first = await blocks.next().catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  let ready: Promise<IteratorResult<Buffer, void>> | null = Promise.resolve(first);
  return new Readable({
    highWaterMark: readBytes,
    read() {
      const block = ready ?? blocks.next();
      ready = null;
      block.then(
        ({ value }) => this.push(value ?? null),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      source.close().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

async function* blocksOf(plan: CheckedPlan, source: Source): AsyncGenerator<Buffer, void> {
  const { pieces, inserts } = plan;
  let ready: Buffer[] = [plan.head];
  for (let at = 0; at < pieces.length;) {
    const [offset = 0, length = 0] = pieces.subarray(at, at + 2);
    if (offset < 0) {
      ready.push(inserts.subarray(-1 - offset, -1 - offset + length));
      at += 2;
    } else if (length > readBytes) {
      if (ready.length > 0) yield Buffer.concat(ready);
      ready = [];
      yield* readLong(source, offset, length);
      at += 2;
    } else {
      const { next, end } = togetherFrom(pieces, at);
      const bytes = await readAll(source, offset, end - offset);
      yield* blocksIn(plan, { from: at, next }, { bytes, offset }, ready);
      ready = [];
      at = next;
    }
  }
  if (ready.length > 0) yield Buffer.concat(ready);
}

/** What one read brought: long runs as they are, short pieces copied together with what was ready. */
function* blocksIn(
  plan: CheckedPlan,
  { from, next }: { readonly from: number; readonly next: number },
  read: { readonly bytes: Buffer; readonly offset: number },
  ready: Buffer[],
): Generator<Buffer, void> {
  let short = ready;
  for (let at = from; at < next;) {
    const run = runFrom(plan.pieces, at, next);
    if (run.length < copyBelow)
      for (let one = at; one < run.next; one += 2) short.push(pieceOf(plan, one, read));
    else {
      if (short.length > 0) yield Buffer.concat(short);
      short = [];
      const start = run.offset - read.offset;
      yield read.bytes.subarray(start, start + run.length);
    }
    at = run.next;
  }
  if (short.length > 0) yield Buffer.concat(short);
}

/** The pieces from here on that follow each other in the file without a gap; an insert has no length there. */
function runFrom(
  pieces: Float64Array,
  from: number,
  end: number,
): { readonly offset: number; readonly length: number; readonly next: number } {
  const [offset = 0, first = 0] = pieces.subarray(from, from + 2);
  if (offset < 0) return { offset, length: 0, next: from + 2 };
  let length = first;
  let next = from + 2;
  for (; next < end && pieces[next] === offset + length; next += 2) length += pieces[next + 1] ?? 0;
  return { offset, length, next };
}

/** How many pieces from here on one read brings, and where it ends. */
function togetherFrom(pieces: Float64Array, from: number): { next: number; end: number } {
  const [start = 0, length = 0] = pieces.subarray(from, from + 2);
  let end = start + length;
  let next = from + 2;
  for (; next < pieces.length; next += 2) {
    const [offset = 0, more = 0] = pieces.subarray(next, next + 2);
    if (offset < 0) continue;
    if (offset < start || offset > end + gapBytes || offset + more - start > readBytes) break;
    end = Math.max(end, offset + more);
  }
  return { next, end };
}

function pieceOf(
  { pieces, inserts }: CheckedPlan,
  at: number,
  read: { readonly bytes: Buffer; readonly offset: number },
): Buffer {
  const [offset = 0, length = 0] = pieces.subarray(at, at + 2);
  if (offset < 0) return inserts.subarray(-1 - offset, -1 - offset + length);
  const from = offset - read.offset;
  return read.bytes.subarray(from, from + length);
}

async function* readLong(
  source: Source,
  offset: number,
  length: number,
): AsyncGenerator<Buffer, void> {
  const end = offset + length;
  for (let at = offset; at < end; at += readBytes)
    yield await readAll(source, at, Math.min(readBytes, end - at));
}

/** A read may give less than was asked for; nothing at all means that the file has become shorter. */
async function readAll(source: Source, offset: number, length: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let have = 0; have < length;) {
    const bytes = await source.read(offset + have, length - have);
    if (bytes.length === 0) throw new KernelError('unreadable', 'The rest of a file that shrank');
    parts.push(bytes);
    have += bytes.length;
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  return Buffer.concat(parts);
}
