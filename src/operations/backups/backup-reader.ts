/**
 * Reads a backup, which is untrusted: it may be truncated, damaged, manipulated, of a newer
 * version, or not a backup at all. None of its content is used before all of it matches its
 * manifest.
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ParsedTarEntry } from 'modern-tar';
import { isDatabasePath, isPartPath, type BackupManifest, type BackupPart } from './backup.ts';
import { BackupError } from './backup-error.ts';
import { isDiskFailure, TooLittleRoom } from './disk-failure.ts';
import { makeFolder } from '../../../kernel/index.ts';

const longestManifest = 8 * 1024 ** 2;
const mostParts = 100_000;
const spareBytes = 64 * 1024 ** 2;

/** Reads it to the end and checks every byte; with `into`, also unpacks its parts. */
export async function verifyBackup(file: string, into?: string): Promise<BackupManifest> {
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new BackupError(`${file} cannot be read: ${String(error)}.`);
  });
  try {
    return await read(file, into);
  } catch (error) {
    if (error instanceof BackupError || isDiskFailure(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupError(`It is damaged, truncated, or not a backup of Vitrine (${why}).`);
  }
}

async function read(file: string, into: string | undefined): Promise<BackupManifest> {
  const { createTarDecoder } = await import('modern-tar');
  const { readable, writable } = createTarDecoder({ strict: true });
  const feeding = pipeline(
    createReadStream(file),
    createGunzip(),
    (source: AsyncIterable<Buffer>) => feed(source, writable),
  );
  feeding.catch(() => undefined);
  let manifest: BackupManifest | null = null;
  const left = new Map<string, BackupPart>();
  for await (const entry of readable) {
    if (manifest === null) {
      manifest = await readManifest(entry);
      for (const part of manifest.parts) left.set(part.path, part);
      if (left.size !== manifest.parts.length) throw new BackupError('A part is listed twice.');
      if (into !== undefined) await assertRoom(into, manifest);
      continue;
    }
    const part = left.get(entry.header.name);
    if (part === undefined || entry.header.type !== 'file' || entry.header.size !== part.size)
      throw new BackupError(`${entry.header.name} does not match the manifest.`);
    left.delete(part.path);
    await take(entry, part, into);
  }
  await feeding;
  if (manifest === null) throw new BackupError('It is empty.');
  const [missing] = left.keys();
  if (missing !== undefined) throw new BackupError(`${missing} is missing: the file is truncated.`);
  return manifest;
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * A manual adapter: the standard one between the two kinds of streams leaves an unhandled
 * rejection.
 */
async function feed(
  source: AsyncIterable<Uint8Array>,
  to: WritableStream<Uint8Array>,
): Promise<void> {
  const writer = to.getWriter();
  try {
    for await (const chunk of source) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined);
    throw error;
  }
}

async function take(entry: ParsedTarEntry, part: BackupPart, into?: string): Promise<void> {
  const hash = createHash('sha256');
  const chunks = async function* (source: AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      hash.update(chunk);
      if (into !== undefined) yield chunk;
    }
  };
  if (into === undefined) {
    await pipeline(entry.body, chunks, nowhere());
  } else {
    const target = path.join(into, part.path);
    await makeFolder(path.dirname(target), 0o700);
    await pipeline(entry.body, chunks, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
  }
  if (hash.digest('hex') !== part.sha256)
    throw new BackupError(`${part.path} is damaged: its SHA-256 does not match the manifest.`);
}

/**
 * Checks the space first: a manifest may claim any size, and a full disk would stop the running
 * server.
 */
async function assertRoom(folder: string, { parts }: BackupManifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const needed = parts.reduce((sum, { size }) => sum + size, spareBytes);
  if (needed > bavail * bsize)
    throw new TooLittleRoom(
      `There is not enough space to unpack it: it needs ${Math.ceil(needed / 1024 ** 2)} MiB.`,
    );
}

async function readManifest({ header, body }: ParsedTarEntry): Promise<BackupManifest> {
  if (header.name !== 'manifest.json' || header.size > longestManifest)
    throw new BackupError('It is not a backup of Vitrine: it has no manifest.');
  const text = await new Response(body).text();
  const value: unknown = JSON.parse(text);
  if (!isManifest(value)) throw new BackupError('Its manifest is not valid for this version.');
  return value;
}

function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false;
  const { format, v, createdAt, serverVersion, label, parts } = value as Partial<BackupManifest>;
  return (
    format === 'vitrine-backup' &&
    v === 1 &&
    isOfForm(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/) &&
    isOfForm(serverVersion, /^[\w.+-]{1,100}$/) &&
    (label === null || typeof label === 'string') &&
    Array.isArray(parts) &&
    parts.length <= mostParts &&
    parts.every(isPart) &&
    parts.filter((part) => isDatabasePath(part.path)).length === 1
  );
}

const isOfForm = (value: unknown, form: RegExp): value is string =>
  typeof value === 'string' && form.test(value);

function isPart(value: unknown): value is BackupPart {
  if (typeof value !== 'object' || value === null) return false;
  const { path: at, size, sha256 } = value as Partial<BackupPart>;
  return (
    typeof at === 'string' &&
    isPartPath(at) &&
    Number.isSafeInteger(size) &&
    (size ?? -1) >= 0 &&
    isOfForm(sha256, /^[0-9a-f]{64}$/)
  );
}
