import { textOf, type XmlElement } from '../xml/xml-element.ts';

/** Whether the document is locked. */
export function isLocked(element: XmlElement): boolean {
  return textOf(element, 'lockdata')?.toLowerCase() === 'true';
}

const people = ['actor', 'director', 'writer', 'producer', 'composer', 'conductor', 'lyricist'];

/** The names of fields in Jellyfin and Emby, with our names. */
const pathsByName: Readonly<Record<string, readonly string[]>> = {
  cast: people.map((role) => `entities.${role}`),
  collections: ['entities.collection'],
  communityrating: ['fields.rating', 'fields.votes'],
  genres: ['fields.genres', 'entities.genre'],
  name: ['fields.title'],
  officialrating: ['fields.certification'],
  originaltitle: ['fields.originalTitle'],
  overview: ['fields.overview'],
  productionlocations: ['fields.countries'],
  runtime: ['fields.duration'],
  sortname: ['fields.sortTitle'],
  studios: ['fields.studios', 'entities.studio'],
  tagline: ['fields.tagline'],
  tags: ['fields.tags'],
};

/** Paths of the fields that `<lockedfields>Name|Cast</lockedfields>` names; unknown names are ignored. */
export function lockedPaths(names: readonly string[]): string[] {
  const paths = names.flatMap((name) => {
    const key = name.trim().toLowerCase();
    return Object.hasOwn(pathsByName, key) ? (pathsByName[key] ?? []) : [];
  });
  return [...new Set(paths)];
}
