/** Which anime of AniList a file belongs to. */
import { each, type ListedEntry, type Lookup } from '../catalogue-lookup/lookup.ts';
import {
  addressOf,
  idOf,
  numberOf,
  partOf,
  partsOf,
  plainText,
  present,
  textOf,
  textsOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { titleOf, toIdentification, type Viewer } from './details.ts';
import { partQuery, searchQuery, type Query } from './graphql.ts';
import { placeOf } from './parts.ts';

/** AniList, and how titles and pictures are wanted. */
export interface Catalogue extends Viewer {
  readonly query: Query;
}

/** Anime of AniList, which are asked for by the name of a series. */
export function animeLookup(catalogue: Catalogue): Lookup {
  const find = async (id: number): Promise<Part> =>
    partOf((await catalogue.query(partQuery, { id }))['Media']);
  return {
    questionOf: ({ known }) => {
      const title = textOf(known?.metadata['series']);
      const anilist = idOf(partOf(known?.showIds?.['anilist'])['id']);
      const ids = anilist !== undefined && /^\d{1,9}$/.test(anilist) ? { anilist } : {};
      return title === undefined ? null : { title, year: numberOf(known?.metadata['year']), ids };
    },
    search: each(async ({ title, question: { ids = {} } }) => {
      const known = listed(ids['anilist'] ? await find(Number(ids['anilist'])) : {}, catalogue);
      if (known.length > 0) return known.map((one) => ({ ...one, ids }));
      const { Page: page } = await catalogue.query(searchQuery, { search: title });
      return partsOf(partOf(page)['media']).flatMap((one) => listed(one, catalogue));
    }),
    write: each(async ({ id, confidence, file }) => {
      const first = /^\d{1,9}$/.test(id) ? await find(Number(id)) : {};
      if (titleOf(first, catalogue) === undefined) return null;
      const place = await placeOf(first, file.known?.metadata ?? {}, find);
      if (place === null) return null;
      const title = file.known?.title ?? '';
      return toIdentification({ id, confidence, first, place, title }, catalogue);
    }),
  };
}

function listed(one: Part, catalogue: Catalogue): readonly ListedEntry[] {
  const [id, title] = [idOf(one['id']), titleOf(one, catalogue)];
  if (id === undefined || title === undefined) return [];
  const more = present({
    year: numberOf(partOf(one['startDate'])['year']),
    overview: plainText(one['description']),
    url: addressOf(one['siteUrl']),
    imageUrl: catalogue.pictureOf(partOf(one['coverImage'])['large']),
  });
  const titles = textsOf(Object.values(partOf(one['title'])));
  return [{ id, title, otherTitles: [...titles, ...textsOf(one['synonyms'])], ...more }];
}
