/**
 * A cache of responses on the disk, limited in bytes; the least recently used is evicted first. A
 * file is written under another name and renamed, so a crash leaves only complete files, and an
 * invalid file counts as absent. A disk failure disables the cache and fails no request.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder, type Log } from '../../../kernel/index.ts';
import type { Stored } from './freshness.ts';

/** A response with its body. */
export interface CachedAnswer extends Stored {
  readonly body: Uint8Array;
}

/** The cache. No method rejects. */
export type DiskCache = ReturnType<typeof createDiskCache>;

export interface DiskCacheParts {
  readonly folder: string;
  readonly maxBytes: number;
  readonly log: Log;
}

const lengthBytes = 4;
const longestHead = 262_144;

/** Creates a cache over a folder, which is created and read when first needed. */
export function createDiskCache({ folder, maxBytes, log }: DiskCacheParts) {
  /** Bytes by file name, the least recently used first. */
  let known: Promise<Map<string, number>> | undefined;
  let total = 0;
  let hasFailed = false;

  const files = (): Promise<Map<string, number>> => (known ??= lookThrough());

  async function lookThrough(): Promise<Map<string, number>> {
    await makeFolder(folder);
    const found: { name: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(folder)) {
      if (!/^[0-9a-f]{64}$/.test(name)) {
        await rm(path.join(folder, name), { force: true, recursive: true });
        continue;
      }
      const { size, mtimeMs } = await stat(path.join(folder, name));
      found.push({ name, size, usedAt: mtimeMs });
    }
    found.sort((one, other) => one.usedAt - other.usedAt);
    total = found.reduce((sum, { size }) => sum + size, 0);
    return new Map(found.map(({ name, size }) => [name, size]));
  }

  async function forget(name: string): Promise<void> {
    const sizes = await files();
    total -= sizes.get(name) ?? 0;
    sizes.delete(name);
    await rm(path.join(folder, name), { force: true });
  }

  async function makeRoom(): Promise<void> {
    for (const name of (await files()).keys()) {
      if (total <= maxBytes) return;
      await forget(name);
    }
  }

  /** The time on the disk matters after a restart only, so no reader waits for it. */
  async function touch(name: string): Promise<void> {
    const sizes = await files();
    const size = sizes.get(name);
    if (size === undefined) return;
    sizes.delete(name);
    sizes.set(name, size);
    const now = new Date();
    void utimes(path.join(folder, name), now, now).catch(() => undefined);
  }

  /** Logs a failing disk once; the next access reads the folder again. */
  async function quietly<T>(otherwise: T, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!hasFailed) log.warn({ err: error }, 'The cache of the network cannot be used');
      hasFailed = true;
      known = undefined;
      return otherwise;
    }
  }

  return {
    read: (key: string): Promise<CachedAnswer | null> =>
      quietly(null, async () => {
        const name = cacheNameOf(key);
        if (!(await files()).has(name)) return null;
        const answer = unpackAnswer(await readFile(path.join(folder, name)));
        if (answer === null) await forget(name);
        else await touch(name);
        return answer;
      }),
    write: (key: string, answer: CachedAnswer): Promise<void> =>
      quietly(undefined, async () => {
        const name = cacheNameOf(key);
        const bytes = packAnswer(answer);
        if (bytes.length > maxBytes / 4) return;
        const sizes = await files();
        const aside = path.join(folder, `.${randomUUID()}`);
        await writeFile(aside, bytes);
        await rename(aside, path.join(folder, name));
        total += bytes.length - (sizes.get(name) ?? 0);
        sizes.delete(name);
        sizes.set(name, bytes.length);
        await makeRoom();
      }),
    remove: (key: string): Promise<void> => quietly(undefined, () => forget(cacheNameOf(key))),
    /** Bytes on the disk. */
    size: (): Promise<number> => quietly(0, async () => (await files(), total)),
  };
}

/** Keys contain addresses with data of plugins, so file names are hashes. */
export function cacheNameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** An answer as the bytes of one file. */
export function packAnswer({ body, ...head }: CachedAnswer): Uint8Array {
  const text = Buffer.from(JSON.stringify({ ...head, bodyBytes: body.length }));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, body]);
}

/** `null` = the bytes are not whole. */
export function unpackAnswer(bytes: Buffer): CachedAnswer | null {
  if (bytes.length < lengthBytes) return null;
  const end = lengthBytes + bytes.readUInt32BE();
  if (end > bytes.length || end > longestHead) return null;
  const head = parseHead(bytes.toString('utf8', lengthBytes, end));
  const body = bytes.subarray(end);
  return head !== null && head.bodyBytes === body.length ? { ...head.stored, body } : null;
}

function parseHead(text: string): { readonly stored: Stored; readonly bodyBytes: unknown } | null {
  try {
    const head: unknown = JSON.parse(text);
    if (!isMap(head)) return null;
    const { status, headers, storedAt, bodyBytes } = head;
    if (typeof status !== 'number' || typeof storedAt !== 'number' || !isMap(headers)) return null;
    const texts = Object.entries(headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return { stored: { status, headers: Object.fromEntries(texts), storedAt }, bodyBytes };
  } catch {
    return null;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
