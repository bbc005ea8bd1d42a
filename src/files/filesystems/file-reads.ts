import type { Readable } from 'node:stream';
import type {
  FileEntry,
  FileListing,
  ListFilesInput,
  ReadFileInput,
} from '../../../plugin-api/index.ts';
import type { ByteRange } from './byte-blocks.ts';
import type { FilePlace } from './file-places.ts';

/** A file that is open. Stream it, which closes it, or read it and close it once. */
export interface OpenedSource {
  readonly size: number;
  /** Unix milliseconds. */
  readonly modifiedAt: number;
  /** The bytes of the range, the first of them read; the file is closed when the stream ends or is destroyed. */
  readonly stream: (range: ByteRange) => Promise<Readable>;
  /**
   * Up to `length` bytes from `offset`, at most 1 MiB; fewer only at the end of the file. They belong to
   * the caller. They may be in `into`, which has room for them and is used for nothing else meanwhile.
   */
  readonly read: (offset: number, length: number, into?: Buffer) => Promise<Uint8Array>;
  readonly close: () => Promise<void>;
}

/** Reads of files. All methods reject with a `KernelError`. */
export interface FileReads {
  readonly list: (input: ListFilesInput) => Promise<FileListing>;
  readonly stat: (uri: string) => Promise<FileEntry>;
  /** A range; fewer bytes at the end of the file. */
  readonly read: (input: ReadFileInput) => Promise<Uint8Array>;
  /**
   * Many ranges, packed as `host.fs.readRanges` answers. A file that cannot be read is marked in its
   * place; only a URI outside of the libraries rejects.
   */
  readonly readRanges: (ranges: readonly ReadFileInput[]) => Promise<Uint8Array>;
  /** Opens a file for streaming. */
  readonly open: (uri: string) => Promise<OpenedSource>;
  /** Where many files are. Rejects only for a URI outside of the libraries. */
  readonly localPaths: (uris: readonly string[]) => Promise<ReadonlyMap<string, FilePlace>>;
}
