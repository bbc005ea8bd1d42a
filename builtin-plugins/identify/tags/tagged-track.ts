import type { BundleEntity, Identification, MediaTags } from '../../../plugin-api/index.ts';
import { compact } from '../kinds/identify-context.ts';
import { pendingEntity } from '../kinds/pending-entity.ts';
import { foldTitle } from '../reading/characters.ts';
import { nameValues } from './name-values.ts';
import { commonMetadata, entitiesFor } from './tag-metadata.ts';

/** A track: its tags, and its name where it has no tags. */
export function taggedTrack(
  named: Identification,
  tags: MediaTags,
  { beside }: { readonly beside: readonly MediaTags[] },
): Identification {
  const fromName = nameValues(named);
  const ofTrack = tags.artist ?? tags.artists?.join(', ');
  const ofAlbum = tags.albumArtist ?? tags.albumArtists?.join(', ');
  const artist = ofTrack ?? ofAlbum ?? fromName.text('artist');
  const album = tags.album ?? fromName.text('album');
  const albumArtist =
    album === undefined
      ? undefined
      : (ofAlbum ??
        sharedArtist(tags, beside, fromName.text('albumArtist')) ??
        albumArtistOf(tags, artist, fromName.text('albumArtist')));
  const year = tags.year ?? fromName.number('year');
  const albumArtists = albumArtist === undefined ? [] : (tags.albumArtists ?? [albumArtist]);
  const artists = tags.artists ??
    (ofTrack === undefined ? tags.albumArtists : undefined) ?? [artist];
  return {
    ...named,
    title: tags.title ?? named.title,
    metadata: compact({
      ...named.metadata,
      ...commonMetadata(tags, named.metadata),
      artist,
      albumArtist,
      album,
      year,
      disc: tags.disc ?? fromName.number('disc'),
      track: tags.track ?? fromName.number('track'),
    }),
    entities: {
      ...entitiesFor('artist', 'artist', artists),
      ...entitiesFor('albumArtist', 'artist', albumArtists),
      ...albumEntity(album, albumArtist, year),
      ...entitiesFor('genre', 'genre', tags.genres),
      ...entitiesFor('composer', 'person', tags.composers),
    },
    confidence: tags.title === undefined ? (named.confidence ?? 0.5) : 0.95,
  };
}

/**
 * Whose an album is of which the tracks in one folder name several artists: the one of the folder, the
 * one with whom all are named first, the one of more than half of them, else it is a sampler.
 */
function sharedArtist(
  tags: MediaTags,
  beside: readonly MediaTags[],
  named: string | undefined,
): string | undefined {
  const all = [tags, ...beside].flatMap((one) => one.artist ?? one.artists?.join(', ') ?? []);
  const folded = all.map(foldTitle);
  if (tags.isCompilation === true || new Set(folded).size < 2) return undefined;
  if (named !== undefined && all.some((one) => isLedBy(one, named))) return named;
  const shortest = all.reduce((one, other) => (other.length < one.length ? other : one));
  if (all.every((one) => isLedBy(one, shortest))) return shortest;
  const most = all.find(
    (name) => folded.filter((one) => one === foldTitle(name)).length * 2 > all.length,
  );
  return most ?? 'Various Artists';
}

/** The folder names the album artist when the tags name only the artist of a track, who may have guests. */
function albumArtistOf(
  tags: MediaTags,
  artist: string | undefined,
  named: string | undefined,
): string | undefined {
  if (tags.isCompilation === true || named === 'Various Artists') return 'Various Artists';
  if (tags.artist === undefined || named === undefined) return artist ?? named;
  if (foldTitle(tags.artist) === foldTitle(named)) return tags.artist;
  return isLedBy(tags.artist, named) ? named : tags.artist;
}

/** What stands between an artist and guests. */
const guests =
  /^\s*(?:[,;&+/(]|(?:feat|ft|featuring|with|and|mit|und|avec|et|con|y|e|og|och|en|x|vs)\b)/i;

/** Whether the artist is the other one, alone or before guests: `Ed & Jon` by `Ed`, and `Ed Sher` not. */
function isLedBy(artist: string, lead: string): boolean {
  if (foldTitle(artist) === foldTitle(lead)) return true;
  const [whole, start] = [artist.toLowerCase(), lead.toLowerCase()];
  return whole.startsWith(start) && guests.test(whole.slice(start.length));
}

function albumEntity(
  album: string | undefined,
  artist: string | undefined,
  year: number | undefined,
): Readonly<Record<string, readonly BundleEntity[]>> {
  return album === undefined ? {} : { album: [pendingEntity('album', album, { artist, year })] };
}
