/** Writes a backup atomically: its manifest, then its parts, as a gzip tar. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { BackupManifest, BackupPart } from './backup.ts';

export interface PartFile {
  readonly path: string;
  /** Its current path. */
  readonly file: string;
}

/** Writes to a temporary file, which gets the name when every byte is synced to disk. */
export async function writeBackup(
  target: string,
  files: readonly PartFile[],
  about: Omit<BackupManifest, 'parts' | 'format' | 'v'>,
): Promise<void> {
  const parts: BackupPart[] = [];
  for (const { path, file } of files) parts.push({ path, ...(await measured(file)) });
  const manifest: BackupManifest = { format: 'vitrine-backup', v: 1, ...about, parts };
  const unfinished = `${target}.unfinished`;
  try {
    await pack(unfinished, manifest, files);
    await synced(unfinished);
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function pack(
  to: string,
  manifest: BackupManifest,
  files: readonly PartFile[],
): Promise<void> {
  const { createTarPacker } = await import('modern-tar');
  const { readable, controller } = createTarPacker();
  const writing = pipeline(
    Readable.fromWeb(readable),
    createGzip({ level: 4 }),
    createWriteStream(to, { mode: 0o600, flags: 'wx' }),
  );
  const filling = (async () => {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    const mtime = new Date(manifest.createdAt);
    const add = (name: string, size: number) =>
      Writable.fromWeb(controller.add({ name, size, mode: 0o600, mtime }));
    await pipeline([text], add('manifest.json', text.length));
    for (const [index, { path, file }] of files.entries())
      await pipeline(createReadStream(file), add(path, manifest.parts[index]?.size ?? 0));
    controller.finalize();
  })();
  filling.catch((error: unknown) => controller.error(error));
  await Promise.all([writing, filling]);
}

async function measured(file: string): Promise<Pick<BackupPart, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

async function synced(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The size of a file in bytes; 0 = it does not exist. */
export const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;
