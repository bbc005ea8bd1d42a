/**
 * The places of URIs in what plugins say: each URI is passed to a check, and replaced by its
 * result.
 */
import type { BundleAsset, BundleAuxiliaryFile, BundleEntity } from '../../../plugin-api/index.ts';

/** A URI with its plugin and its purpose. */
export interface NamedUri {
  readonly pluginId: string;
  /** `poster`, `subtitles`, `picture of a person`. */
  readonly what: string;
  readonly uri: string;
}

/** The URI to store; `null` = refused. */
export type AcceptUri = (named: NamedUri) => string | null;

type Roles = Readonly<Record<string, readonly BundleEntity[]>>;
type Fields = Readonly<Record<string, unknown>>;

/** Longer texts of plugins are cut in log lines. */
const longestWhat = 60;

/** Pictures with an accepted URI. */
export const acceptedAssets = (
  assets: readonly BundleAsset[],
  accept: AcceptUri,
): readonly BundleAsset[] =>
  assets.flatMap((asset) => withUri(asset, asset.source, asset.type, accept));

/** Auxiliary files with an accepted URI. */
export const acceptedAuxiliary = (
  files: readonly BundleAuxiliaryFile[],
  accept: AcceptUri,
): readonly BundleAuxiliaryFile[] =>
  files.flatMap((file) => withUri(file, file.sourcePlugin, 'file beside media', accept));

/** Entities, with only accepted pictures. */
export function acceptedEntities(roles: Roles, accept: AcceptUri): Roles {
  const kept = Object.entries(roles).map(
    ([role, list]) => [role, acceptedList(list, accept)] as const,
  );
  return kept.every(([role, list]) => roles[role] === list) ? roles : Object.fromEntries(kept);
}

/** Entities whose metadata passed a filter, apart from pictures, whose URIs are judged. */
export function freeEntities(roles: Roles, filter: (metadata: Fields) => Fields): Roles {
  const free = (entity: BundleEntity): BundleEntity => {
    const { assets, imageUrl, ...rest } = entity.metadata ?? {};
    const kept = filter(rest);
    if (kept === rest) return entity;
    const pictures = {
      ...(assets !== undefined && { assets }),
      ...(imageUrl !== undefined && { imageUrl }),
    };
    return { ...entity, metadata: { ...kept, ...pictures } };
  };
  const all = Object.entries(roles).map(([role, list]) => [role, list.map(free)] as const);
  const isSame = all.every(([role, list]) => list.every((one, at) => one === roles[role]?.[at]));
  return isSame ? roles : Object.fromEntries(all);
}

function acceptedList(list: readonly BundleEntity[], accept: AcceptUri): readonly BundleEntity[] {
  const kept = list.map((entity) => acceptedEntity(entity, accept));
  return kept.every((one, at) => one === list[at]) ? list : kept;
}

function acceptedEntity(entity: BundleEntity, accept: AcceptUri): BundleEntity {
  const { metadata, source } = entity;
  if (metadata === undefined) return entity;
  const { assets, imageUrl } = metadata;
  const take = (what: string, uri: unknown): string | null =>
    typeof uri === 'string' ? accept({ pluginId: source, what: shortened(what), uri }) : null;
  const kept: Record<string, unknown> = { ...metadata };
  if (typeof imageUrl === 'string')
    replace(kept, 'imageUrl', take('picture of an entity', imageUrl));
  if (isMap(assets)) kept['assets'] = acceptedPictures(assets, take);
  return isSame(kept, metadata) ? entity : { ...entity, metadata: kept };
}

function acceptedPictures(
  pictures: Fields,
  take: (what: string, uri: unknown) => string | null,
): Fields {
  const entries = Object.entries(pictures).flatMap(([type, picture]): [string, unknown][] => {
    const { uri } = isMap(picture) ? picture : { uri: picture };
    const taken = take(`${type} of an entity`, uri);
    if (taken === null) return [];
    if (taken === uri) return [[type, picture]];
    return [[type, isMap(picture) ? { ...picture, uri: taken } : taken]];
  });
  const kept = Object.fromEntries(entries);
  return isSame(kept, pictures) ? pictures : kept;
}

function replace(map: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null) Reflect.deleteProperty(map, key);
  else map[key] = value;
}

const isSame = (one: Fields, other: Fields): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);

/** The entry with its accepted URI. */
export function withUri<Entry extends { readonly uri: string }>(
  entry: Entry,
  pluginId: string,
  what: string,
  accept: AcceptUri,
): readonly Entry[] {
  const uri = accept({ pluginId, what: shortened(what), uri: entry.uri });
  if (uri === null) return [];
  return [uri === entry.uri ? entry : { ...entry, uri }];
}

const shortened = (what: string): string => what.slice(0, longestWhat);

const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
