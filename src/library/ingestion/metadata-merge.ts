/**
 * The metadata of an item during its ingest. Each source is kept separate until the end, so that
 * the result depends on the rank of the sources and not on their order: names < tags < network
 * indexers < hooks (including sidecars). A person's edits lie over all of it and are not handled
 * here.
 */
import type {
  Bundle,
  BundleAsset,
  BundleAuxiliaryFile,
  BundleChapter,
  BundleEntity,
  BundleSubtitle,
  IdValue,
  Identification,
} from '../../../plugin-api/index.ts';
import { pathText } from '../../../kernel/index.ts';
import { mergeCertifications } from '../../people/ratings/index.ts';
import { unitedTexts, type TextsByLanguage } from '../catalogue/commit/index.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ids = Readonly<Record<string, IdValue>>;
type Roles = Readonly<Record<string, readonly BundleEntity[]>>;

/** The metadata of one source. `fields` includes the title. */
export interface SourceMetadata {
  readonly fields: Fields;
  readonly ids: Ids;
  readonly entities: Roles;
  readonly assets: readonly BundleAsset[];
}

/** A chapter with the plugin that added it. */
export interface AddedChapter extends BundleChapter {
  readonly source: string;
}

/** What plugins added through hooks, with its provenance. */
export interface Additions extends SourceMetadata {
  readonly subtitles: readonly BundleSubtitle[];
  readonly auxiliary: readonly BundleAuxiliaryFile[];
  readonly chapters: readonly AddedChapter[];
  readonly writers: readonly Writer[];
}

/** Which plugin wrote what, as `Item.provenance` shows it. */
export interface Writer {
  readonly pluginId: string;
  /**
   * `fields` (all fields without a writer of their own), `fields.year`, `ids.imdb`,
   * `entities.actor`, `fields["sidecars.tags"]`, … as `pathText` writes it
   */
  readonly path: string;
}

/** The merged metadata of all indexers. */
export interface MergedMetadata extends SourceMetadata {
  readonly title: string;
  readonly writers: readonly Writer[];
  /** Whether a source named entities; else the item keeps those that it has. */
  readonly hasEntities: boolean;
  /** Titles and summaries in the further languages of the library. */
  readonly texts: TextsByLanguage;
}

export const noAdditions: Additions = {
  fields: {},
  ids: {},
  entities: {},
  assets: [],
  subtitles: [],
  auxiliary: [],
  chapters: [],
  writers: [],
};

/** The metadata from the item's name, with the plugin that read it. */
export function metadataFromName(
  {
    title,
    metadata,
    entities,
    texts = {},
  }: Pick<Identification, 'title' | 'metadata' | 'entities' | 'texts'>,
  writers: readonly Writer[],
): MergedMetadata {
  const { ids, ...fields } = metadata;
  return {
    title,
    fields: { ...fields, title },
    ids: idsOf(ids),
    entities: entities ?? {},
    assets: [],
    writers,
    hasEntities: entities !== undefined,
    texts,
  };
}

/**
 * Merges the answer of a further indexer: it wins, key by key and role by role. The plugin that
 * read the name repeats in this answer what the name says, which replaces its first answer.
 */
export function mergeAnswer(
  named: MergedMetadata,
  answer: Identification,
  pluginId: string,
): MergedMetadata {
  const source = metadataFromName(answer, [{ pluginId, path: 'fields' }]);
  const assets = (answer.assets ?? []).map((asset) => withSource(asset, pluginId));
  if (isFirst(named, pluginId)) return { ...source, assets };
  return {
    title: answer.title,
    fields: withFields(named.fields, source.fields),
    ids: { ...named.ids, ...source.ids },
    entities: { ...named.entities, ...source.entities },
    assets: [...assets, ...named.assets],
    writers: mergeWriters(named.writers, newWriters(named, source, pluginId)),
    hasEntities: named.hasEntities || source.hasEntities,
    texts: unitedTexts(named.texts, source.texts),
  };
}

/** Whether this is the only source so far: then one entry names the plugin for all fields. */
function isFirst({ writers }: MergedMetadata, pluginId: string): boolean {
  return writers.every((writer) => writer.pluginId === pluginId);
}

function newWriters(
  named: MergedMetadata,
  source: SourceMetadata,
  pluginId: string,
): readonly Writer[] {
  const paths = [
    ...changedKeys(named.fields, source.fields).map((key) => pathText(['fields', key])),
    ...changedKeys(named.ids, source.ids).map((key) => pathText(['ids', key])),
    ...changedKeys(named.entities, source.entities).map((role) => pathText(['entities', role])),
  ];
  return paths.map((path) => ({ pluginId, path }));
}

function changedKeys(before: object, after: object): readonly string[] {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).flatMap(([key, value]) => (known.get(key) === value ? [] : [key]));
}

/** The last writer of each path. */
export function mergeWriters(
  before: readonly Writer[],
  after: readonly Writer[],
): readonly Writer[] {
  if (after.length === 0) return before;
  const later = new Set(after.map(({ path }) => path));
  return [...before.filter(({ path }) => !later.has(path)), ...after];
}

/**
 * Roles of what an item belongs to: one show, one album, which its file name may spell otherwise.
 */
const belonging: ReadonlySet<string> = new Set([
  'show',
  'season',
  'album',
  'albumArtist',
  'series',
]);

/** Merges hook additions over the metadata of indexers. */
export function mergeSources(
  named: MergedMetadata,
  added: Additions,
): SourceMetadata & { readonly writers: readonly Writer[] } {
  return {
    fields: withFields(named.fields, added.fields),
    ids: { ...named.ids, ...added.ids },
    entities: appendRoles(withoutBelonging(named.entities, added.entities), added.entities),
    assets: [...added.assets, ...named.assets],
    writers: mergeWriters(named.writers, added.writers),
  };
}

/**
 * Merges fields of a higher rank over fields. Certifications are merged per rating system: one of a
 * higher rank replaces others of its own systems only.
 */
function withFields(fields: Fields, higher: Fields): Fields {
  const certifications = [higher['certification'], fields['certification']].filter(isText);
  const certification = certifications.length < 2 ? '' : mergeCertifications(certifications);
  return { ...fields, ...higher, ...(certification !== '' && { certification }) };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Joins the additions of two hooks. */
export function joinAdditions(first: Additions, second: Additions): Additions {
  return {
    fields: { ...first.fields, ...second.fields },
    ids: { ...first.ids, ...second.ids },
    entities: appendRoles(first.entities, second.entities),
    assets: [...first.assets, ...second.assets],
    subtitles: [...first.subtitles, ...second.subtitles],
    auxiliary: [...first.auxiliary, ...second.auxiliary],
    chapters: [...first.chapters, ...second.chapters],
    writers: mergeWriters(first.writers, second.writers),
  };
}

/** Drops the roles of belonging that a source of a higher rank sets. */
function withoutBelonging(roles: Roles, added: Roles): Roles {
  const kept = Object.entries(roles).filter(([role]) => !(belonging.has(role) && role in added));
  return Object.fromEntries(kept);
}

function appendRoles(roles: Roles, added: Roles): Roles {
  const entries = Object.entries(added);
  if (entries.length === 0) return roles;
  const merged = entries.map(([role, list]): [string, readonly BundleEntity[]] => [
    role,
    [...((Object.hasOwn(roles, role) ? roles[role] : undefined) ?? []), ...list],
  ]);
  return { ...roles, ...Object.fromEntries(merged) };
}

/**
 * What a hook chain added to a bundle. Lists are only appended to. Of fields and ids those count
 * that a plugin wrote, also if the value stayed the same.
 */
export function additionsOf(
  before: Bundle,
  after: Bundle,
  provenance: readonly Writer[],
): Additions {
  const written = new Map(provenance.map(({ path, pluginId }) => [path, pluginId]));
  const writerAt = (path: string): string => written.get(path) ?? '';
  const chaptersBefore = before.chapters?.length ?? 0;
  const fields = writtenKeys(before.fields, after.fields, 'fields', written);
  const ids = writtenKeys(before.ids, after.ids, 'ids', written);
  const entities = Object.entries(after.entities).flatMap(
    ([role, list]): [string, readonly BundleEntity[]][] => {
      const known = Object.hasOwn(before.entities, role) ? before.entities[role] : undefined;
      const from = known?.length ?? 0;
      const place = pathText(['entities', role]);
      const added = list
        .slice(from)
        .map((entity, at) => withSource(entity, writerAt(`${place}[${from + at}]`)));
      return added.length === 0 ? [] : [[role, added]];
    },
  );
  return {
    fields: Object.fromEntries(fields),
    ids: Object.fromEntries(ids),
    entities: Object.fromEntries(entities),
    assets: after.assets
      .slice(before.assets.length)
      .map((asset, at) => withSource(asset, writerAt(`assets[${before.assets.length + at}]`))),
    subtitles: after.subtitles
      .slice(before.subtitles.length)
      .map((one, at) => withSource(one, writerAt(`subtitles[${before.subtitles.length + at}]`))),
    auxiliary: after.files.auxiliary.slice(before.files.auxiliary.length).map((file, at) => ({
      ...file,
      sourcePlugin: writerAt(`files.auxiliary[${before.files.auxiliary.length + at}]`),
    })),
    chapters: (after.chapters ?? [])
      .slice(chaptersBefore)
      .map((chapter, at) => ({ ...chapter, source: writerAt(`chapters[${chaptersBefore + at}]`) })),
    writers: shortWriters(provenance),
  };
}

function writtenKeys<Value>(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  collection: string,
  written: ReadonlyMap<string, string>,
): readonly [string, Value][] {
  return Object.entries(after).filter(
    ([key, value]) => before[key] !== value || written.has(pathText([collection, key])),
  );
}

/** Provenance of lists names the list only: an entry's index in a bundle has no meaning later. */
function shortWriters(provenance: readonly Writer[]): readonly Writer[] {
  const short = provenance.map(({ path, pluginId }) => ({
    pluginId,
    path: path.replace(/\[\d+\]$/, ''),
  }));
  const distinct = new Map(short.map((one) => [`${one.path}\n${one.pluginId}`, one]));
  return [...distinct.values()];
}

/**
 * Sets the source of an entry to the plugin that wrote it. References are checked against the grant
 * of their source, so a plugin that could name another plugin would use that plugin's grant.
 */
function withSource<Entry extends { readonly source: string }>(
  entry: Entry,
  pluginId: string,
): Entry {
  return entry.source === pluginId ? entry : { ...entry, source: pluginId };
}

/** Identifiers in the form of bundles: a text is an id without further fields. */
function idsOf(ids: unknown): Ids {
  if (typeof ids !== 'object' || ids === null || Array.isArray(ids)) return {};
  return Object.fromEntries(
    Object.entries(ids).flatMap(([provider, id]: [string, unknown]): [string, IdValue][] => {
      if (id === true) return [[provider, true]];
      if (typeof id === 'string') return [[provider, { id }]];
      return isIdValue(id) ? [[provider, id]] : [];
    }),
  );
}

function isIdValue(value: unknown): value is Exclude<IdValue, true> {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  );
}

/** Metadata in the form of items: an id without confidence and address is a plain text. */
export function metadataOf({ fields, ids }: Pick<SourceMetadata, 'fields' | 'ids'>): Fields {
  const metadata = Object.fromEntries(Object.entries(fields).filter(([key]) => key !== 'title'));
  const shown = Object.entries(ids).map(([provider, id]) => [provider, shownId(id)]);
  return shown.length === 0 ? metadata : { ...metadata, ids: Object.fromEntries(shown) };
}

/** Clients may make a link of the address, so it is one of the web. */
function shownId(value: IdValue): IdValue | string {
  if (value === true) return true;
  const { id, confidence, url } = value;
  const isLink = url !== undefined && /^https?:\/\//.test(url);
  if (confidence === undefined && !isLink) return id;
  return { id, ...(confidence !== undefined && { confidence }), ...(isLink && { url }) };
}
