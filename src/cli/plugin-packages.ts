/** What `vitrine plugin` does with folders and packages; no server takes part. */
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createManifestReader,
  createPacker,
  filesOf,
  KernelError,
  makeArchive,
  manifestIn,
  openArchive,
  packed,
  readSource,
  signatureFile,
  silentLog,
  type Manifest,
  type OpenedArchive,
  type PackageFiles,
  type Signer,
} from '../../kernel/index.ts';
import { ConfigError } from '../config.ts';

/** A plugin that could be packed. */
export interface CheckedSource {
  readonly files: PackageFiles;
  readonly manifest: Manifest;
  /** What is allowed and may not be meant so. */
  readonly warnings: readonly string[];
}

const reader = createManifestReader();

/** All that a server will check, of a folder or a package; throws a {@link ConfigError} that names it. */
export async function checkPlugin(at: string): Promise<CheckedSource> {
  const files = await filesAt(at);
  const found = manifestIn(files, reader);
  if (!found.ok) throw new ConfigError(`${at}: ${found.fault}`);
  const manifest = found.value;
  const source = Buffer.from(files.get(manifest.main) ?? []).toString('utf8');
  await assertPackable(at, source);
  tryPacking(at, files);
  return { files, manifest, warnings: warningsOf(manifest, files, source) };
}

/** The bytes of a package: signed when there is a key. */
export function packPlugin({ files, manifest }: CheckedSource, signer: Signer | null): Uint8Array {
  const own = new Map([...files].filter(([name]) => name !== signatureFile));
  return signer === null ? packed(own) : makeArchive(own, { manifest, signer });
}

/** A package that holds; throws a {@link ConfigError} that says why it does not. */
export async function verifyPackage(file: string): Promise<OpenedArchive> {
  const opened = await openArchive(await readFile(file), { reader });
  if (opened.ok) return opened.archive;
  throw new ConfigError(`${file}: ${opened.code}: ${opened.message}`);
}

/** The name of a package's file; a scope becomes its beginning. */
export const packageName = ({ id, version }: Manifest): string =>
  `${id.replace('@', '').replaceAll('/', '-')}-${version}.vplugin`;

/** Written aside and renamed, so that nobody ever sees half a file. */
export async function writeWhole(file: string, bytes: Uint8Array | string): Promise<void> {
  const aside = `${file}.new`;
  await writeFile(aside, bytes);
  await rename(aside, file);
}

async function filesAt(at: string): Promise<PackageFiles> {
  const found = await stat(at).catch(() => null);
  if (found === null) throw new ConfigError(`${at}: there is no such folder or package.`);
  const read = found.isDirectory() ? await readSource(at) : await filesOf(await readFile(at));
  if (read.ok) return read.files;
  throw new ConfigError(`${at} ${read.fault}.`);
}

async function assertPackable(at: string, source: string): Promise<void> {
  const cacheFolder = await mkdtemp(path.join(tmpdir(), 'vitrine-check-'));
  try {
    await createPacker({ cacheFolder, log: silentLog }).toScript(source);
  } catch (error) {
    if (error instanceof KernelError) throw new ConfigError(`${at}: ${error.message}`);
    throw error;
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
}

function tryPacking(at: string, files: PackageFiles): void {
  try {
    packed(files);
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(`${at}: ${error.message}`);
    throw error;
  }
}

const largeBytes = 2 * 1024 * 1024;

/** The host service that each power is for; a power whose service the source never names is not used. */
const services: Readonly<Record<string, string>> = {
  net: 'net',
  files: 'fs',
  disk: 'disk',
  library: 'library',
  kv: 'kv',
  textIndex: 'textIndex',
  events: 'events',
  schedule: 'schedule',
  secrets: 'secrets',
};

function warningsOf(manifest: Manifest, files: PackageFiles, source: string): readonly string[] {
  const { reasons = {}, ...powers } = manifest.permissions;
  const names = Object.keys(powers);
  const explained = new Set(Object.keys(reasons));
  const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
  const has = (name: string) => [...files.keys()].some((file) => file.startsWith(name));
  return [
    ...names
      .filter((name) => !explained.has(name))
      .map((name) => `permissions.${name} has no reason: an admin will read "no reason given".`),
    ...names
      .filter((name) => isUnused(services[name], source))
      .map(
        (name) =>
          `permissions.${name} is asked for, and main never names host.${services[name] ?? ''}.`,
      ),
    ...(has('README') ? [] : ['There is no README: an admin will have the description alone.']),
    ...(has('LICENSE') ? [] : ['There is no LICENSE file.']),
    ...(bytes > largeBytes ? [`It is ${bytes} bytes unpacked: a start will take longer.`] : []),
  ];
}

const isUnused = (service: string | undefined, source: string): boolean =>
  service !== undefined && !new RegExp(`\\b${service}\\b`).test(source);
