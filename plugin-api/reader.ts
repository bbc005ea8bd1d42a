/**
 * Reads files in cached blocks of 64 KB, as parsers need them. The cost of a file is limited: the
 * bytes read, the time since it was opened, and the number of reads. So a file that refers to itself
 * only ends its own reading.
 */
import type { FsService } from './host/fs.ts';
import { ReaderError } from './reader-error.ts';
import { createRangeQueue } from './reader-queue.ts';

/** Bytes of one block. */
export const readerBlockBytes = 64 * 1024;

/** The budget of one file. */
export interface ReaderBudget {
  /** Bytes that are fetched from the host. */
  readonly bytes: number;
  /** Time from opening the reader. */
  readonly milliseconds: number;
  /** Calls of `read`, cached ones included, which ends loops in a file. 50 000 when absent. */
  readonly reads?: number;
}

/** Reads one file. Every failure is a {@link ReaderError}, thrown or rejected. */
export interface FileReader {
  readonly uri: string;
  /** Bytes, as given by the caller. */
  readonly size: number;
  /** Bytes fetched so far. */
  readonly bytesRead: number;
  /**
   * Exactly these bytes; synchronously when they are cached, so `await` the result. The bytes are a
   * view: do not write to them. `truncated` when the file is too short.
   */
  readonly read: (offset: number, length: number) => Uint8Array | Promise<Uint8Array>;
  /**
   * Reads many small pieces far apart, without the cache: for tables of offsets, where a block for
   * each would cost too much.
   */
  readonly readPieces: (
    places: readonly { readonly offset: number; readonly length: number }[],
  ) => Promise<readonly Uint8Array[]>;
}

/** Opens readers that share their host calls. */
export interface Readers {
  readonly open: (
    file: { readonly uri: string; readonly size: number },
    budget: ReaderBudget,
  ) => FileReader;
}

/** The parts of readers. */
export interface ReadersParts {
  readonly fs: Pick<FsService, 'readRanges'>;
  /** Milliseconds from any moment; `Date.now` when absent. */
  readonly now?: () => number;
}

type RangeQueue = ReturnType<typeof createRangeQueue>;

const keptBlocks = 16;
const rangeBytes = 1024 * 1024;
/** A longer read bypasses the cache. */
const largeBytes = 8 * readerBlockBytes;
const readsWhenAbsent = 50_000;
const readsPerLook = 256;

/**
 * Reads ranges of files, with a budget for each file.
 *
 * ```ts
 * const readers = createReaders({ fs: host.fs });
 * const reader = readers.open(file, { bytes: 1024 * 1024, milliseconds: 5000 });
 * const magic = await reader.read(0, 4);
 * ```
 */
export function createReaders({ fs, now = Date.now }: ReadersParts): Readers {
  const queue = createRangeQueue(fs);
  return { open: (file, budget) => new BlockReader(file, budget, queue, now) };
}

class BlockReader implements FileReader {
  readonly uri: string;
  readonly size: number;
  readonly #budget: ReaderBudget;
  readonly #queue: RangeQueue;
  readonly #now: () => number;
  readonly #deadline: number;
  readonly #blocks = new Map<number, Uint8Array>();
  #bytesRead = 0;
  #readsLeft: number;

  constructor(
    file: { readonly uri: string; readonly size: number },
    budget: ReaderBudget,
    queue: RangeQueue,
    now: () => number,
  ) {
    this.uri = file.uri;
    this.size = file.size;
    this.#budget = budget;
    this.#queue = queue;
    this.#now = now;
    this.#deadline = now() + budget.milliseconds;
    this.#readsLeft = budget.reads ?? readsWhenAbsent;
  }

  get bytesRead(): number {
    return this.#bytesRead;
  }

  readonly read = (offset: number, length: number): Uint8Array | Promise<Uint8Array> => {
    this.#spendRead();
    this.#check(offset, length);
    const first = Math.floor(offset / readerBlockBytes);
    const from = offset - first * readerBlockBytes;
    if (from + length <= readerBlockBytes) {
      const block = this.#blocks.get(first);
      if (block !== undefined) return cut(block, from, length);
    }
    if (length > largeBytes) return this.#readLarge(offset, length);
    const last = Math.max(first, Math.floor((offset + length - 1) / readerBlockBytes));
    for (let index = first; index <= last; index++) {
      if (!this.#blocks.has(index)) return this.#load(first, last, from, length);
    }
    return this.#join(first, last, from, length);
  };

  readonly readPieces = async (
    places: readonly { readonly offset: number; readonly length: number }[],
  ): Promise<readonly Uint8Array[]> => {
    this.#spendRead();
    return Promise.all(
      places.map(async ({ offset, length }) => {
        this.#check(offset, length);
        return length > rangeBytes
          ? this.#readLarge(offset, length)
          : cut(await this.#fetch(offset, length), 0, length);
      }),
    );
  };

  async #load(first: number, last: number, from: number, length: number): Promise<Uint8Array> {
    for (let index = first; index <= last;) {
      if (this.#blocks.has(index)) {
        index++;
        continue;
      }
      let end = index + 1;
      while (end <= last && !this.#blocks.has(end)) end++;
      const start = index * readerBlockBytes;
      const bytes = await this.#fetch(start, Math.min(end * readerBlockBytes, this.size) - start);
      for (; index < end; index++) {
        const at = index * readerBlockBytes - start;
        this.#blocks.set(index, bytes.subarray(at, at + readerBlockBytes));
      }
    }
    const joined = this.#join(first, last, from, length);
    this.#forgetOldest();
    return joined;
  }

  async #readLarge(offset: number, length: number): Promise<Uint8Array> {
    const all = new Uint8Array(this.#affordable(length));
    for (let at = 0; at < length; at += rangeBytes) {
      const share = Math.min(rangeBytes, length - at);
      all.set(cut(await this.#fetch(offset + at, share), 0, share), at);
    }
    return all;
  }

  #join(first: number, last: number, from: number, length: number): Uint8Array {
    const single = this.#blocks.get(first);
    if (first === last && single !== undefined) return cut(single, from, length);
    const all = new Uint8Array(length);
    let at = 0;
    for (let index = first; index <= last; index++) {
      const start = index === first ? from : 0;
      const share = Math.min(readerBlockBytes - start, length - at);
      const block = this.#blocks.get(index);
      if (block === undefined) throw tooShort();
      all.set(cut(block, start, share), at);
      at += share;
    }
    return all;
  }

  /** Keeps the first block, and drops the oldest of the others. */
  #forgetOldest(): void {
    for (const index of this.#blocks.keys()) {
      if (this.#blocks.size <= keptBlocks) return;
      if (index !== 0) this.#blocks.delete(index);
    }
  }

  #fetch(offset: number, length: number): Promise<Uint8Array> {
    this.#checkTime();
    this.#bytesRead += this.#affordable(length);
    return this.#queue({ uri: this.uri, offset, length });
  }

  /** Checks the budget before anything is allocated or requested. */
  #affordable(length: number): number {
    if (this.#bytesRead + length <= this.#budget.bytes) return length;
    throw new ReaderError(
      'over-budget',
      `The file needs more than ${this.#budget.bytes} bytes to be read before it is understood.`,
    );
  }

  #spendRead(): void {
    this.#readsLeft--;
    if (this.#readsLeft < 0) {
      throw new ReaderError('over-budget', 'The file has a loop, or too many parts.');
    }
    if (this.#readsLeft % readsPerLook === 0) this.#checkTime();
  }

  #checkTime(): void {
    if (this.#now() <= this.#deadline) return;
    throw new ReaderError(
      'over-budget',
      `The file was not parsed within ${this.#budget.milliseconds} ms.`,
    );
  }

  #check(offset: number, length: number): void {
    if (offset >= 0 && length >= 0 && offset + length <= this.size) return;
    throw tooShort();
  }
}

function cut(bytes: Uint8Array, from: number, length: number): Uint8Array {
  if (from + length > bytes.length) throw tooShort();
  return bytes.subarray(from, from + length);
}

function tooShort(): ReaderError {
  return new ReaderError('truncated', 'The file ends before the data that it announces.');
}
