/** Finds plugins in folders, and gives the reason for each one that it skips. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import semver from 'semver';
import type { Manifest } from '../../../plugin-api/index.ts';
import type { Locales } from '../locales/index.ts';
import { maxManifestLength, type ManifestReader } from '../manifest/manifest.ts';
import { serverRange } from '../manifest/manifest-rules.ts';
import { localesIn } from './locale-files.ts';
import { codeOf, packageFault, readPackageFile } from './package-folder.ts';
import { readSignature } from './package-signature.ts';
import { readUnpacked } from './package-source.ts';
import type { PackageRecord } from './package-store.ts';
import { pluginSlug } from '../plugin/plugin-slug.ts';
import type { PluginType } from '../plugin/plugin-type.ts';
import type { SkippedPlugin, SkippedReason } from '../plugin/skipped-plugin.ts';

/** A plugin whose package allows a start. */
export interface PluginPackage {
  readonly manifest: Manifest;
  /** Its texts in other languages. */
  readonly locales: Locales;
  readonly type: PluginType;
  readonly folder: string;
  /** The ES module that `main` names. */
  readonly mainFile: string;
  /** SHA-256 of the source when it was found. */
  readonly sourceHash: string;
}

/** A folder of plugin folders. It may be missing. */
export interface PluginSource {
  readonly folder: string;
  readonly type: PluginType;
  /** Only the folders of these packages, each named by its digest. */
  readonly installed?: readonly InstalledPackage[];
}

/** A package as it was installed. A folder that has another one is skipped. */
export type InstalledPackage = Pick<
  PackageRecord,
  'pluginId' | 'version' | 'sha256' | 'publisherKey'
>;

/** The result of discovery. */
export interface Discovery {
  readonly packages: readonly PluginPackage[];
  readonly skipped: readonly SkippedPlugin[];
}

export interface DiscoveryParts {
  /** In the order of precedence: of two plugins with one id, the first found is taken. */
  readonly sources: readonly PluginSource[];
  readonly reader: ManifestReader;
  readonly serverVersion: string;
}

/** Longest source of a plugin, in bytes. */
export const maxSourceBytes = 10 * 1024 * 1024;
const maxPlugins = 1000;

/** What a look at one folder needs. */
interface LookParts extends Pick<DiscoveryParts, 'reader' | 'serverVersion'> {
  /** What must be in the folder; absent = any plugin. */
  readonly expected?: InstalledPackage | undefined;
}

/** A package, or why it is skipped. */
export type Candidate =
  | { readonly kind: 'found'; readonly found: PluginPackage }
  | { readonly kind: 'skipped'; readonly entry: SkippedPlugin };

/** Reads every source. Packages come in the order of sources, then of folder names. */
export async function discover(parts: DiscoveryParts): Promise<Discovery> {
  const lists = await Promise.all(parts.sources.map((source) => candidates(source, parts)));
  const packages: PluginPackage[] = [];
  const skipped: SkippedPlugin[] = [];
  for (const candidate of lists.flat()) {
    if (candidate.kind === 'skipped') {
      skipped.push(candidate.entry);
      continue;
    }
    const { found } = candidate;
    const slug = pluginSlug(found.manifest.id);
    const first = packages.find((other) => pluginSlug(other.manifest.id) === slug);
    if (!first) packages.push(found);
    else skipped.push(duplicate(found, first, parts.serverVersion));
  }
  return { packages, skipped };
}

async function candidates(
  source: PluginSource,
  parts: DiscoveryParts,
): Promise<readonly Candidate[]> {
  const records = new Map(source.installed?.map((one) => [one.sha256, one]));
  const names = source.installed ? [...records.keys()] : await foldersIn(source.folder);
  const taken = names.slice(0, maxPlugins);
  const found = await Promise.all(
    taken.map((name) =>
      candidate(path.join(source.folder, name), source.type, {
        ...parts,
        expected: records.get(name),
      }),
    ),
  );
  const rest = names.slice(maxPlugins).map((name) => {
    const message = `There are more than ${maxPlugins} plugins; this one is skipped.`;
    return skip(path.join(source.folder, name), 'invalid-manifest', message, parts);
  });
  return [...found, ...rest];
}

/** Names that begin with a dot belong to the system. */
async function foldersIn(folder: string): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The package in one folder. Never rejects, so that one bad package does not hide the others. */
export async function candidate(
  folder: string,
  type: PluginType,
  parts: LookParts,
): Promise<Candidate> {
  try {
    return await examine(folder, type, parts);
  } catch (error) {
    const message = `The folder ${path.basename(folder)} could not be read (${codeOf(error)}).`;
    return skip(folder, 'invalid-manifest', message, parts);
  }
}

async function examine(folder: string, type: PluginType, parts: LookParts): Promise<Candidate> {
  const fault = await packageFault(folder);
  if (fault !== null) {
    return skip(folder, 'invalid-manifest', `${path.basename(folder)} ${fault}.`, parts);
  }
  const file = await readPackageFile(path.join(folder, 'manifest.json'), maxManifestLength);
  if (file.kind !== 'text') {
    const why = file.kind === 'missing' ? 'is missing' : file.why;
    return skip(folder, 'invalid-manifest', `manifest.json ${why}.`, parts);
  }
  const parsed = parts.reader.parseText(file.text);
  if (!parsed.ok) {
    const known = looseManifest(file.text);
    return skip(folder, 'invalid-manifest', parsed.faults.join(' '), parts, known);
  }
  const unsigned =
    type === 'marketplace' ? await signatureFault(folder, parsed.value, parts) : null;
  if (unsigned !== null) return skip(folder, 'invalid-signature', unsigned, parts, parsed.value);
  const locales = await localesIn(folder, parsed.value, parts.reader);
  if (!locales.ok) {
    const message = locales.faults.join(' ');
    return skip(folder, 'invalid-manifest', message, parts, parsed.value);
  }
  return admit({ folder, type, manifest: parsed.value, locales: locales.value }, parts);
}

/**
 * A marketplace package is checked against its publisher's signature, and against what was installed,
 * at every start: another package has a valid signature too.
 */
async function signatureFault(
  folder: string,
  manifest: Manifest,
  { expected }: LookParts,
): Promise<string | null> {
  const files = await readUnpacked(folder);
  if (files === null) return 'Its files cannot be read.';
  const read = await readSignature(files);
  if (!read.ok) return read.fault;
  const { id, version, publisherKey } = read.claims;
  if (id !== manifest.id || version !== manifest.version)
    return 'Its signature names another plugin or version.';
  if (expected === undefined) return null;
  const isSame =
    expected.pluginId === id &&
    expected.version === version &&
    expected.publisherKey === publisherKey;
  if (isSame) return null;
  return `Its folder has ${id} ${version} of the key ${publisherKey}, but ${expected.pluginId} ${expected.version} of the key ${expected.publisherKey} was installed. Install it again.`;
}

async function admit(
  found: Omit<PluginPackage, 'mainFile' | 'sourceHash'>,
  parts: LookParts,
): Promise<Candidate> {
  const { folder, manifest } = found;
  const range = serverRange(manifest.minVersion);
  if (!semver.satisfies(parts.serverVersion, range, { includePrerelease: true })) {
    const message = `It needs a server ${manifest.minVersion}; this one is ${parts.serverVersion}.`;
    return skip(folder, 'incompatible-version', message, parts, manifest);
  }
  const mainFile = path.join(folder, ...manifest.main.split('/'));
  const source = await readPackageFile(mainFile, maxSourceBytes);
  if (source.kind === 'text') {
    const sourceHash = createHash('sha256').update(source.text).digest('hex');
    return { kind: 'found', found: { ...found, mainFile, sourceHash } };
  }
  const why = source.kind === 'missing' ? 'is not there' : source.why;
  return skip(folder, 'missing-entry', `main: ${manifest.main} ${why}.`, parts, manifest);
}

/** The skipped entry of a package whose id is taken. */
export function duplicate(
  found: PluginPackage,
  first: PluginPackage,
  serverVersion: string,
): SkippedPlugin {
  const { id } = found.manifest;
  const message =
    id === first.manifest.id
      ? `The ${first.type} plugin in ${path.basename(first.folder)} has the id ${id} already.`
      : `Its events would be named like those of ${first.manifest.id}; take an id that differs in letters or digits.`;
  return skippedEntry(found.folder, 'duplicate-id', message, serverVersion, found.manifest);
}

/** The fields of a manifest that the skipped list shows, also when the manifest is refused. */
type KnownOfManifest = Partial<Pick<Manifest, 'id' | 'name' | 'version' | 'minVersion'>>;

function skip(
  folder: string,
  reason: SkippedReason,
  message: string,
  parts: LookParts,
  known: KnownOfManifest = {},
): Candidate {
  return {
    kind: 'skipped',
    entry: skippedEntry(folder, reason, message, parts.serverVersion, known),
  };
}

/** Makes the skipped entry of the specification. */
export function skippedEntry(
  folder: string,
  reason: SkippedReason,
  message: string,
  serverVersion: string,
  known: KnownOfManifest,
): SkippedPlugin {
  return {
    key: path.basename(folder),
    id: known.id ?? '',
    name: known.name ?? '',
    version: known.version ?? '',
    minVersion: known.minVersion ?? '',
    appVersion: serverVersion,
    path: folder,
    reason,
    message,
  };
}

const maxKnownLength = 100;

/** Short texts of a refused manifest, so that an admin can tell which plugin it is. */
function looseManifest(text: string): KnownOfManifest {
  if (text.length > maxManifestLength) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    const entries = Object.entries(value).filter(
      ([key, inner]) =>
        ['id', 'name', 'version', 'minVersion'].includes(key) && typeof inner === 'string',
    );
    return Object.fromEntries(
      entries.map(([key, inner]) => [key, String(inner).slice(0, maxKnownLength)]),
    );
  } catch {
    return {};
  }
}
