/** A media file whose index was read: its tracks, its cuts, and a plan for each segment. */
import type { FileReader, FrameTimes, ProbeFile } from '../../../plugin-api/index.ts';
import type { TrackFormat } from '../formats/track-format.ts';
import type { Part } from './packets.ts';

/** Reads the file; each call has a reader with a budget of its own. */
export type MediaReader = Pick<FileReader, 'size' | 'read' | 'readPieces'>;

/** A file that is asked for, with what the server kept of it. */
export interface AskedFile {
  readonly file: ProbeFile;
  readonly state: string | null;
  /** Whether a file without an index is walked on. */
  readonly mayWalk: boolean;
}

/** Bits per second of a track in its segments. */
export interface TrackRates {
  /** Of the largest segment, by its own duration. */
  readonly largest?: number;
  readonly average?: number;
  /** Of the key pictures that begin segments. */
  readonly keys?: number;
}

/** A track of pictures or sound. */
export interface MediaTrack {
  /** The index of its stream, as the probe reports it. */
  readonly stream: number;
  readonly kind: 'video' | 'audio';
  /** `undefined` when its packets cannot be copied. */
  readonly format: TrackFormat | undefined;
  readonly rates?: TrackRates | undefined;
  /** Of packed sound: when its frames begin. */
  readonly frames?: FrameTimes | undefined;
}

/** The segment that is asked for, in seconds from the start of the session. */
export interface AskedSegment {
  /** From 0. */
  readonly number: number;
  readonly start: number;
  /** Infinite for the last one. */
  readonly end: number;
  /** Only the key picture with which it begins. */
  readonly isKeyOnly: boolean;
}

/** A file that is understood. It keeps no reader. */
export interface OpenMedia {
  readonly tracks: readonly MediaTrack[];
  /** Seconds from the start of the session at which segments begin; the first is 0. */
  readonly cuts: Float64Array;
  /** Seconds from the start of the session to the end of its longest track. */
  readonly duration: number;
  /** Seconds in the file at which the session starts. */
  readonly start: number;
  /** What later calls need of a walk through the file, and whether the walk is done. */
  readonly walk?: { readonly state: string; readonly isComplete: boolean } | undefined;
  /** Bytes of memory that it holds. */
  readonly heldBytes: number;
  /** The init segment; empty for a form without one. */
  readonly init: (track: MediaTrack) => Uint8Array;
  /** The parts of a segment, in their order. */
  readonly plan: (
    track: MediaTrack,
    asked: AskedSegment,
    reader: MediaReader,
  ) => Promise<readonly Part[]> | readonly Part[];
}

/** Two times that are closer than this are the same cut, in seconds. */
export const sameCut = 0.0006;
