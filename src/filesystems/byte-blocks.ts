import { Readable } from 'node:stream';

/** Reads up to `length` bytes from `offset`; fewer only at the end of the file. */
export type ReadBlock = (offset: number, length: number) => Promise<Uint8Array>;

/** A range of bytes, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What a stream of blocks needs. */
export interface BlockStreamOptions {
  readonly read: ReadBlock;
  readonly range: ByteRange;
  readonly blockBytes: number;
  /** Runs once, whatever the ending. */
  readonly close: () => Promise<void>;
}

/**
 * Streams a range, a block at a time and only as fast as it is taken. A file that has become
 * shorter fails the stream, so that the reader sees a broken transfer and not a whole one.
 */
export function streamBlocks({ read, range, blockBytes, close }: BlockStreamOptions): Readable {
  let offset = range.first;
  return new Readable({
    highWaterMark: blockBytes,
    read() {
      const wanted = Math.min(blockBytes, range.last - offset + 1);
      if (wanted <= 0) {
        this.push(null);
        return;
      }
      read(offset, wanted).then(
        (bytes) => {
          offset += bytes.length;
          if (bytes.length === 0) this.destroy(new Error('The file became shorter.'));
          else this.push(bytes);
        },
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
