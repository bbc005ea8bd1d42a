/**
 * Files as plain files of this machine, for hooks that require one. A local file is given by its own
 * path; any other file is fetched through its plugin and removed on release. Guarantees: the copies
 * together never exceed the limit; two waiting holds never deadlock, since a hold takes the space for
 * all of its files at once; `open` removes what a crash left.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createSemaphore, mapBounded } from '../../../packages/lib/concurrency/index.ts';
import { KernelError, makeFolder, type Log } from '../../../kernel/index.ts';
import type { Filesystems } from './filesystems.ts';

/** Files that are there until they are released. */
export interface HeldFiles {
  /** By URI; a file that could not be made available is not in it. */
  readonly paths: ReadonlyMap<string, string>;
  /** Removes the fetched copies. Must be called exactly once, also after a failure. */
  readonly release: () => Promise<void>;
}

export interface LocalCopiesParts {
  readonly filesystems: Pick<Filesystems, 'localPaths' | 'stat' | 'open'>;
  /** The folder for copies. All other content of it is removed. */
  readonly folder: string;
  /** Bytes that all copies may take together. */
  readonly limitBytes: number;
  readonly newId: () => string;
  readonly log: Log;
}

interface Wanted {
  readonly uri: string;
  readonly size: number;
}

/** The most files that are fetched at the same time. */
const maxFetches = 2;
/** Bytes that stay free on the disk of the copies. */
const reserveBytes = 1024 ** 3;

/** Makes files available on this machine. */
export class LocalCopies {
  readonly #parts: LocalCopiesParts;
  readonly #freeBytes: ReturnType<typeof createSemaphore>;
  readonly #stop = new AbortController();

  constructor(parts: LocalCopiesParts) {
    this.#parts = parts;
    this.#freeBytes = createSemaphore(parts.limitBytes);
  }

  #leaveOut(uri: string, why: string, error?: unknown): null {
    this.#parts.log.warn(
      { uri, ...(error !== undefined && { err: error }) },
      `No local copy: ${why}.`,
    );
    return null;
  }

  readonly #sizeOf = async (uri: string): Promise<Wanted | null> => {
    try {
      const { kind, size } = await this.#parts.filesystems.stat(uri);
      return kind === 'file' ? { uri, size } : this.#leaveOut(uri, 'it is not a file');
    } catch (error) {
      return this.#leaveOut(uri, 'it cannot be looked at', error);
    }
  };

  /** The files of one hold that fit together into the limit and on the disk. */
  async #thatFit(wanted: readonly Wanted[]): Promise<readonly Wanted[]> {
    const { bavail, bsize } = await statfs(this.#parts.folder);
    const most = Math.min(this.#parts.limitBytes, Math.max(0, bavail * bsize - reserveBytes));
    let total = 0;
    return wanted.filter(({ uri, size }) => {
      if (total + size > most) {
        this.#leaveOut(uri, `it is ${size} bytes, and copies may take ${most - total} more`);
        return false;
      }
      total += size;
      return true;
    });
  }

  async #fetchCopy({ uri, size }: Wanted, into: string, index: number) {
    const file = path.join(into, `${index}${extensionOf(uri)}`);
    try {
      const source = await this.#parts.filesystems.open(uri);
      if (source.size > size) {
        await source.close();
        return this.#leaveOut(uri, 'it grows');
      }
      const bytes = await source.stream({ first: 0, last: source.size - 1 });
      await pipeline(bytes, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
      return { uri, file };
    } catch (error) {
      await rm(file, { force: true });
      return this.#leaveOut(uri, 'it could not be fetched', error);
    }
  }

  async #fetchAll(uris: readonly string[], paths: Map<string, string>) {
    const looked = await mapBounded(uris, maxFetches, this.#sizeOf);
    const wanted = await this.#thatFit(looked.filter((one) => one !== null));
    if (wanted.length === 0) return async () => undefined;
    const bytes = wanted.reduce((sum, { size }) => sum + size, 0);
    const giveBack = await this.#freeBytes.take(bytes, this.#stop.signal);
    const into = path.join(this.#parts.folder, this.#parts.newId());
    const release = async (): Promise<void> => {
      await rm(into, { recursive: true, force: true });
      giveBack();
    };
    try {
      await mkdir(into, { mode: 0o700 });
      const numbered = wanted.map((one, index) => ({ one, index }));
      const copies = await mapBounded(numbered, maxFetches, ({ one, index }) =>
        this.#fetchCopy(one, into, index),
      );
      for (const copy of copies) if (copy) paths.set(copy.uri, copy.file);
      return release;
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #empty(): Promise<void> {
    await rm(this.#parts.folder, { recursive: true, force: true });
  }

  /** Empties the folder. Must be called once, before the first hold. */
  readonly open = async (): Promise<void> => {
    await this.#empty();
    await makeFolder(this.#parts.folder, 0o700);
  };

  /**
   * Waits for free space where needed. Rejects when the server stops, and for a URI outside of the
   * libraries.
   */
  readonly hold = async (uris: readonly string[]): Promise<HeldFiles> => {
    this.#stop.signal.throwIfAborted();
    const paths = new Map<string, string>();
    const local = await this.#parts.filesystems.localPaths(uris);
    const elsewhere: string[] = [];
    for (const [uri, place] of local) {
      if (place.kind === 'here') paths.set(uri, place.path);
      else if (place.kind === 'elsewhere') elsewhere.push(uri);
      else this.#leaveOut(uri, 'it cannot be found');
    }
    const release = elsewhere.length > 0 ? await this.#fetchAll(elsewhere, paths) : null;
    return { paths, release: async () => release?.() };
  };

  /** Rejects all waiting holds, and removes all copies. */
  readonly close = async (): Promise<void> => {
    this.#stop.abort(new KernelError('service_unavailable', 'The server'));
    await this.#empty();
  };
}

/** Creates the copies; nothing is on the disk before `open`. */
export const createLocalCopies = (parts: LocalCopiesParts): LocalCopies => new LocalCopies(parts);

/** The extension, since some tools need it. No other part of the name is used on this disk. */
function extensionOf(uri: string): string {
  return /\.[A-Za-z0-9]{1,10}$/.exec(uri)?.[0].toLowerCase() ?? '';
}
