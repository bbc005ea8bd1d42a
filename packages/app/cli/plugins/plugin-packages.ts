/** The work of `vitrine plugin` on folders and packages, without a server. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KernelError, silentLog } from '../../../../kernel/index.ts';
import type { Locales } from '../../../../kernel/run/locales/index.ts';
import { createManifestReader } from '../../../../kernel/run/manifest/index.ts';
import {
  filesOf,
  makeArchive,
  manifestIn,
  openArchive,
  packed,
  readSource,
  signatureFile,
  type OpenedArchive,
  type PackageFiles,
  type Signer,
} from '../../../../kernel/run/packages/index.ts';
import { createPacker } from '../../../../kernel/run/scripts/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { ConfigError } from '../../../../src/platform/config.ts';
import type { PluginOrigin } from '../../plugin-kit/index.ts';
import { loadKit } from './plugin-kit.ts';

/** A valid plugin. */
export interface CheckedSource {
  readonly files: PackageFiles;
  readonly manifest: Manifest;
  readonly locales: Locales;
  /** `null` for a package. */
  readonly origin: PluginOrigin | null;
}

const reader = createManifestReader();
/** Reads the manifest of an author, with all that can be said of it. */
export const authorReader = createManifestReader({ isForAuthor: true });

/** Runs the checks of a server on a folder or a package; throws a {@link ConfigError} that names the fault. */
export async function checkPlugin(at: string): Promise<CheckedSource> {
  const files = await filesAt(at);
  const found = manifestIn(files, authorReader);
  if (!found.ok) throw new ConfigError(`${at}: ${found.fault}${buildHint(found.fault)}`);
  const manifest = found.value;
  const origin = await originOf(at);
  const source = { files, manifest, locales: found.locales, origin };
  await assertPackable(at, mainOf(source));
  tryPacking(at, files);
  return source;
}

/** Throws a {@link ConfigError} that says why a server could not start the plugin, and where. */
export async function assertStarts(at: string, source: CheckedSource): Promise<void> {
  const { PluginFault, tryStart } = await loadKit();
  const { manifest, origin } = source;
  await tryStart({ manifest, source: mainOf(source), origin }, async () => undefined).catch(
    (error: unknown) => {
      if (!(error instanceof PluginFault)) throw error;
      throw new ConfigError(`${at} is not packed. ${error.message}${startHint(error.code)}`);
    },
  );
}

const startHint = (code: string): string =>
  code === 'not_started'
    ? '. Right is a module that starts with nothing granted; what needs host belongs in handlers.'
    : '';

async function originOf(at: string): Promise<PluginOrigin | null> {
  const found = await stat(at);
  if (!found.isDirectory()) return null;
  const { readPluginSource } = await loadKit();
  const { entry } = await readPluginSource(at);
  return { folder: at, entry };
}

const buildHint = (fault: string): string =>
  fault.includes('is not in the package.')
    ? ' Where it is built from sources, run vitrine plugin build first.'
    : '';

/** The module of a plugin. */
export const mainOf = ({ files, manifest }: Pick<CheckedSource, 'files' | 'manifest'>): string =>
  Buffer.from(files.get(manifest.main) ?? []).toString('utf8');

/** The bytes of a package: signed when there is a key. */
export function packPlugin(
  { files, manifest }: Pick<CheckedSource, 'files' | 'manifest'>,
  signer: Signer | null,
): Uint8Array {
  const own = new Map([...files].filter(([name]) => name !== signatureFile));
  return signer === null ? packed(own) : makeArchive(own, { manifest, signer });
}

/** A valid package; throws a {@link ConfigError} that says what is wrong with it. */
export async function verifyPackage(file: string): Promise<OpenedArchive> {
  const opened = await openArchive(await readFile(file), { reader });
  if (opened.ok) return opened.archive;
  throw new ConfigError(`${file}: ${opened.code}: ${opened.message}`);
}

/** The name of a package's file; a scope becomes its beginning. */
export const packageName = ({ id, version }: Manifest): string =>
  `${id.replace('@', '').replaceAll('/', '-')}-${version}.vplugin`;

/** The folder of a plugin among the local ones of a server. */
export const packageFolderName = ({ id }: Manifest): string =>
  id.replace('@', '').replaceAll('/', '-');

/** The author's own files that the plugin is made from, as far as they are known. */
export async function sourceFilesOf(folder: string): Promise<readonly string[]> {
  const { readPluginSource, bundlePlugin } = await loadKit();
  const own = [path.join(folder, 'manifest.json')];
  try {
    const { entry } = await readPluginSource(folder);
    const { inputs } = await bundlePlugin(entry).catch(() => ({ inputs: [] }));
    return [...own, entry, ...inputs];
  } catch {
    return own;
  }
}

/** Writes a temporary file and renames it, so that a reader never sees a partial file. */
export async function writeWhole(file: string, bytes: Uint8Array | string): Promise<void> {
  const aside = `${file}.new`;
  await writeFile(aside, bytes);
  await rename(aside, file);
}

/** Bundles the source in a folder into the file that its manifest names; gives that file. */
export async function buildInto(folder: string): Promise<string> {
  const { readPluginSource, bundlePlugin } = await loadKit();
  const { entry, manifest } = await readPluginSource(folder);
  const file = path.join(folder, ...manifest.main.split('/'));
  if (entry === file) {
    throw new ConfigError(
      `${folder}: ${manifest.main} is the source itself; there is nothing to build.`,
    );
  }
  const { code } = await bundlePlugin(entry);
  await mkdir(path.dirname(file), { recursive: true });
  await writeWhole(file, code);
  return file;
}

/** Sources of the bundle, and files that only its author needs. */
const sources =
  /\.[mc]?tsx?$|(^|\/)(tsconfig[^/]*\.json|vitest\.config\.[a-z]+)$|^package(-lock)?\.json$/;

async function filesAt(at: string): Promise<PackageFiles> {
  const found = await stat(at).catch(() => null);
  if (found === null) throw new ConfigError(`${at}: there is no such folder or package.`);
  const read = found.isDirectory() ? await readSource(at) : await filesOf(await readFile(at));
  if (!read.ok) throw new ConfigError(`${at} ${read.fault}.`);
  return found.isDirectory() ? withBundle(at, read.files) : read.files;
}

/** For a plugin in TypeScript the current bundle is packed, and the source is not. */
async function withBundle(folder: string, files: PackageFiles): Promise<PackageFiles> {
  if (![...files.keys()].some((name) => name.endsWith('.ts'))) return files;
  const manifestText = Buffer.from(files.get('manifest.json') ?? []).toString('utf8');
  if (!authorReader.parseText(manifestText).ok) return files;
  const { readPluginSource, bundlePlugin } = await loadKit();
  const { entry, manifest } = await readPluginSource(folder);
  if (entry === path.join(folder, ...manifest.main.split('/'))) return files;
  const { code } = await bundlePlugin(entry);
  const others = [...files].filter(([name]) => !sources.test(name));
  return new Map([...others, [manifest.main, Buffer.from(code)]]);
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
