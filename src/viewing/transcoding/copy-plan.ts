/**
 * Sends a checked plan: its head, then its pieces, from the disk to the socket. Pieces that lie close
 * together are read at once, at most 1 MiB, and only as fast as the client takes them. What was read is
 * moved together in its own memory, with the made bytes between them, and sent as one block: fifty
 * viewers of a film need fifty megabytes a second, so each further copy and each write to a socket counts.
 * A file that became shorter fails the stream, so that the client sees a broken transfer and not a
 * complete one.
 *
 * A stream that is piped reads into the same memory again, once the socket has taken what was in it, and
 * gives it back at the end: memory that is made and dropped so fast has the engine collect garbage twice a
 * second, which delays all other requests. Memory of a transfer that broke is left to the engine, since a
 * read or a write may still use it. Read in any other way, each block has memory of its own.
 */
import { Readable } from 'node:stream';
import { KernelError } from '../../../kernel/index.ts';
import type { OpenedSource } from '../../files/filesystems/index.ts';
import type { CheckedPlan } from './checked-plan.ts';

/** The most bytes of one read. */
const readBytes = 1024 * 1024;
/** Bytes between two pieces that are read with them: a read costs more than copying so many bytes. */
const gapBytes = 128 * 1024;
/** Made bytes that are sent together with one read. */
const madeBytes = 64 * 1024;

/** Of what is read, pieces that are a smaller part than this are copied out of memory that is used again. */
const denseFrom = 0.25;

/** Memory that waits for the next transfer. */
const mostFree = 16;

/** The file, open for reading. It is closed when the stream ends or is destroyed. */
type Source = Pick<OpenedSource, 'read' | 'close'>;

/** Memory for blocks: for one read and the made bytes beside it. */
export type ReadMemory = ReturnType<typeof createReadMemory>;

/** Creates it, empty. */
export function createReadMemory() {
  const free: Buffer[] = [];
  return {
    take: (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(readBytes + madeBytes),
    /** Only for memory that nothing uses any longer. */
    give: (memory: Buffer): void => {
      if (free.length < mostFree) free.push(memory);
    },
  };
}

/** The bytes of the plan. The first of them are read before it resolves, so that a bad file rejects. */
export async function copyPlan(
  plan: CheckedPlan,
  source: Source,
  memory: ReadMemory,
): Promise<Readable> {
  let isPiped = false;
  const blocks = blocksOf(plan, source, { memory, isPiped: () => isPiped });
  const first = await blocks.next().catch(async (error: unknown) => {
    await source.close();
    throw error;
  });
  let ready: Promise<IteratorResult<Buffer, void>> | null = Promise.resolve(first);
  const body = new Readable({
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

  async function pump(to: NodeJS.WritableStream): Promise<void> {
    for (let block = first; block.done !== true; block = await blocks.next())
      await written(to, block.value);
    to.end();
    body.push(null);
    body.resume();
  }

  return Object.assign(body, {
    pipe: <To extends NodeJS.WritableStream>(to: To): To => {
      isPiped = true;
      pump(to).catch((error: unknown) =>
        body.destroy(error instanceof Error ? error : new Error(String(error))),
      );
      return to;
    },
  });
}

/** Resolves when the system has taken the bytes; never, when the one who takes them is gone before. */
const written = (to: NodeJS.WritableStream, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    to.write(bytes, (error?: Error | null) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    });
  });

/** Where blocks are read to. While they are piped, a block is used up when the next one is asked for. */
interface BlockMemory {
  readonly memory: ReadMemory;
  readonly isPiped: () => boolean;
}

async function* blocksOf(
  plan: CheckedPlan,
  source: Source,
  { memory, isPiped }: BlockMemory,
): AsyncGenerator<Buffer, void> {
  const { pieces, inserts } = plan;
  let ready: Buffer[] = [plan.head];
  let scratch: Buffer | undefined;
  let sent: Buffer | undefined;
  const room = (): Buffer => {
    if (sent === undefined || !isPiped()) sent = memory.take();
    return sent;
  };
  for (let at = 0; at < pieces.length;) {
    const [offset = 0, length = 0] = pieces.subarray(at, at + 2);
    if (offset < 0) {
      ready.push(inserts.subarray(-1 - offset, -1 - offset + length));
      at += 2;
    } else if (length > readBytes) {
      if (ready.length > 0) yield Buffer.concat(ready);
      ready = [];
      for (let from = offset; from < offset + length; from += readBytes)
        yield await readAll(source, from, Math.min(readBytes, offset + length - from), room());
      at += 2;
    } else {
      const { next, end, isInOrder, wanted, made } = togetherFrom(pieces, at);
      const isSparse = wanted < (end - offset) * denseFrom;
      const inFront = bytesIn(ready) + made;
      if (isInOrder && !isSparse && inFront <= madeBytes) {
        const block = room();
        // Behind the place for what is made, so that no byte is moved over one that is still needed.
        const bytes = await readAll(source, offset, end - offset, block.subarray(inFront));
        yield movedTogether(plan, { from: at, to: next }, { ready, bytes, offset, block });
      } else {
        if (isSparse) scratch ??= memory.take();
        const into = isSparse && scratch !== undefined ? scratch : room();
        const bytes = await readAll(source, offset, end - offset, into);
        for (let one = at; one < next; one += 2) ready.push(pieceOf(plan, one, { bytes, offset }));
        yield Buffer.concat(ready);
      }
      ready = [];
      at = next;
    }
  }
  if (ready.length > 0) yield Buffer.concat(ready);
  if (scratch !== undefined) memory.give(scratch);
  if (sent !== undefined && isPiped()) memory.give(sent);
}

const bytesIn = (parts: readonly Buffer[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0);

/** What was read from an offset of the file, and the block that it becomes, with `ready` in front. */
interface Together {
  readonly ready: readonly Buffer[];
  readonly bytes: Buffer;
  readonly offset: number;
  readonly block: Buffer;
}

/** Puts pieces that are in the order of the file, and what is made between them, one behind the other. */
function movedTogether(
  { pieces, inserts }: CheckedPlan,
  range: { readonly from: number; readonly to: number },
  { ready, bytes, offset: start, block }: Together,
): Buffer {
  let length = 0;
  for (const part of ready) length += part.copy(block, length);
  for (let at = range.from; at < range.to;) {
    const [offset = 0, more = 0] = pieces.subarray(at, at + 2);
    if (offset < 0) {
      length += inserts.copy(block, length, -1 - offset, -1 - offset + more);
      at += 2;
      continue;
    }
    const from = offset - start;
    let to = from;
    // What follows without a gap is moved with it.
    for (; at < range.to && pieces[at] === to + start; at += 2) to += pieces[at + 1] ?? 0;
    const isThere =
      bytes.buffer === block.buffer && bytes.byteOffset + from === block.byteOffset + length;
    length += isThere ? to - from : bytes.copy(block, length, from, to);
  }
  return block.subarray(0, length);
}

/** What one read brings. */
interface Read {
  /** The first piece after it. */
  readonly next: number;
  /** Where it ends in the file. */
  readonly end: number;
  /** Whether each piece of the file begins after the one before it. */
  readonly isInOrder: boolean;
  /** Bytes of the pieces of the file, and of what is made between them. */
  readonly wanted: number;
  readonly made: number;
}

function togetherFrom(pieces: Float64Array, from: number): Read {
  const [start = 0] = pieces.subarray(from, from + 1);
  let [end, wanted, made, next, isInOrder] = [start, 0, 0, from, true];
  for (; next < pieces.length; next += 2) {
    const [offset = 0, more = 0] = pieces.subarray(next, next + 2);
    if (offset < 0) {
      made += more;
      continue;
    }
    if (offset < start || offset > end + gapBytes || offset + more - start > readBytes) break;
    if (offset < end) isInOrder = false;
    end = Math.max(end, offset + more);
    wanted += more;
  }
  return { next, end, isInOrder, wanted, made };
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

/** A read may give less than was asked for; nothing at all means that the file has become shorter. */
async function readAll(
  source: Source,
  offset: number,
  length: number,
  into: Buffer,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let have = 0; have < length;) {
    const bytes = await source.read(offset + have, length - have, into.subarray(have));
    if (bytes.length === 0) throw new KernelError('unreadable', 'The rest of a file that shrank');
    parts.push(bytes);
    have += bytes.length;
  }
  const [only] = parts;
  if (parts.length === 1 && only !== undefined)
    return Buffer.from(only.buffer, only.byteOffset, only.byteLength);
  return Buffer.concat(parts);
}
