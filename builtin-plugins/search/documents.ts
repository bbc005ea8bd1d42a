import type { IndexedItem, TextDocument } from '../../plugin-api/index.ts';
import { otherSpellings } from './words.ts';

/** The version of the documents. Another version makes a new index: see follower.ts. */
export const documentsVersion = 3;

const longestTitle = 1000;
const longestBody = 4000;
/** Names by which an item is found beside its title, the best first. */
const bodyKeys = [
  'originalTitle',
  'series',
  'artist',
  'albumArtist',
  'album',
  'author',
  'bookSeries',
  'narrator',
  'year',
  'edition',
] as const;

/** The document of an item. Its id is the item's. */
export function itemDocument(item: IndexedItem): TextDocument {
  const { metadata } = item;
  const words = new Set(item.otherTitles ?? []);
  for (const key of bodyKeys) addText(words, metadata[key]);
  addText(words, metadata['genres']);
  for (const { type, name, scope } of item.entities)
    if (type !== 'season' && scope === undefined) addText(words, name);
  words.add(episodeCode(metadata['season'], metadata['episode']));
  words.delete(item.title);
  for (const title of [item.title, ...(item.otherTitles ?? [])])
    for (const spelling of otherSpellings(title)) words.add(spelling);
  words.delete('');
  return {
    id: item.id,
    scope: item.scope,
    kind: 'item',
    title: item.title.slice(0, longestTitle),
    body: [...words].join(' · ').slice(0, longestBody),
  };
}

/**
 * The documents of the entities that an item links to. An entity belongs to no library, but a viewer
 * of some libraries finds only what is in them: so there is one document for each library with items
 * of it, in the partition that the library names.
 */
export function entityDocuments(item: IndexedItem): readonly TextDocument[] {
  const albumArtist = item.entities.find(({ role }) => role === 'albumArtist' || role === 'artist');
  return item.entities.map((entity) => {
    const title = entity.type === 'season' ? seasonTitle(item, entity.name) : entity.name;
    const around = entity.type === 'album' && albumArtist !== undefined ? [albumArtist.name] : [];
    const also = entity.searchTerms === undefined ? [] : [entity.searchTerms];
    return {
      id: entityDocumentId({ entityId: entity.id, libraryId: item.libraryId }),
      scope: entity.scope ?? item.libraryId,
      kind: 'entity',
      title: title.slice(0, longestTitle),
      body: [...around, ...also, ...otherSpellings(title)].join(' · ').slice(0, longestBody),
    };
  });
}

/** The document of an entity in a library. */
export function entityDocumentId(one: {
  readonly entityId: string;
  readonly libraryId: string;
}): string {
  return `${one.entityId}@${one.libraryId}`;
}

/** The entity that a document of kind `entity` is about. */
export function entityIdOf(documentId: string): string {
  const at = documentId.lastIndexOf('@');
  return at < 0 ? documentId : documentId.slice(0, at);
}

/** `Season 1` alone is not enough: it gets the name of its series. */
function seasonTitle(item: IndexedItem, name: string): string {
  const { series } = item.metadata;
  return typeof series === 'string' && !name.includes(series) ? `${series} ${name}` : name;
}

function addText(words: Set<string>, value: unknown): void {
  if (typeof value === 'string') words.add(value);
  else if (typeof value === 'number') words.add(String(value));
  else if (Array.isArray(value)) for (const part of value.slice(0, 50)) addText(words, part);
}

function episodeCode(season: unknown, episode: unknown): string {
  if (typeof season !== 'number' || typeof episode !== 'number') return '';
  const pad = (value: number): string => (value < 10 ? `0${value}` : String(value));
  return `S${pad(season)}E${pad(episode)}`;
}
