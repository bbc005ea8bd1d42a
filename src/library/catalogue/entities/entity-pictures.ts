/** Pictures of entities: those that plugins name, and those that `Entity.assets` shows. */
import type { EntityPictureRow, EntityRow } from '../tables/entity-store.ts';
import { isMap, parseMap } from '../tables/rows.ts';

/** A picture as a plugin names it. */
export interface Picture {
  readonly type: string;
  readonly uri: string;
  readonly aspect: string | null;
}

const mostPictures = 20;
const longestUri = 16_384;
const pictureType = /^[a-z][a-z0-9-]{0,39}$/;
const anyUri = /^[a-z][a-z0-9+.-]*:\S+$/i;
const aspects: readonly unknown[] = ['square', 'portrait', 'landscape'];

/** Metadata keys that hold pictures. */
export const pictureKeys: ReadonlySet<string> = new Set(['assets', 'imageUrl']);

/**
 * The pictures in an entity's metadata: `assets` maps a type to an address or `{uri, aspect?}`;
 * `imageUrl` is the one picture of a person.
 */
export function picturesOf(metadata: Readonly<Record<string, unknown>>): readonly Picture[] {
  const { assets, imageUrl } = metadata;
  const named = isMap(assets) ? Object.entries(assets).slice(0, mostPictures) : [];
  const pictures = named.flatMap(([type, value]) =>
    isMap(value) ? toPicture(type, value['uri'], value['aspect']) : toPicture(type, value, null),
  );
  return [...pictures, ...toPicture('thumbnail', imageUrl, 'portrait')];
}

function toPicture(type: string, uri: unknown, aspect: unknown): readonly Picture[] {
  const isUri = typeof uri === 'string' && uri.length <= longestUri && anyUri.test(uri);
  if (!pictureType.test(type) || !isUri) return [];
  return [{ type, uri, aspect: aspects.includes(aspect) ? String(aspect) : null }];
}

/** The pictures that an admin chose: an address by type, null for none. */
export function chosenPictures(row: Pick<EntityRow, 'edits'>): Readonly<Record<string, unknown>> {
  const { assets } = parseMap(row.edits);
  return isMap(assets) ? assets : {};
}

/** Shows a picture of an entity, unless an admin chose another one. */
export function showPicture(row: EntityRow, picture: Omit<EntityPictureRow, 'entity_no'>): void {
  if (Object.hasOwn(chosenPictures(row), picture.type)) return;
  const assets = { ...parseMap(row.assets), [picture.type]: `/api/assets/${picture.id}` };
  const shapes = new Map(Object.entries(parseMap(row.asset_aspects)));
  if (picture.aspect === null) shapes.delete(picture.type);
  else shapes.set(picture.type, picture.aspect);
  row.assets = JSON.stringify(assets);
  row.asset_aspects = shapes.size === 0 ? null : JSON.stringify(Object.fromEntries(shapes));
}
