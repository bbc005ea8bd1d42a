/** MP4 in fragments, as recorders and streams leave it: walked from fragment to fragment. */
import { toCuePoints } from '../blocks/cue-points.ts';
import type { Block } from '../blocks/block.ts';
import { continueWalk } from '../blocks/key-walk.ts';
import { openBlocks } from '../blocks/open-blocks.ts';
import type { PlayedTrack } from '../blocks/played-track.ts';
import { longestPriming } from '../limits.ts';
import type { AskedFile, MediaReader, OpenMedia } from '../media/open-media.ts';
import { createWindowSource } from '../media/window-source.ts';
import { shownTracks, type Movie, type MovieTrack } from '../mp4/movie.ts';
import { formatOfDescription } from '../mp4/sample-description.ts';
import { fragmentWalker } from './fragment-blocks.ts';

const headWindow = 16 * 1024;
const mostBlocks = 2000;

/** Opens a file whose index has no samples of its own. */
export async function openFragmented(
  movie: Movie,
  reader: MediaReader,
  asked: AskedFile,
): Promise<OpenMedia> {
  const from = movie.top.find(({ type }) => type === 'moof')?.start ?? reader.size;
  const playable = shownTracks(movie.tracks).flatMap((track, stream) => {
    const kind = kindOf(track);
    return kind === undefined || track.scale === 0 ? [] : [{ track, stream, kind }];
  });
  const none = { duration: 0, size: 0, flags: 0 };
  const defaults = playable.map(({ track }) => {
    const own = movie.fragments?.get(track.id) ?? none;
    return [track.id, { ...own, editShift: track.editShift }] as const;
  });
  const walk = fragmentWalker(new Map(defaults));
  const firsts = new Map<number, Block>();
  let seen = 0;
  await walk(createWindowSource(reader, headWindow), {
    from,
    to: reader.size,
    tracks: new Set(playable.map(({ track }) => track.id)),
    visit: (block) => {
      if (!firsts.has(block.track) && block.isKey) firsts.set(block.track, block);
      return firsts.size < playable.length && ++seen < mostBlocks;
    },
  });
  const starts = playable.flatMap(({ track }) => {
    const first = firsts.get(track.id);
    return first === undefined ? [] : [Math.max(0, first.ticks) / track.scale];
  });
  const start = starts.length === 0 ? 0 : Math.min(...starts);
  const tracks = playable.map(({ track, stream, kind }): PlayedTrack => {
    const zero = Math.round(start * track.scale);
    const first = firsts.get(track.id);
    const before = kind === 'audio' ? zero - (first?.ticks ?? zero) : 0;
    // Pictures that an edit list hides would be shown.
    const isHiding = kind === 'video' && first !== undefined && first.ticks < track.shownFrom - 1;
    return {
      stream,
      kind,
      format: isHiding ? undefined : first && formatOfDescription(track.description, kind),
      number: track.id,
      scale: track.scale,
      // The samples say how long they last.
      usual: 0,
      timeOf: (ticks) => ticks - zero,
      lengthOf: (ticks) => ticks,
      first: (first?.ticks ?? zero) - zero,
      delay: Math.max(0, Math.min(before, Math.ceil(longestPriming * track.scale))),
    };
  });
  const leading = tracks.find(({ kind, format }) => kind === 'video' && format) ?? tracks[0];
  if (leading === undefined) return noTracks(reader.size);
  const fileTick = 1 / leading.scale;
  const input = { walk, track: leading.number, tracks: new Set([leading.number]), fileTick, from };
  const walked = await continueWalk(reader, asked, input);
  const parts = { tracks, leading, cues: toCuePoints(walked.points), walk, walked };
  const duration = walked.last * fileTick - start;
  return openBlocks({ ...parts, from, end: reader.size, fileTick, start, duration });
}

function kindOf({ handler }: MovieTrack): 'video' | 'audio' | undefined {
  return handler === 'vide' ? 'video' : handler === 'soun' ? 'audio' : undefined;
}

function noTracks(size: number): OpenMedia {
  return {
    tracks: [],
    cuts: Float64Array.of(0),
    duration: size,
    start: 0,
    heldBytes: 0,
    init: () => new Uint8Array(0),
    plan: () => [],
  };
}
