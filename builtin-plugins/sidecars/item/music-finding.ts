import type { BundleAsset, BundleEntity } from '../../../plugin-api/index.ts';
import { entitiesNamed, entity, known, roles, type Finding } from '../findings/finding.ts';
import { describedEntity, type Described } from '../nfo/described.ts';
import { readAlbum, readArtist, type Album } from '../nfo/music-nfo.ts';
import { readNfo, rootOf } from '../nfo/nfo-document.ts';
import type { Source } from './tv-finding.ts';

/** The texts in the folders of an album and of its artist. */
export interface MusicSources {
  readonly album: Source | undefined;
  readonly artist: Source | undefined;
  readonly albumPictures: readonly BundleAsset[];
  readonly artistPictures: readonly BundleAsset[];
}

/** What is already known of the track. */
export interface KnownTrack {
  readonly artist: string | undefined;
  readonly albumArtist: string | undefined;
  readonly album: string | undefined;
}

/** What album and artist say of their track, and of themselves. */
export function musicFindings(sources: MusicSources, track: KnownTrack): Finding[] {
  const album = albumOf(sources.album);
  const artist = describeArtist(sources);
  const owner = album?.artists[0]?.name ?? artist?.name ?? track.albumArtist ?? track.artist;
  const title = album?.name ?? track.album;
  const described = describeAlbum(sources, album);
  const { year, airDate } = album?.metadata ?? {};
  return [
    {
      fields: known({
        album: album?.name,
        albumArtist: album?.artists[0]?.name ?? artist?.name,
        genres: album?.genres,
        year,
        airDate,
      }),
      entities: roles({
        albumArtist: artistsOf(album, artist, owner),
        album:
          title !== undefined && described !== null
            ? [describedEntity('album', title, described, { artist: owner })]
            : [],
        genre: entitiesNamed('genre', album?.genres ?? []),
        studio: entitiesNamed('studio', album?.labels ?? []),
      }),
      assets: [...(described?.pictures ?? []), ...(artist?.pictures ?? [])],
    },
  ];
}

function albumOf(source: Source | undefined): Album | undefined {
  const element = source && rootOf(readNfo(source.text, source.path), 'album');
  return element && readAlbum(element);
}

function describeAlbum(
  { albumPictures }: MusicSources,
  album: Album | undefined,
): Described | null {
  if (album === undefined && albumPictures.length === 0) return null;
  return {
    name: album?.name ?? null,
    isComplete: album !== undefined,
    ids: album?.ids ?? {},
    metadata: album?.metadata ?? {},
    pictures: [...albumPictures, ...(album?.pictures ?? [])],
  };
}

function describeArtist({ artist: source, artistPictures }: MusicSources): Described | null {
  const document = source && readNfo(source.text, source.path);
  const element = document && rootOf(document, 'artist');
  const artist = element && readArtist(element);
  const ids = { ...document?.ids, ...artist?.ids };
  if (!artist && artistPictures.length === 0 && Object.keys(ids).length === 0) return null;
  return {
    name: artist?.name ?? null,
    isComplete: artist !== undefined,
    ids,
    metadata: artist?.metadata ?? {},
    pictures: [...artistPictures, ...(artist?.pictures ?? [])],
  };
}

/** The artists of the album; the text in the artist's own folder belongs to the one of that name. */
function artistsOf(
  album: Album | undefined,
  artist: Described | null,
  owner: string | undefined,
): readonly BundleEntity[] {
  const listed = album?.artists ?? [];
  if (artist === null || owner === undefined) return listed;
  const own = describedEntity('artist', artist.name ?? owner, artist);
  const isOwn = ({ name }: BundleEntity): boolean => name.toLowerCase() === own.name.toLowerCase();
  if (listed.length === 0) return [own];
  if (!listed.some(isOwn)) return artist.name === null ? listed : [...listed];
  return listed.map((one) => (isOwn(one) ? entity('artist', one.name, merged(own, one)) : one));
}

function merged(own: BundleEntity, listed: BundleEntity) {
  const { metadata } = own;
  return {
    status: 'complete' as const,
    ids: { ...listed.ids, ...own.ids },
    ...(metadata && { metadata }),
  };
}
