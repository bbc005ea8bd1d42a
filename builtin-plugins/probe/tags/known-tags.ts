/**
 * Names of tags in programs (Vorbis comments, APE, iTunes' free form, ID3's TXXX), and their meaning
 * in the vocabulary of `MediaTags`.
 */
import type { TagsDraft } from '../media.ts';
import { loudnessSetters } from './replay-gain.ts';
import { dateOf, joined, listOf, numberAndTotal, positive } from './tag-words.ts';

/** The provider of the id that a live photo and its film share. */
export const livePhotoId = 'apple-live-photo';

type Setter = (tags: TagsDraft, value: string, name: string) => void;

type TextKey = {
  [Key in keyof TagsDraft]-?: string extends TagsDraft[Key] ? Key : never;
}[keyof TagsDraft];
type ListKey = 'artists' | 'albumArtists' | 'genres' | 'composers' | 'authors' | 'narrators';
type NumberKey = 'trackTotal' | 'discTotal' | 'season' | 'episode' | 'year';

/** The first value counts: later ones are repetitions or less reliable. */
const text =
  (key: TextKey): Setter =>
  (tags, value) => {
    tags[key] ??= value;
  };

const list =
  (key: ListKey): Setter =>
  (tags, value) => {
    tags[key] = joined(tags[key], listOf(value));
  };

const number =
  (key: NumberKey): Setter =>
  (tags, value) => {
    tags[key] ??= positive(value);
  };

const id =
  (provider: string): Setter =>
  (tags, value) => {
    tags.ids = { [provider]: value.trim(), ...tags.ids };
  };

const setTrack: Setter = (tags, value) => {
  const { number: track, total } = numberAndTotal(value);
  tags.track ??= track;
  tags.trackTotal ??= total;
};

const setDisc: Setter = (tags, value) => {
  const { number: disc, total } = numberAndTotal(value);
  tags.disc ??= disc;
  tags.discTotal ??= total;
};

const setDate: Setter = (tags, value) => {
  const { date, year } = dateOf(value);
  if (date === undefined || (tags.date !== undefined && tags.date.length >= date.length)) return;
  tags.date = date;
  tags.year = year;
};

/** A number such as `2` or `2.5`. */
const decimal =
  (key: 'volume' | 'issue'): Setter =>
  (tags, value) => {
    const found = Number.parseFloat(value);
    if (Number.isFinite(found) && found >= 0 && found < 100_000) tags[key] ??= found;
  };

/**
 * Several artists are separate only in formats that store them separately. The first spelling of a tag
 * counts: another one, such as `ALBUM ARTIST`, repeats the same artists in other words.
 */
function artists(one: 'artist' | 'albumArtist', several: 'artists' | 'albumArtists'): Setter {
  const spellings = new WeakMap<TagsDraft, string>();
  return (tags, value, name) => {
    const parts = value
      .split('\0')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const before = tags[one];
    if (before === undefined) {
      spellings.set(tags, name);
      tags[one] = parts.join(', ');
      if (parts.length > 1) tags[several] = joined(undefined, parts);
    } else if (spellings.get(tags) === name) {
      const names = joined(tags[several] ?? [before], parts);
      tags[one] = names.join(', ');
      if (names.length > 1) tags[several] = names;
    }
  };
}

const setters = new Map<string, Setter>(
  Object.entries({
    title: text('title'),
    titlesort: text('sortTitle'),
    sortname: text('sortTitle'),
    subtitle: text('subtitle'),
    artist: artists('artist', 'artists'),
    artists: list('artists'),
    albumartist: artists('albumArtist', 'albumArtists'),
    albumartists: list('albumArtists'),
    band: text('albumArtist'),
    album: text('album'),
    track: setTrack,
    tracknumber: setTrack,
    partnumber: setTrack,
    tracktotal: number('trackTotal'),
    totaltracks: number('trackTotal'),
    totalparts: number('trackTotal'),
    disc: setDisc,
    discnumber: setDisc,
    media: () => undefined,
    disctotal: number('discTotal'),
    totaldiscs: number('discTotal'),
    year: setDate,
    date: setDate,
    originaldate: setDate,
    releasedate: setDate,
    daterelease: setDate,
    datereleased: setDate,
    creationtime: () => undefined,
    genre: list('genres'),
    composer: list('composers'),
    compilation: (tags: TagsDraft, value: string) => {
      if (value === '1') tags.isCompilation = true;
    },
    author: list('authors'),
    writer: list('authors'),
    narrator: list('narrators'),
    narratedby: list('narrators'),
    readby: list('narrators'),
    series: text('series'),
    seriespart: decimal('volume'),
    seriesposition: decimal('volume'),
    seriesindex: decimal('volume'),
    issuenumber: decimal('issue'),
    publisher: text('publisher'),
    label: text('publisher'),
    organization: text('publisher'),
    description: text('description'),
    synopsis: text('description'),
    summary: text('description'),
    comment: text('description'),
    language: text('language'),
    lyrics: text('lyrics'),
    unsyncedlyrics: text('lyrics'),
    syncedlyrics: text('syncedLyrics'),
    show: text('show'),
    tvshow: text('show'),
    season: number('season'),
    seasonnumber: number('season'),
    tvseason: number('season'),
    episode: number('episode'),
    episodesort: number('episode'),
    tvepisode: number('episode'),
    isbn: id('isbn'),
    asin: id('asin'),
    audibleasin: id('asin'),
    cdek: id('asin'),
    imdb: id('imdb'),
    imdbid: id('imdb'),
    tmdb: id('tmdb'),
    tmdbid: id('tmdb'),
    tvdb: id('tvdb'),
    tvdb2: id('tvdb'),
    tvdbid: id('tvdb'),
    isrc: id('isrc'),
    barcode: id('barcode'),
    musicbrainztrackid: id('musicbrainz-recording'),
    musicbrainzreleasetrackid: id('musicbrainz-track'),
    musicbrainzalbumid: id('musicbrainz-release'),
    musicbrainzreleasegroupid: id('musicbrainz-release-group'),
    musicbrainzartistid: id('musicbrainz-artist'),
    musicbrainzalbumartistid: id('musicbrainz-album-artist'),
    musicbrainzworkid: id('musicbrainz-work'),
    acoustidid: id('acoustid'),
    comapplequicktimecontentidentifier: id(livePhotoId),
    ...loudnessSetters,
  }),
);

/** Tags that say one thing together: where the first is there, none of them is taken from another block. */
const together: readonly (readonly (keyof TagsDraft)[])[] = [
  ['artist', 'artists'],
  ['albumArtist', 'albumArtists'],
  ['track', 'trackTotal'],
  ['disc', 'discTotal'],
  ['date', 'year'],
];

/** Adds what a further block of tags has, and the first one does not: one kind of tag wins. */
export function addMissing(tags: TagsDraft, { ids, ...further }: TagsDraft): void {
  const taken = together.filter(([first]) => first !== undefined && tags[first] !== undefined);
  const kept = new Set<string>(taken.flat());
  const missing = Object.entries(further).filter(([name]) => !kept.has(name));
  Object.assign(tags, { ...Object.fromEntries(missing), ...tags });
  if (ids !== undefined) tags.ids = { ...ids, ...tags.ids };
}

/** Reads one tag; unknown names are skipped. */
export function setTag(tags: TagsDraft, name: string, value: string): void {
  const trimmed = value.replace(/^[\s\0]+|[\s\0]+$/g, '');
  if (trimmed === '') return;
  setters.get(name.toLowerCase().replace(/[^a-z0-9]/g, ''))?.(tags, trimmed, name);
}
