/** How loud the sound of a file is (EBU R 128). */
import { isMap } from '../tables/rows.ts';
import type { Loudness } from '../../../contract/resources/library/catalogue.ts';

/** As it is stored. A file that changed since then is measured again. */
export interface StoredLoudness {
  /** Bytes of the file that was measured. */
  readonly size: number;
  /** Unix milliseconds of the file that was measured. */
  readonly modifiedAt: number;
  /** Null = it cannot be measured: it is silent, or cannot be read. */
  readonly lufs: number | null;
  readonly peak: number | null;
  readonly albumGain: number | null;
}

/** LUFS. */
const level = -18;

/** The gain that brings sound of this loudness to the level; of a gain, the loudness. */
export const gainOf = (lufs: number): number => Math.round((level - lufs) * 100) / 100;

/** What a column says; null for none. */
export function parseLoudness(text: string | null): StoredLoudness | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (!isMap(value)) return null;
  const number = (key: string): number | null =>
    typeof value[key] === 'number' ? value[key] : null;
  const [size, modifiedAt] = [number('size'), number('modifiedAt')];
  if (size === null || modifiedAt === null) return null;
  return {
    size,
    modifiedAt,
    lufs: number('lufs'),
    peak: number('peak'),
    albumGain: number('albumGain'),
  };
}

/**
 * As players get it: as it was measured; as the tags say where it was not, or only another size of the
 * file was; null where nothing is known.
 */
export function shownLoudness(
  { loudness, size }: { readonly loudness: string | null; readonly size: number },
  replayGain: unknown,
): Loudness | null {
  const tagged = taggedLoudness(replayGain);
  const stored = parseLoudness(loudness);
  if (stored === null || stored.size !== size) return tagged;
  const { lufs, peak, albumGain } = stored;
  if (lufs === null || peak === null) return tagged;
  return {
    integratedLufs: lufs,
    truePeakDb: peak,
    trackGainDb: gainOf(lufs),
    albumGainDb: albumGain ?? tagged?.albumGainDb ?? null,
  };
}

/** From `fileInfo.replayGain`; null without the gain of the file. */
function taggedLoudness(replayGain: unknown): Loudness | null {
  if (!isMap(replayGain)) return null;
  const { trackGainDb, trackPeakDb, albumGainDb } = replayGain;
  if (typeof trackGainDb !== 'number') return null;
  return {
    integratedLufs: gainOf(trackGainDb),
    truePeakDb: typeof trackPeakDb === 'number' ? trackPeakDb : null,
    trackGainDb,
    albumGainDb: typeof albumGainDb === 'number' ? albumGainDb : null,
  };
}

/** One measured sound of an album. */
export interface Measured {
  readonly lufs: number;
  /** Seconds. */
  readonly duration: number;
}

/** The gain of an album: that of its mean energy, each sound by its length. */
export function albumGainOf(sounds: readonly Measured[]): number | null {
  const seconds = sounds.reduce((sum, { duration }) => sum + duration, 0);
  if (seconds <= 0) return null;
  const energy = sounds.reduce((sum, { lufs, duration }) => sum + 10 ** (lufs / 10) * duration, 0);
  return gainOf(10 * Math.log10(energy / seconds));
}
