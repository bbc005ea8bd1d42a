import type { Readable } from 'node:stream';
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import type { PlayedFile } from './played-file.ts';

/** What is converted: one stream of a file, by one recipe, cut at these places. */
export interface ConversionWork {
  readonly file: PlayedFile;
  /** Index of the stream in the file. */
  readonly stream: number;
  readonly recipe:
    | { readonly kind: 'video'; readonly video: VideoRecipe }
    | { readonly kind: 'audio'; readonly audio: AudioRecipe };
  /** Where segments start, in units of `1 / timescale` seconds since time 0 of the session. */
  readonly timescale: number;
  readonly cuts: readonly number[];
  /** The end of the last segment, in units. */
  readonly duration: number;
  /** The time in the file that is 0 in the session, in units. */
  readonly startTime: number;
  /** The session that needs it. A conversion that no session needs is ended. */
  readonly sessionId: string;
}

/** Something that was converted. */
export interface ConvertedPart {
  /** Bytes. */
  readonly size: number;
  /** Names the content, as an entity tag without quotes. */
  readonly tag: string;
  readonly body: Readable;
}

/** The conversion of media. Only this part of the server runs a program on media. */
export interface Conversions {
  /** Why nothing can be converted, in words for people; `null` when it can. */
  readonly missing: () => string | null;
  /** The height of the highest picture that the machine converts in time; `null` = not known. */
  readonly maxHeight: () => number | null;
  /** Measures that height where it is not known; takes about two seconds, and never rejects. */
  readonly learn: () => Promise<void>;
  /** The init segment, in fragmented MP4. */
  readonly init: (work: ConversionWork) => Promise<ConvertedPart>;
  /** Segment `n`. It waits until the segment is there; throws `transcode_failed` when it never is. */
  readonly segment: (work: ConversionWork, n: number) => Promise<ConvertedPart>;
  /** Seconds of film that are converted for the session in a second; `null` = not known yet. */
  readonly rateOf: (sessionId: string) => number | null;
  /** The session is paused, plays on, or has ended. */
  readonly told: (sessionId: string, state: 'playing' | 'paused' | 'ended') => void;
}
