/** One track of a Matroska file, with what its blocks are found and timed by. */
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { readWhole, type Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { openMatroska, type OpenMatroska } from '../../media-headers/matroska/open-matroska.ts';
import type { MediaSource } from '../media.ts';

/** The track and its file. */
export interface MatroskaTrack {
  readonly file: OpenMatroska;
  readonly entry: Element;
  /** The number that its blocks name. */
  readonly number: number;
  /** Milliseconds of a tick. */
  readonly scale: number;
  /** The index of the file, if there is one. */
  readonly cues: Element | undefined;
}

const mostBytes = 16 * 1024 * 1024;

/** Opens the track with this place in the list of tracks; throws when the file has none there. */
export async function openTrack(source: MediaSource, index: number): Promise<MatroskaTrack> {
  const file = await openMatroska(source, [ids.info, ids.tracks, ids.cues]);
  const part = async (id: number): Promise<Element | undefined> => {
    const place = file.places.get(id);
    return place && readWhole(source, place, mostBytes);
  };
  const entry = (await part(ids.tracks))?.all(ids.trackEntry)[index];
  if (entry === undefined) throw malformed(`The file has no track number ${index}.`);
  const number = entry.uint(ids.trackNumber) ?? 0;
  const scale = ((await part(ids.info))?.uint(ids.timestampScale) ?? 1_000_000) / 1e6;
  return { file, entry, number, scale, cues: await part(ids.cues) };
}
