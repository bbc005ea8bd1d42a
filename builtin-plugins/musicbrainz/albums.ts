/** Which album of MusicBrainz a track belongs to. */
import type { IndexFile } from '../../plugin-api/index.ts';
import { each, type ListedEntry, type Lookup, type Wanted } from '../catalogue-lookup/lookup.ts';
import { rank, type Question } from '../catalogue-lookup/score.ts';
import {
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { mbidOf, wordsOf, type Catalogue } from './catalogue.ts';
import { toIdentification } from './details.ts';
import { artistIn, idIn, isSameAlbum, trackOf } from './tagged-file.ts';
import { isRecording, searchRecordings, writeRecording } from './recordings.ts';
import { albumsIn, listedRelease, tracksOfRelease } from './releases.ts';

/** Albums of MusicBrainz with each of their tracks, and tracks of which no album is known. */
export function albumLookup(catalogue: Catalogue): Lookup {
  return {
    questionOf,
    search: each(async (wanted) => {
      const found = isLoose(wanted.question) ? await searchRecordings(wanted, catalogue) : [];
      return found.length > 0 ? found : search(wanted, catalogue);
    }),
    write: each(async (found) => {
      const { id, confidence, file } = found;
      if (isRecording(id)) return writeRecording(found, catalogue);
      const release = await releaseOf(id, catalogue);
      return release && toIdentification({ release, file, confidence }, catalogue);
    }),
  };
}

function questionOf(file: IndexFile, batch: readonly IndexFile[]): Question | null {
  const facts = file.known?.metadata ?? {};
  const album = textOf(facts['album']);
  const ids = present({
    release: idIn(file, 'musicbrainz-release', 'musicbrainz-album'),
    releaseGroup: idIn(file, 'musicbrainz-release-group'),
    recording: idIn(file, 'musicbrainz-recording'),
  }) as Readonly<Record<string, string>>;
  const artist = artistIn(facts);
  if (album === undefined && artist === undefined && Object.keys(ids).length === 0) return null;
  const plain = album?.replace(editionWords, '').trim();
  return {
    title: album ?? file.known?.title ?? '',
    otherTitles: plain === undefined || plain === '' || plain === album ? [] : [plain],
    year: numberOf(facts['year']),
    people: artist === undefined ? [] : [artist],
    tracks: batch.filter((other) => isSameAlbum(file, other)).map(trackOf),
    ids,
    metadata: present({
      album,
      trackTotal: file.tags?.trackTotal,
      discTotal: file.tags?.discTotal,
    }),
  };
}

/** Whether neither an album nor a release is known. */
const isLoose = ({ metadata, ids = {} }: Question): boolean =>
  metadata?.['album'] === undefined && !('release' in ids || 'releaseGroup' in ids);

/** What shops add to the title of an album: `(Deluxe Edition)`, `[Disc 2]`. */
const editionWords =
  /[ -]*[([][^()[\]]*\b(edition|version|remaster(ed)?|deluxe|bonus|disc|cd|explicit|ep|single)\b[^()[\]]*[)\]]/gi;

async function search(wanted: Wanted, catalogue: Catalogue): Promise<readonly ListedEntry[]> {
  const { question } = wanted;
  const { release, releaseGroup } = question.ids ?? {};
  if (release !== undefined) {
    const found = await releaseOf(release, catalogue);
    if (found !== null) return [{ ...listedRelease(found), id: release, ids: { release } }];
  }
  if (releaseGroup !== undefined) {
    const found = await albums(`rgid:${releaseGroup}`, question, catalogue);
    if (found.length > 0) return found;
  }
  // The title of a track says nothing of an album; what a person typed may be one.
  const isOfTrack = question.metadata?.['album'] === undefined && question.tracks !== undefined;
  return isOfTrack ? [] : withTracks(question, await named(wanted, catalogue), catalogue);
}

/** By title and artist; where nothing has both, by either. */
async function named(
  { title, question }: Wanted,
  catalogue: Catalogue,
): Promise<readonly ListedEntry[]> {
  const [artist] = question.people ?? [];
  const words = wordsOf(title);
  if (words === '') return [];
  const whole = artist === undefined ? '' : ` AND artist:(${wordsOf(artist)})`;
  const found = await albums(`release:(${words})${whole}`, question, catalogue);
  if (found.length > 0) return found;
  return albums(`release:(${words}) OR artist:(${words})`, question, catalogue);
}

async function albums(
  query: string,
  question: Question,
  { ask }: Catalogue,
): Promise<readonly ListedEntry[]> {
  const path = `/ws/2/release?query=${encodeURIComponent(query)}&limit=50&fmt=json`;
  return albumsIn(partsOf(partOf(await ask(path))['releases']), question);
}

/** So many albums of one search are looked at, where titles do not tell them apart. */
const mostLookedAt = 3;

/**
 * Adds the track lists to the entries that may be it: they tell an album from a single. Entries that
 * may be it and are too many to be looked at are left out.
 */
async function withTracks(
  question: Question,
  entries: readonly ListedEntry[],
  catalogue: Catalogue,
): Promise<readonly ListedEntry[]> {
  if ((question.tracks ?? []).length === 0) return entries;
  const ranked = rank(question, entries, (one) => one);
  const least = Math.max(0.15, (ranked[0]?.confidence ?? 0) - 0.25);
  const near = ranked.filter(({ confidence }) => confidence >= least).map(({ entry }) => entry);
  const looked: ListedEntry[] = [];
  for (const entry of near.slice(0, mostLookedAt)) {
    const release = await releaseOf(entry.id, catalogue);
    if (release !== null) looked.push({ ...entry, tracks: tracksOfRelease(release) });
  }
  return [...looked, ...entries.filter((entry) => !near.includes(entry))];
}

const included = 'recordings+artist-credits+aliases+release-groups+labels+genres+isrcs';

/** All of a release in one request; `null` = there is none. */
async function releaseOf(id: string, { ask }: Catalogue): Promise<Part | null> {
  const mbid = mbidOf(id);
  if (mbid === undefined) return null;
  const release = partOf(await ask(`/ws/2/release/${mbid}?inc=${included}&fmt=json`));
  return textOf(release['title']) === undefined ? null : release;
}
