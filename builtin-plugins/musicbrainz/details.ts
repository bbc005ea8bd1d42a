/** What MusicBrainz says of a track and its album, as the server keeps it. */
import type { BundleEntity, Identification, IndexFile } from '../../plugin-api/index.ts';
import { nearestTrack } from '../catalogue-lookup/track-list.ts';
import {
  partOf,
  partsOf,
  present,
  textOf,
  textsOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { mbidOf, source, type Catalogue } from './catalogue.ts';
import { coversOf } from './covers.ts';
import { artistsOf, phraseOf, rolesOf } from './credits.ts';
import { genresOf } from './genres.ts';
import { idIn, trackOf } from './tagged-file.ts';
import { tracksOfRelease, type ListedTrack } from './releases.ts';

/** A release, and the file that is one of its tracks. */
export interface FoundTrack {
  readonly release: Part;
  readonly file: IndexFile;
  readonly confidence: number;
}

/** The identification. A file that is not on the list keeps its own title. */
export async function toIdentification(
  { release, file, confidence }: FoundTrack,
  catalogue: Catalogue,
): Promise<Identification | null> {
  const id = mbidOf(release['id']);
  const album = textOf(release['title']);
  if (id === undefined || album === undefined) return null;
  const { languages } = catalogue;
  const track = trackIn(release, file);
  const credit = track?.part['artist-credit'] ?? partOf(track?.part['recording'])['artist-credit'];
  const makers = artistsOf(release['artist-credit'], languages);
  const albumArtist = phraseOf(release['artist-credit'], languages);
  const covers = await coversOf(release, catalogue);
  return {
    title: track?.title ?? file.known?.title ?? album,
    metadata: present({
      artist: phraseOf(credit, languages),
      albumArtist,
      album,
      year: yearIn(release),
      disc: track?.disc,
      track: track?.track,
      ids: idsOf(release, track),
    }),
    entities: {
      ...rolesOf(artistsOf(credit, languages)),
      ...(makers.length > 0 && { albumArtist: makers.map(({ entity }) => entity) }),
      album: [albumEntity(release, { file, albumArtist, covers })],
      ...genresOf(release),
      ...labelsOf(release),
    },
    confidence,
    match: { id },
  };
}

/** The track by its id, else by its title, its length and its place. */
function trackIn(release: Part, file: IndexFile): ListedTrack | undefined {
  const tracks = tracksOfRelease(release);
  const [own, recording] = [idIn(file, 'musicbrainz-track'), idIn(file, 'musicbrainz-recording')];
  const byId =
    tracks.find(({ part }) => own !== undefined && part['id'] === own) ??
    tracks.find(({ part }) => recording !== undefined && recordingOf(part)['id'] === recording);
  if (byId !== undefined) return byId;
  const near = nearestTrack(trackOf(file), tracks);
  return near !== undefined && near.likeness >= 0.55 ? near.track : undefined;
}

const recordingOf = (track: Part): Part => partOf(track['recording']);

/** The year in which the album came out, also for a later edition. */
const yearIn = (release: Part): number | undefined =>
  yearOf(partOf(release['release-group'])['first-release-date']) ?? yearOf(release['date']);

function idsOf(release: Part, track: ListedTrack | undefined): Part {
  const recording = recordingOf(track?.part ?? {});
  return present({
    'musicbrainz-release': mbidOf(release['id']),
    'musicbrainz-release-group': mbidOf(partOf(release['release-group'])['id']),
    'musicbrainz-track': mbidOf(track?.part['id']),
    'musicbrainz-recording': mbidOf(recording['id']),
    isrc: textsOf(recording['isrcs'])[0],
  });
}

interface AlbumParts {
  readonly file: IndexFile;
  readonly albumArtist: string | undefined;
  readonly covers: Readonly<Record<string, string>>;
}

/**
 * The album is the one that all releases share, so that its files are together whichever release
 * each of them is found in. Files that name their release themselves belong to just that one.
 */
function albumEntity(release: Part, { file, albumArtist, covers }: AlbumParts): BundleEntity {
  const id = mbidOf(release['id']) ?? '';
  const group = mbidOf(partOf(release['release-group'])['id']);
  const isNamed = idIn(file, 'musicbrainz-release', 'musicbrainz-album') === id;
  const ids =
    group === undefined || isNamed
      ? { 'musicbrainz-album': { id } }
      : { 'musicbrainz-release-group': { id: group } };
  return {
    name: textOf(release['title']) ?? '',
    type: 'album',
    status: 'complete',
    source,
    ids,
    metadata: present({
      artist: albumArtist,
      year: yearIn(release),
      musicbrainzUrl: `https://musicbrainz.org/release/${id}`,
      assets: Object.keys(covers).length === 0 ? undefined : covers,
    }),
  };
}

function labelsOf(release: Part): NonNullable<Identification['entities']> {
  const names = partsOf(release['label-info']).flatMap(({ label }) => {
    const name = textOf(partOf(label)['name']);
    return name === undefined || name === '[no label]' ? [] : [name];
  });
  const labels = [...new Set(names)].map((name) => named(name, 'studio'));
  return labels.length === 0 ? {} : { studio: labels };
}

const named = (name: string, type: string): BundleEntity => ({
  name,
  type,
  status: 'complete',
  source,
});
