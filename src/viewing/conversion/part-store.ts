/**
 * What was converted, kept on the disk and shared by all sessions. A name is given by a rename, so a
 * file with a name is whole, also after a crash; everything else is removed at the first use. The least
 * recently used goes first, so that the folder never has more than its limit.
 */
import { createHash, randomUUID } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder } from '../../../kernel/index.ts';

export interface KeptPart {
  /** Bytes. */
  readonly size: number;
  readonly body: Readable;
}

/** The store. It rejects only where a disk fails. */
export type PartStore = ReturnType<typeof createPartStore>;

/** Creates a store over a folder, which no other process uses. */
export function createPartStore(folder: string, maxBytes: () => Promise<number>) {
  /** Bytes by file name, the least recently used first. */
  let known: Promise<Map<string, number>> | undefined;
  let total = 0;

  function files(): Promise<Map<string, number>> {
    known ??= lookThrough().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  }

  async function lookThrough(): Promise<Map<string, number>> {
    await makeFolder(folder);
    const found: { name: string; size: number; usedAt: number }[] = [];
    for (const name of await readdir(folder)) {
      if (/^[0-9a-f]{64}$/.test(name)) {
        const { size, mtimeMs } = await stat(path.join(folder, name));
        found.push({ name, size, usedAt: mtimeMs });
      } else await rm(path.join(folder, name), { force: true, recursive: true });
    }
    found.sort((one, other) => one.usedAt - other.usedAt);
    total = found.reduce((sum, { size }) => sum + size, 0);
    return new Map(found.map(({ name, size }) => [name, size]));
  }

  async function makeRoom(needed: number): Promise<void> {
    const sizes = await files();
    const most = await maxBytes();
    for (const [name, size] of sizes) {
      if (total + needed <= most) return;
      sizes.delete(name);
      total -= size;
      await rm(path.join(folder, name), { force: true });
    }
  }

  return {
    has: async (key: string): Promise<boolean> => (await files()).has(nameOfPart(key)),
    read: async (key: string): Promise<KeptPart | null> => {
      const name = nameOfPart(key);
      const sizes = await files();
      const size = sizes.get(name);
      if (size === undefined) return null;
      sizes.delete(name);
      try {
        const file = await open(path.join(folder, name));
        sizes.set(name, size);
        const now = new Date();
        await utimes(path.join(folder, name), now, now).catch(() => undefined);
        return { size, body: file.createReadStream() };
      } catch {
        total -= size;
        return null;
      }
    },
    write: async (key: string, bytes: Uint8Array): Promise<void> => {
      const name = nameOfPart(key);
      await makeRoom(bytes.length);
      const aside = path.join(folder, `.${randomUUID()}`);
      try {
        await writeFile(aside, bytes);
        await rename(aside, path.join(folder, name));
      } catch (error) {
        await rm(aside, { force: true }).catch(() => undefined);
        throw error;
      }
      const sizes = await files();
      total += bytes.length - (sizes.get(name) ?? 0);
      sizes.delete(name);
      sizes.set(name, bytes.length);
    },
    /** Bytes on the disk. */
    size: async (): Promise<number> => (await files(), total),
  };
}

/** Keys hold words of recipes, so names are hashes. */
export const nameOfPart = (key: string): string => createHash('sha256').update(key).digest('hex');
