/** MusicBrainz and its archive of covers as their documentation describes them: made-up albums. */
import { hasWordOf, startMadeService, type MadeService } from './made-service.ts';

/** An album that it knows. */
export interface MadeAlbum {
  /** Makes its ids. */
  readonly no: number;
  readonly title: string;
  readonly artist: string;
  /** Makes the id of the artist; that of the album when absent. */
  readonly artistNo?: number;
  readonly year: number;
  /** Titles of the tracks; each is a second longer than the one before. */
  readonly tracks: readonly string[];
  /** Seconds of the first track. */
  readonly seconds?: number;
  /** Years of later editions of the same album, with a track more each. */
  readonly editions?: readonly number[];
  /** `Official` unless it says otherwise. */
  readonly status?: 'Official' | 'Bootleg';
  /** Whether the archive has a cover: of the first edition, or of another one. */
  readonly cover?: 'own' | 'other' | 'none';
  /** The name of the artist in a language. */
  readonly alias?: { readonly locale: string; readonly name: string };
}

/** An id of MusicBrainz. */
export const mbid = (kind: 'release' | 'group' | 'artist' | 'track', no: number): string =>
  `${{ release: 'a', group: 'b', artist: 'c', track: 'd' }[kind]}0000000-0000-4000-8000-${String(no).padStart(12, '0')}`;

/** The answer to a path and a query. */
export function musicbrainzReply(
  albums: readonly MadeAlbum[],
  path: string,
  query: URLSearchParams,
): unknown {
  const [, , , kind, id] = path.split('/');
  if (path.startsWith('/release-group/')) return archiveReply(albums, path);
  const releases = albums.flatMap(releasesOf);
  if (kind === 'recording') return recordingReply(releases, id, query);
  if (kind !== 'release') return undefined;
  if (id === undefined) return found(releases, query);
  if (!/^[\da-f-]{36}$/.test(id)) return 400;
  const release = releases.find((one) => one.id === id);
  return release && whole(release);
}

/** Starts it, with both services at one address; `picture` is what it sends for each cover. */
export const startMusicbrainz = (
  albums: readonly MadeAlbum[],
  picture: Uint8Array,
): Promise<MadeService> =>
  startMadeService({
    picture,
    pictures: '/release/',
    notFound: { error: 'Not Found' },
    answer: ({ path, query }) => musicbrainzReply(albums, path, query),
  });

interface Release {
  readonly id: string;
  readonly album: MadeAlbum;
  readonly year: number;
  readonly tracks: readonly string[];
  readonly isFirst: boolean;
}

const releasesOf = (album: MadeAlbum): readonly Release[] =>
  [album.year, ...(album.editions ?? [])].map((year, at) => ({
    id: mbid('release', album.no * 10 + at),
    album,
    year,
    tracks: [...album.tracks, ...Array.from({ length: at }, (_, no) => `Extra ${no + 1}`)],
    isFirst: at === 0,
  }));

/** What the fields of a query ask for: one word in common is enough. */
function found(releases: readonly Release[], query: URLSearchParams): unknown {
  const words = query.get('query') ?? '';
  const group = /^rgid:(\S+)$/.exec(words)?.[1];
  const [, title, operator, artist = ''] =
    /^release:\((.*?)\)(?: (AND|OR) artist:\((.*)\))?$/.exec(words) ?? [];
  const fits = ({ album }: Release): boolean => {
    if (group !== undefined) return mbid('group', album.no) === group;
    const isTitle = hasWordOf(album.title, title ?? '');
    const isArtist = hasWordOf(album.artist, artist);
    return operator === 'AND' ? isTitle && isArtist : isTitle || isArtist;
  };
  const listed = releases.filter(fits).map((one) => ({ score: 90, ...brief(one) }));
  return { created: '2026-01-01T00:00:00.000Z', count: listed.length, offset: 0, releases: listed };
}

const credit = ({ artist, artistNo, alias, no }: MadeAlbum): readonly object[] => [
  {
    name: artist,
    joinphrase: '',
    artist: {
      id: mbid('artist', artistNo ?? no),
      name: artist,
      'sort-name': artist.split(' ').reverse().join(', '),
      disambiguation: '',
      aliases: alias === undefined ? [] : [{ ...alias, primary: true, type: 'Artist name' }],
    },
  },
];

const brief = ({ id, album, year, tracks }: Release): object => ({
  id,
  title: album.title,
  status: album.status ?? 'Official',
  date: `${year}-05-06`,
  country: 'GB',
  'track-count': tracks.length,
  'artist-credit': credit(album),
  'release-group': {
    id: mbid('group', album.no),
    title: album.title,
    'primary-type': 'Album',
  },
  media: [{ format: 'CD', 'track-count': tracks.length }],
});

function whole(release: Release): object {
  const { album, tracks, isFirst } = release;
  const { 'track-count': count, ...rest } = brief(release) as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    'release-group': {
      ...(rest['release-group'] as object),
      'first-release-date': `${album.year}-05`,
      genres: [
        { name: 'sea shanty', count: 1 },
        { name: 'jazz', count: 4 },
      ],
    },
    'label-info': [{ label: { name: 'Pier Records' } }],
    'cover-art-archive': {
      artwork: isFirst,
      front: isFirst && (album.cover ?? 'own') === 'own',
      back: false,
    },
    media: [
      {
        position: 1,
        'track-count': count,
        tracks: tracks.map((title, at) => ({
          id: mbid('track', album.no * 100 + at),
          number: `A${at + 1}`,
          position: at + 1,
          title,
          length: ((album.seconds ?? 180) + at) * 1000,
          'artist-credit': credit(album),
          recording: {
            id: mbid('track', album.no * 100 + at + 50),
            title,
            isrcs: [],
            length: null,
          },
        })),
      },
    ],
  };
}

/** The recordings of first editions, by a search or an id; `length` is only what the track says. */
function recordingReply(
  releases: readonly Release[],
  id: string | undefined,
  query: URLSearchParams,
): unknown {
  const recordings = releases
    .filter(({ isFirst }) => isFirst)
    .flatMap(({ album, tracks }) =>
      tracks.map((title, at) => ({
        id: mbid('track', album.no * 100 + at + 50),
        title,
        length: ((album.seconds ?? 180) + at) * 1000,
        'artist-credit': credit(album),
        'first-release-date': `${album.year}-05-06`,
        isrcs: ['GBAAA7100001'],
        genres: [],
      })),
    );
  if (id !== undefined) return recordings.find((one) => one.id === id);
  const [, title = ''] = /^recording:\((.*?)\) AND artist:/.exec(query.get('query') ?? '') ?? [];
  const found = recordings.filter((one) => hasWordOf(one.title, title));
  return { count: found.length, offset: 0, recordings: found };
}

/** The archive lists pictures of a group only if one of its releases has some. */
function archiveReply(albums: readonly MadeAlbum[], path: string): unknown {
  const album = albums.find(({ no }) => path === `/release-group/${mbid('group', no)}`);
  return album?.cover === 'other' ? { images: [{ front: true, types: ['Front'] }] } : undefined;
}
