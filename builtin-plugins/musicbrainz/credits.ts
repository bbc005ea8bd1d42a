/** Who made a release or a track: names that are joined by phrases, such as ` feat. `. */
import type { BundleEntity, Identification } from '../../plugin-api/index.ts';
import { partOf, partsOf, present, textOf, type Part } from '../catalogue-lookup/values.ts';
import { mbidOf, source } from './catalogue.ts';

export interface CreditedArtist {
  readonly name: string;
  readonly isGuest: boolean;
  readonly entity: BundleEntity;
}

const most = 30;
const guest = /\b(feat|ft|featuring|with|guest)\b/i;

/** The artists of a credit, by their names in the first language that has one. */
export function artistsOf(
  credit: unknown,
  languages: readonly string[],
): readonly CreditedArtist[] {
  const parts = partsOf(credit).slice(0, most);
  const firstGuest = parts.findIndex((one) => guest.test(joinOf(one)));
  return parts.flatMap((one, at) => {
    const artist = partOf(one['artist']);
    const name = nameOf(one, languages);
    if (name === undefined) return [];
    const isGuest = firstGuest >= 0 && at > firstGuest;
    return [{ name, isGuest, entity: entityOf(name, artist) }];
  });
}

/** The whole credit as a text; `undefined` without names. */
export const phraseOf = (credit: unknown, languages: readonly string[]): string | undefined =>
  textOf(
    partsOf(credit)
      .slice(0, most)
      .map((one) => `${nameOf(one, languages) ?? ''}${joinOf(one)}`)
      .join(''),
  );

const joinOf = ({ joinphrase }: Part): string => (typeof joinphrase === 'string' ? joinphrase : '');

/** In a language, else the artist's own name, else as this release writes it. */
function nameOf(credit: Part, languages: readonly string[]): string | undefined {
  const artist = partOf(credit['artist']);
  const aliases = partsOf(artist['aliases']);
  const translated = languages
    .map((tag) => aliases.find((one) => localeIn(one) === tag && one['primary'] === true))
    .find((one) => one !== undefined);
  return textOf(translated?.['name']) ?? textOf(artist['name']) ?? textOf(credit['name']);
}

/** MusicBrainz writes `pt_BR`. */
const localeIn = ({ locale }: Part): string | undefined => textOf(locale)?.replaceAll('_', '-');

function entityOf(name: string, artist: Part): BundleEntity {
  const id = mbidOf(artist['id']);
  return {
    name,
    type: 'artist',
    status: 'complete',
    source,
    ...(id !== undefined && { ids: { 'musicbrainz-artist': { id } } }),
    metadata: present({
      sortTitle: textOf(artist['sort-name']),
      musicbrainzUrl: id && `https://musicbrainz.org/artist/${id}`,
    }),
  };
}

/** The artists by their roles: guests have one of their own. */
export function rolesOf(
  artists: readonly CreditedArtist[],
): NonNullable<Identification['entities']> {
  if (artists.length === 0) return {};
  const [guests, own] = [true, false].map((is) =>
    artists.filter(({ isGuest }) => isGuest === is).map(({ entity }) => entity),
  );
  return { artist: own ?? [], ...(guests?.length && { featuredArtist: guests }) };
}
