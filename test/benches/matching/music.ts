/** Albums that look alike, and files of them as people have them. */
import { seeded } from '../../support/seeded.ts';
import { musicbrainzReply, type MadeAlbum } from '../../support/plugins/musicbrainz.ts';
import type { MediaTags } from '../../../plugin-api/index.ts';
import {
  artistName,
  changed,
  foreignTitle,
  mistyped,
  pick,
  plainLetters,
  title,
  yearFrom,
  type Random,
} from './made-words.ts';
import { createWordIndex } from './word-index.ts';

/** A file of an album, with its tags. */
export interface MusicFile {
  readonly path: string;
  readonly album: MadeAlbum;
  /** Seconds. */
  readonly duration: number;
  readonly tags: MediaTags;
}

/** How often an album is made like one before it. */
const kinds: readonly (readonly [
  share: number,
  make: (album: MadeAlbum, random: Random) => Partial<MadeAlbum>,
])[] = [
  // The same title of another artist.
  [0.08, ({ title: same }, random) => ({ title: same, artist: artistName(random) })],
  // The single of the album.
  [
    0.06,
    ({ title: same, artist, year, tracks, seconds = 0 }) => ({
      ...{ title: same, artist, year, seconds },
      tracks: [same, tracks[0] ?? same],
    }),
  ],
  // The concert: the same songs, other lengths.
  [
    0.04,
    ({ title: same, artist, year, tracks, seconds = 0 }) => ({
      ...{ title: `${same} (Live)`, artist, year: year + 2, tracks, seconds: seconds + 40 },
    }),
  ],
  [0.04, ({ title: same, artist, year }) => ({ title: `${same} II`, artist, year: year + 3 })],
  // Another album of the artist.
  [0.2, ({ artist }) => ({ artist })],
  [0.04, (_, random) => ({ title: pick(['Greatest Hits', 'Best Of', 'Live'], random) })],
  [0.03, ({ artist }) => ({ title: artist, artist })],
];

/** Makes albums; the same ones each time. */
export function madeAlbums(count: number): readonly MadeAlbum[] {
  const random = seeded(27);
  const albums: MadeAlbum[] = [];
  for (let no = 1; no <= count; no++) {
    const before = albums.length === 0 ? undefined : pick(albums, random);
    const isForeign = random() < 0.1;
    albums.push({
      no,
      title: isForeign ? foreignTitle(random) : title(random),
      artist: artistName(random),
      year: yearFrom(random),
      tracks: Array.from({ length: 6 + Math.floor(random() * 8) }, () => title(random)),
      seconds: 120 + Math.floor(random() * 180),
      editions: random() < 0.3 ? [2005 + Math.floor(random() * 20)] : [],
      ...(before && likeness(before, random)),
    });
  }
  return albums;
}

function likeness(before: MadeAlbum, random: Random): Partial<MadeAlbum> {
  let at = random();
  for (const [share, make] of kinds) {
    if (at < share) return make(before, random);
    at -= share;
  }
  return {};
}

const albumNoises: Parameters<typeof changed<MadeAlbum>>[0] = [
  [55, (album) => album.title],
  [8, (album, random) => mistyped(album.title, random)],
  [6, (album) => album.title.toUpperCase()],
  [6, (album) => plainLetters(album.title)],
  [5, (album) => album.title.replace(/^(The|A) /, '')],
  [8, (album) => `${album.title} (Deluxe Edition)`],
  [4, (album) => `${album.title} [Remastered]`],
  [4, (album) => `${album.title} (Disc 1)`],
  [4, (album) => album.title.replace(' & ', ' and ')],
];

const artistNoises: Parameters<typeof changed<MadeAlbum>>[0] = [
  [70, (album) => album.artist],
  [8, (album) => album.artist.replace(/^The /, '')],
  [6, (album) => album.artist.replace(/^The (.*)$/, '$1, The')],
  [6, (album, random) => mistyped(album.artist, random)],
  [5, (album) => album.artist.replace(' & ', ' and ')],
  [5, (album) => album.artist.toUpperCase()],
];

/** Makes the files of so many albums; the same ones each time. */
export function musicFiles(albums: readonly MadeAlbum[], count: number): readonly MusicFile[] {
  const random = seeded(10_001);
  return Array.from({ length: count }, (_, no) => filesOf(pick(albums, random), no, random)).flat();
}

/** The files of a person's copy: all tracks, or some, with tags that are alike in all of them. */
function filesOf(album: MadeAlbum, no: number, random: Random): readonly MusicFile[] {
  const name = changed(albumNoises, album, random);
  const artist = changed(artistNoises, album, random);
  const at = random();
  const year = at < 0.1 ? undefined : at < 0.2 ? (album.editions?.[0] ?? album.year) : album.year;
  const isWhole = random() < 0.8;
  const hasTitles = random() < 0.95;
  const hasLengths = random() < 0.95;
  const hasTags = random() < 0.9;
  return album.tracks.flatMap((song, place): readonly MusicFile[] => {
    if (!isWhole && random() < 0.5) return [];
    const number = String(place + 1).padStart(2, '0');
    const called = !hasTitles ? `Track ${number}` : random() < 0.1 ? mistyped(song, random) : song;
    const tags: MediaTags = {
      title: called,
      artist,
      album: name,
      track: place + 1,
      ...(year && { year }),
    };
    const folder = `${artist} ${no}/${name}${year === undefined ? '' : ` (${year})`}`;
    return [
      {
        path: hasTags
          ? `${folder}/${number} ${called}.flac`.replaceAll(':', '')
          : `${artist}/${name}${year === undefined ? '' : ` (${year})`}/${number} - ${called}.flac`,
        album,
        duration: hasLengths ? (album.seconds ?? 180) + place + random() * 3 : 0,
        tags: hasTags ? tags : {},
      },
    ];
  });
}

/** A service without a network, which answers as MusicBrainz documents it. */
export function createMusicService(albums: readonly MadeAlbum[]): (url: URL) => unknown {
  const byTitle = createWordIndex(albums, (one) => [one.title]);
  const byBoth = createWordIndex(albums, (one) => [one.title, one.artist]);
  const bySong = createWordIndex(albums, (one) => one.tracks);
  const most = 25;
  const some = (path: string, query: string): readonly MadeAlbum[] => {
    const [, , , kind, id] = path.split('/');
    if (id !== undefined) return albums.slice(...placeOf(kind, id));
    const songs = /^recording:\((.*?)\)/.exec(query)?.[1];
    if (songs !== undefined) return bySong(songs, most);
    const [, name = '', operator, artist = ''] =
      /^release:\((.*?)\)(?: (AND|OR) artist:\((.*)\))?$/.exec(query) ?? [];
    const found = byBoth(`${name} ${artist}`, 4 * most);
    return operator === 'AND'
      ? found.slice(0, most)
      : [...new Set([...byTitle(name, most), ...found])].slice(0, most);
  };
  return ({ pathname, searchParams }) =>
    musicbrainzReply(some(pathname, searchParams.get('query') ?? ''), pathname, searchParams) ??
    null;
}

/** Where the album of an id is: releases and tracks count in tens and hundreds. */
function placeOf(kind: string | undefined, id: string): readonly [number, number] {
  const no = Number(id.slice(-12));
  const album = kind === 'release' ? Math.floor(no / 10) : Math.floor(no / 100);
  return [album - 1, album];
}
