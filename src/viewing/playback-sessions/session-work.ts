/** What the segments of a session are: where they begin, and how they are made. */
import type { ConversionWork } from '../transcoding/index.ts';
import { convertedCuts, frameCuts, plannedCuts, segmentsOf, type CutList } from './cut-list.ts';
import { secondsOf } from './playable-file.ts';
import type { Quality, Session, SessionTrack } from './session.ts';

/** Converted pictures have cuts of their own; sound beside a copied picture has those of the picture. */
export function cutsOf(
  { file, decided }: Pick<Session, 'file' | 'decided'>,
  quality: Quality,
): CutList {
  const isCopied = decided.tracks.some(
    ({ qualities: [best] }) => best !== undefined && 'track' in best,
  );
  const isOwn = 'video' in quality || ('audio' in quality && !isCopied);
  if (isOwn) return convertedCuts(secondsOf(file));
  const cuts = plannedCuts(file);
  const frames = 'track' in quality ? quality.track.frames : undefined;
  return frames === undefined ? cuts : frameCuts(cuts, frames);
}

/** The number of the segment at a position in seconds; after the end, the last one. */
export function segmentAt(cuts: CutList, position: number): number {
  const at = cuts.starts.findLastIndex((start) => start <= position);
  return Math.max(0, Math.min(at, segmentsOf(cuts) - 1));
}

const extensions: Readonly<Record<string, string>> = {
  'video/mp2t': 'ts',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
};

/** How the names of the segments end. Those that end with `m4s` need an init segment. */
export const extensionOf = (quality: Quality): string =>
  ('track' in quality ? extensions[quality.track.mimeType] : undefined) ?? 'm4s';

/** The best quality of the tracks that were chosen, as far as they are sent in segments. */
export const chosenTracks = ({
  decided,
  selection,
}: Pick<Session, 'decided' | 'selection'>): readonly {
  readonly track: SessionTrack;
  readonly quality: Quality;
}[] =>
  decided.tracks.flatMap((track) => {
    const [quality] = track.qualities;
    const { id } = track.track;
    const isChosen = id === selection.video || id === selection.audio;
    return isChosen && quality !== undefined ? [{ track, quality }] : [];
  });

/** What a player asks for first, at the position. */
export interface FirstPart {
  readonly track: SessionTrack;
  readonly quality: Quality;
  /** `init.mp4`, or a segment. */
  readonly name: string;
}

/** The init segments, and the segments at the position; a picture before the sound. */
export const firstParts = (
  session: Pick<Session, 'file' | 'decided' | 'selection' | 'position'>,
): readonly FirstPart[] =>
  chosenTracks(session).flatMap(({ track, quality }) => {
    const extension = extensionOf(quality);
    const n = segmentAt(cutsOf(session, quality), session.position);
    const names = extension === 'm4s' ? ['init.mp4', `${n}.m4s`] : [`${n}.${extension}`];
    return names.map((name) => ({ track, quality, name }));
  });

/** Whether all that a player asks for first is copied, so that one answer has it. */
export const areCopied = (session: Pick<Session, 'decided' | 'selection'>): boolean =>
  chosenTracks(session).every(({ quality }) => 'track' in quality);

/** The place of a track in the addresses of a session. */
export const folderOf = ({ track, quality }: Omit<FirstPart, 'name'>): string =>
  `${track.track.id}/${quality.name}`;

const convertedTimescale = 1000;

/** The conversion of a track. */
export function workOf(
  session: Pick<Session, 'id' | 'file' | 'decided'>,
  { stream }: SessionTrack,
  quality: Exclude<Quality, { track: unknown }>,
): ConversionWork {
  const { file } = session;
  const { starts, end } = cutsOf(session, quality);
  const timescale = file.index?.timescale ?? convertedTimescale;
  const units = (seconds: number): number => Math.round(seconds * timescale);
  return {
    file,
    stream: stream ?? 0,
    recipe:
      'video' in quality
        ? { kind: 'video', video: quality.video }
        : { kind: 'audio', audio: quality.audio },
    timescale,
    cuts: starts.map(units),
    duration: units(end),
    startTime: file.index?.startTime ?? 0,
    sessionId: session.id,
  };
}
