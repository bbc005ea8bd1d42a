/** Where in what plugins say there are URIs: each is held out, and put back as it is accepted. */
import type {
  BundleAsset,
  BundleAuxiliaryFile,
  BundleEntity,
  BundleSubtitle,
} from '../../plugin-api/index.ts';

/** One URI, who named it and what for. */
export interface NamedUri {
  readonly pluginId: string;
  /** `poster`, `subtitles`, `picture of a person`. */
  readonly what: string;
  readonly uri: string;
}

/** The URI as it may stand; `null` = it may not. */
export type AcceptUri = (named: NamedUri) => string | null;

type Roles = Readonly<Record<string, readonly BundleEntity[]>>;
type Fields = Readonly<Record<string, unknown>>;

/** A longer one is no more than the plugin's own word. */
const longestWhat = 60;

/** Pictures whose URI is accepted. */
export const acceptedAssets = (
  assets: readonly BundleAsset[],
  accept: AcceptUri,
): readonly BundleAsset[] =>
  assets.flatMap((asset) => withUri(asset, asset.source, asset.type, accept));

/** Subtitles whose URI is accepted, and which belong to a file of the item. */
export const acceptedSubtitles = (
  subtitles: readonly BundleSubtitle[],
  accept: AcceptUri,
  mediaUris: ReadonlySet<string>,
): readonly BundleSubtitle[] =>
  subtitles.flatMap((subtitle): readonly BundleSubtitle[] => {
    const { mediaFileUri, source } = subtitle;
    if (mediaFileUri !== undefined && !mediaUris.has(mediaFileUri)) {
      accept({ pluginId: source, what: 'media of subtitles', uri: mediaFileUri });
      return [];
    }
    const { uri } = subtitle;
    if (uri === undefined) return [subtitle];
    return withUri({ ...subtitle, uri }, source, 'subtitles', accept);
  });

/** Files beside media whose URI is accepted. */
export const acceptedAuxiliary = (
  files: readonly BundleAuxiliaryFile[],
  accept: AcceptUri,
): readonly BundleAuxiliaryFile[] =>
  files.flatMap((file) => withUri(file, file.sourcePlugin, 'file beside media', accept));

/** Entities with those of their pictures that are accepted. */
export function acceptedEntities(roles: Roles, accept: AcceptUri): Roles {
  const kept = Object.entries(roles).map(
    ([role, list]) => [role, acceptedList(list, accept)] as const,
  );
  return kept.every(([role, list]) => roles[role] === list) ? roles : Object.fromEntries(kept);
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

function withUri<Entry extends { readonly uri: string }>(
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
