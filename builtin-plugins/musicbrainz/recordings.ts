/** Tracks without an album: recordings of MusicBrainz, of which one song often has many. */
import type { Identification } from '../../plugin-api/index.ts';
import type { Found, ListedEntry, Wanted } from '../catalogue-lookup/lookup.ts';
import type { Question } from '../catalogue-lookup/score.ts';
import { foldTitle } from '../catalogue-lookup/titles.ts';
import {
  numberOf,
  partOf,
  partsOf,
  present,
  textOf,
  textsOf,
  yearOf,
  type Part,
} from '../catalogue-lookup/values.ts';
import { mbidOf, wordsOf, type Catalogue } from './catalogue.ts';
import { artistsOf, phraseOf, rolesOf } from './credits.ts';
import { genresOf } from './genres.ts';

/** What the ids of recordings begin with, as a match has them: others are of releases. */
const prefix = 'recording:';

/** Whether a match is a recording. */
export const isRecording = (id: string): boolean => id.startsWith(prefix);

/** The recording with the id of the question, else those with its title and its artist. */
export async function searchRecordings(
  { title, question }: Wanted,
  catalogue: Catalogue,
): Promise<readonly ListedEntry[]> {
  const { recording } = question.ids ?? {};
  const own = recording === undefined ? null : await recordingOf(recording, catalogue);
  if (own !== null && recording !== undefined) {
    return [{ ...listed(own), ids: { recording } }];
  }
  const [artist] = question.people ?? [];
  const words = [title, artist ?? ''].map(wordsOf);
  if (words.includes('')) return [];
  const query = encodeURIComponent(`recording:(${words[0]}) AND artist:(${words[1]})`);
  const found = await catalogue.ask(`/ws/2/recording?query=${query}&limit=50&fmt=json`);
  return songsIn(partsOf(partOf(found)['recordings']), question);
}

/** One entry for each song of an artist, by the recording whose length is nearest. */
function songsIn(recordings: readonly Part[], question: Question): readonly ListedEntry[] {
  const wanted = question.tracks?.[0]?.duration;
  const distanceOf = (one: Part): number =>
    wanted === undefined ? 0 : Math.abs((lengthOf(one) ?? 0) - wanted);
  const known = recordings.filter(
    ({ id, title }) => mbidOf(id) !== undefined && textOf(title) !== undefined,
  );
  const songs = Map.groupBy(known, (one) =>
    [textOf(one['title']), phraseOf(one['artist-credit'], [])]
      .map((text) => foldTitle(text ?? ''))
      .join('\n'),
  );
  return [...songs.values()].flatMap((song) => {
    const [nearest] = song.toSorted((one, other) => distanceOf(one) - distanceOf(other));
    return nearest === undefined ? [] : [listed(nearest)];
  });
}

function listed(recording: Part): ListedEntry {
  const id = mbidOf(recording['id']) ?? '';
  const title = textOf(recording['title']) ?? '';
  const phrase = phraseOf(recording['artist-credit'], []);
  const names = artistsOf(recording['artist-credit'], []).map(({ name }) => name);
  const details = textOf(recording['disambiguation']);
  return {
    id: `${prefix}${id}`,
    title,
    people: phrase === undefined ? names : [phrase, ...names],
    tracks: [{ title, duration: lengthOf(recording) }],
    url: `https://musicbrainz.org/recording/${id}`,
    ...present({
      year: yearOf(recording['first-release-date']),
      overview: textOf([phrase, details].filter(Boolean).join(' · ')),
    }),
  };
}

/** Seconds. */
function lengthOf({ length }: Part): number | undefined {
  const milliseconds = numberOf(length);
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

const included = 'artist-credits+aliases+genres+isrcs';

/** All of a recording in one request; `null` = there is none. */
async function recordingOf(id: string, { ask }: Catalogue): Promise<Part | null> {
  const mbid = mbidOf(id);
  if (mbid === undefined) return null;
  const recording = partOf(await ask(`/ws/2/recording/${mbid}?inc=${included}&fmt=json`));
  return textOf(recording['title']) === undefined ? null : recording;
}

/** The identification of a file that is a recording; `null` when there is none. */
export async function writeRecording(
  { id, confidence }: Found,
  catalogue: Catalogue,
): Promise<Identification | null> {
  const recording = await recordingOf(id.slice(prefix.length), catalogue);
  if (recording === null) return null;
  const { languages } = catalogue;
  const credit = recording['artist-credit'];
  return {
    title: textOf(recording['title']) ?? '',
    metadata: present({
      artist: phraseOf(credit, languages),
      year: yearOf(recording['first-release-date']),
      ids: present({
        'musicbrainz-recording': mbidOf(recording['id']),
        isrc: textsOf(recording['isrcs'])[0],
      }),
    }),
    entities: { ...rolesOf(artistsOf(credit, languages)), ...genresOf(recording) },
    confidence,
    match: { id },
  };
}
