import { Readable } from 'node:stream';
import { KernelError } from '../../../kernel/index.ts';

/** Reads up to `length` bytes from `offset`; fewer only at the end of the file. */
export type ReadBlock = (offset: number, length: number) => Promise<Uint8Array>;

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface BlockStreamOptions {
  readonly read: ReadBlock;
  readonly range: ByteRange;
  readonly blockBytes: number;
  /** Runs once, when the stream ends or fails. */
  readonly close: () => Promise<void>;
}

/**
 * Streams a range block by block, only as fast as the reader consumes it. The first block is read
 * before this resolves, so a file that cannot be read rejects here. A file that becomes shorter fails
 * the stream, so that the reader sees a broken transfer and not a complete one.
 */
export async function streamBlocks(options: BlockStreamOptions): Promise<Readable> {
  const { read, range, blockBytes, close } = options;
  let offset = range.first;

  async function nextBlock(): Promise<Uint8Array | null> {
    const wanted = Math.min(blockBytes, range.last - offset + 1);
    if (wanted <= 0) return null;
    const bytes = await read(offset, wanted);
    if (bytes.length === 0) throw new KernelError('unreadable', 'The rest of a file that shrank');
    offset += bytes.length;
    return bytes;
  }

  const first = await nextBlock().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  let ready: Promise<Uint8Array | null> | null = Promise.resolve(first);
  return new Readable({
    highWaterMark: blockBytes,
    read() {
      const block = ready ?? nextBlock();
      ready = null;
      block.then(
        (bytes) => this.push(bytes),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      close().then(
        () => done(error),
        () => done(error),
      );
    },
  });
}
