/** A marketplace source as a folder for any web host: `index.json`, and the packages beside it. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  byVersion,
  createIndexReader,
  leadsTo,
  longestIndex,
  pluginFacts,
  rotateKey,
  signIndex,
  versionFacts,
  type IndexPlugin,
  type MarketplaceIndex,
  type OpenedArchive,
  type Signer,
} from '../../../../kernel/run/packages/index.ts';
import { ConfigError } from '../../../../src/platform/config.ts';
import { packageName, writeWhole } from './plugin-packages.ts';

/** An index that is not signed yet. */
type Draft = Omit<MarketplaceIndex, 'publisherKey' | 'signature' | 'updatedAt' | 'expiresAt'>;

/** The folder of a source, and its signer. */
export interface IndexFolder {
  readonly folder: string;
  readonly signer: Signer;
  readonly now: () => number;
  /** Days until the index expires, unless it is signed again. */
  readonly days: number;
}

const packagesFolder = 'packages';
const dayMs = 86_400_000;

/** The default days until an index expires. */
export const usualIndexDays = 14;

/** Adds a package, or replaces the same version; older versions stay. */
export async function publishPackage(
  to: IndexFolder,
  { file, archive, name }: { file: string; archive: OpenedArchive; name: string | null },
): Promise<void> {
  const draft = await readDraft(to, name);
  const { manifest, locales, publisherKey, sha256, sizeBytes } = archive;
  const url = `${packagesFolder}/${packageName(manifest)}`;
  const known = draft.plugins.find(({ id }) => id === manifest.id);
  await assertSamePublisher(known, publisherKey, draft);
  const before = known?.versions.find(({ version }) => version === manifest.version);
  if (before && before.sha256 !== sha256) {
    throw new ConfigError(
      `${manifest.id} ${manifest.version} is published already with other content. A published version cannot change: raise the version.`,
    );
  }
  const versions = (known?.versions ?? []).filter(({ version }) => version !== manifest.version);
  const plugin: IndexPlugin = {
    id: manifest.id,
    ...pluginFacts(archive),
    publisherKey,
    versions: [
      ...versions,
      before ?? {
        version: manifest.version,
        url,
        sha256,
        size: sizeBytes,
        minVersion: manifest.minVersion,
        ...versionFacts(manifest, locales),
      },
    ].sort((one, other) => byVersion(one.version, other.version)),
  };
  const others = draft.plugins.filter(({ id }) => id !== manifest.id);
  await mkdir(path.join(to.folder, packagesFolder), { recursive: true });
  await copyFile(file, path.join(to.folder, url));
  // Last, so that the index never names a missing package.
  await writeDraft(to, { ...draft, plugins: [...others, plugin].sort(byId) });
}

/** Signs the index again with the same content and a later expiry date, which it returns. */
export const renewIndex = async (to: IndexFolder): Promise<string> =>
  writeDraft(to, await readDraft(to, null));

/** Marks one version, or all of them, as revoked. */
export async function revokeVersions(
  to: IndexFolder,
  { id, version, reason }: { id: string; version: string | null; reason: string },
): Promise<number> {
  const draft = await readDraft(to, null);
  let count = 0;
  const plugins = draft.plugins.map((plugin) => {
    if (plugin.id !== id) return plugin;
    const versions = plugin.versions.map((one) => {
      if (version !== null && one.version !== version) return one;
      count += 1;
      return { ...one, revoked: reason };
    });
    return { ...plugin, versions };
  });
  if (count === 0) throw new ConfigError(`${id} ${version ?? ''}: the index has no such plugin.`);
  await writeDraft(to, { ...draft, plugins });
  return count;
}

/**
 * Adds the replacement of a publisher key to the index; returns the number of packages of the old
 * key that stay valid. If it is the source's own key, the new key must sign the index.
 */
export async function addRotation(to: IndexFolder, from: Signer, key: string): Promise<number> {
  const { publicKey } = from;
  if (publicKey === to.signer.publicKey)
    throw new ConfigError(
      '--key: the replaced key may no longer sign the index; give the private key of --to.',
    );
  const known = await readSigned(to);
  const again = (known.rotations ?? []).find((one) => one.from === publicKey || one.from === key);
  if (again)
    throw new ConfigError(
      `The key ${again.from} was replaced by ${again.to} already; a key can be replaced only once.`,
    );
  const packages = known.plugins
    .filter((plugin) => plugin.publisherKey === publicKey)
    .flatMap(({ versions }) => versions)
    .flatMap(({ sha256, revoked }) => (revoked === undefined ? [sha256] : []));
  const issuedAt = new Date(to.now()).toISOString();
  const rotations = [...(known.rotations ?? []), rotateKey(from, { to: key, issuedAt, packages })];
  const draft = await draftOf({ ...known, rotations }, to);
  const plugins = known.plugins.map((plugin) =>
    plugin.publisherKey === publicKey ? { ...plugin, publisherKey: key } : plugin,
  );
  await writeDraft(to, { ...draft, plugins });
  return packages.length;
}

async function assertSamePublisher(
  known: IndexPlugin | undefined,
  publisherKey: string,
  { rotations = [] }: Draft,
): Promise<void> {
  if (!known || (await leadsTo(known.publisherKey, publisherKey, rotations))) return;
  throw new ConfigError(
    `${known.id} was published with the key ${known.publisherKey}, and this package is signed with ${publisherKey}. If the publisher has a new key, declare it with vitrine plugin rotate.`,
  );
}

async function readDraft(to: IndexFolder, name: string | null): Promise<Draft> {
  if (name !== null && (await textIn(to)) === null)
    return { name, indexId: randomBytes(16).toString('hex'), sequence: 0, plugins: [] };
  const draft = await draftOf(await readSigned(to), to);
  return name === null ? draft : { ...draft, name };
}

const fileOf = ({ folder }: Pick<IndexFolder, 'folder'>): string => path.join(folder, 'index.json');

/**
 * `null` = there is none. An unreadable index throws, so that it is never replaced by a new one.
 */
async function textIn(to: IndexFolder): Promise<string | null> {
  try {
    return await readFile(fileOf(to), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ConfigError(`${fileOf(to)} cannot be read: ${String(error)}`);
  }
}

async function readSigned(to: IndexFolder): Promise<MarketplaceIndex> {
  const text = await textIn(to);
  if (text === null)
    throw new ConfigError(
      `${to.folder}: there is no index.json; give the new source a name with --name.`,
    );
  const read = await createIndexReader()(text);
  if (!read.ok) throw new ConfigError(`${fileOf(to)}: ${read.fault}`);
  return read.index;
}

/** The index to sign next, with the key of the source or its successor. */
async function draftOf(index: MarketplaceIndex, to: IndexFolder): Promise<Draft> {
  const { name, indexId, sequence, plugins, publisherKey } = index;
  const { rotations = [], revokedKeys = [] } = index;
  if (await leadsTo(publisherKey, to.signer.publicKey, rotations))
    return { name, indexId, sequence, plugins, rotations, revokedKeys };
  throw new ConfigError(
    `${fileOf(to)} is signed with the key ${publisherKey}, and --key is a different one.`,
  );
}

async function writeDraft(to: IndexFolder, draft: Draft): Promise<string> {
  const { folder, signer, now, days } = to;
  await mkdir(folder, { recursive: true });
  const moment = now();
  const updatedAt = new Date(moment).toISOString();
  const expiresAt = new Date(moment + days * dayMs).toISOString();
  const sequence = draft.sequence + 1;
  const index = signIndex({ ...draft, sequence, updatedAt, expiresAt }, signer);
  const text = `${JSON.stringify(index, null, 2)}\n`;
  if (text.length > longestIndex)
    throw new ConfigError(
      `${fileOf(to)}: it would have ${text.length} characters, but servers read at most ${longestIndex}; shorten the READMEs.`,
    );
  await writeWhole(fileOf(to), text);
  return expiresAt;
}

const byId = (one: IndexPlugin, other: IndexPlugin): number => (one.id < other.id ? -1 : 1);
