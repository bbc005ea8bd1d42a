/** A marketplace source as a folder for any web host: `index.json`, and the packages beside it. */
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  byVersion,
  createIndexReader,
  leadsTo,
  rotateKey,
  signIndex,
  type IndexPlugin,
  type MarketplaceIndex,
  type OpenedArchive,
  type Signer,
} from '../../kernel/index.ts';
import { ConfigError } from '../config.ts';
import { packageName, writeWhole } from './plugin-packages.ts';

/** An index that is about to be signed. */
export type Draft = Omit<MarketplaceIndex, 'publisherKey' | 'signature'>;

/** The folder of a source, and who signs for it. */
export interface IndexFolder {
  readonly folder: string;
  readonly signer: Signer;
  readonly now: () => number;
}

const packagesFolder = 'packages';

/** Adds a package, or puts it in place of the same version; the older ones stay. */
export async function publishPackage(
  to: IndexFolder,
  { file, archive, name }: { file: string; archive: OpenedArchive; name: string | null },
): Promise<void> {
  const draft = await readDraft(to, name);
  const { manifest, publisherKey, sha256, sizeBytes } = archive;
  const url = `${packagesFolder}/${packageName(manifest)}`;
  const known = draft.plugins.find(({ id }) => id === manifest.id);
  await assertSamePublisher(known, publisherKey, draft);
  const before = known?.versions.find(({ version }) => version === manifest.version);
  if (before && before.sha256 !== sha256) {
    throw new ConfigError(
      `${manifest.id} ${manifest.version} is published already with other content: a version never changes, so raise it.`,
    );
  }
  const versions = (known?.versions ?? []).filter(({ version }) => version !== manifest.version);
  const plugin: IndexPlugin = {
    id: manifest.id,
    name: manifest.name,
    description: manifest.description,
    publisherKey,
    versions: [
      ...versions,
      before ?? {
        version: manifest.version,
        url,
        sha256,
        size: sizeBytes,
        minVersion: manifest.minVersion,
        permissions: manifest.permissions,
      },
    ].sort((one, other) => byVersion(one.version, other.version)),
  };
  const others = draft.plugins.filter(({ id }) => id !== manifest.id);
  await mkdir(path.join(to.folder, packagesFolder), { recursive: true });
  await copyFile(file, path.join(to.folder, url));
  // Last, so that the index never names a package that is not there.
  await writeDraft(to, { ...draft, plugins: [...others, plugin].sort(byId) });
}

/** Marks a version, or all of them, as revoked. */
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

/** Puts into the index that the holder of one key goes over to another. */
export async function addRotation(to: IndexFolder, from: Signer, key: string): Promise<void> {
  const draft = await readDraft(to, null);
  const record = rotateKey(from, key, new Date(to.now()).toISOString());
  const plugins = draft.plugins.map((plugin) =>
    plugin.publisherKey === from.publicKey ? { ...plugin, publisherKey: key } : plugin,
  );
  await writeDraft(to, { ...draft, plugins, rotations: [...(draft.rotations ?? []), record] });
}

async function assertSamePublisher(
  known: IndexPlugin | undefined,
  publisherKey: string,
  { rotations = [] }: Draft,
): Promise<void> {
  if (!known || (await leadsTo(known.publisherKey, publisherKey, rotations))) return;
  throw new ConfigError(
    `${known.id} was published with the key ${known.publisherKey}, and this package is signed with ${publisherKey}: vitrine plugin rotate tells of a new key.`,
  );
}

async function readDraft({ folder, signer }: IndexFolder, name: string | null): Promise<Draft> {
  const file = path.join(folder, 'index.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) {
    if (name === null)
      throw new ConfigError(`${folder}: there is no index.json; name it with --name.`);
    return { name, updatedAt: '', plugins: [] };
  }
  const read = await createIndexReader()(text);
  if (!read.ok) throw new ConfigError(`${file}: ${read.fault}`);
  const { publisherKey, name: known, plugins, rotations = [], revokedKeys = [] } = read.index;
  if (!(await leadsTo(publisherKey, signer.publicKey, rotations))) {
    throw new ConfigError(`${file} is signed with the key ${publisherKey}, and --key is another.`);
  }
  return { name: name ?? known, updatedAt: '', plugins, rotations, revokedKeys };
}

async function writeDraft({ folder, signer, now }: IndexFolder, draft: Draft): Promise<void> {
  await mkdir(folder, { recursive: true });
  const index = signIndex({ ...draft, updatedAt: new Date(now()).toISOString() }, signer);
  await writeWhole(path.join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

const byId = (one: IndexPlugin, other: IndexPlugin): number => (one.id < other.id ? -1 : 1);
