import type { MediaStream, ProbeFailure, ProbeFile } from './probe.ts';

/** Why a file or a track cannot be played by plan: a format without a plan, or a {@link ProbeFailure}. */
export type TranscodeFailureCode = ProbeFailure | 'unsupported';

/** A fault of the file; the message is shown to clients. */
export interface TranscodeFailure {
  readonly kind: 'failed';
  readonly code: TranscodeFailureCode;
  readonly message: string;
}

/** Input of `transcode.index`. */
export interface TranscodeIndexInput {
  readonly file: ProbeFile;
  /** The `state` of the last answer, when that was not complete; else `null`. */
  readonly state: string | null;
}

/**
 * Answer of `transcode.index`: what is in the file, and where it is cut. It depends on the bytes of
 * the file only: the server stores it for the file's content, and asks again only for another
 * content, another version of the plugin, or an answer that is not complete.
 *
 * Times are whole numbers of `1 / timescale` seconds since the start of the session. Time 0 of a
 * session is the earliest presentation time of all tracks in `tracks`; the plugin subtracts it from
 * all times, in cuts and in segments alike.
 */
export interface TranscodeIndex {
  readonly kind: 'read';
  /** Pictures and sound that the plugin knows, at most 500. Text tracks do not belong here. */
  readonly tracks: readonly TranscodeTrack[];
  /** Units of `cuts` and `duration` in a second, 1 to 1 000 000 000. */
  readonly timescale: number;
  /**
   * Where the segments of all tracks start: ascending, at most 100 000, the first is 0. With pictures
   * each later cut is the presentation time of a keyframe. Segment `n` lasts from `cuts[n]` to
   * `cuts[n + 1]`, the last one to `duration`. The first three cuts come as soon as a keyframe is 1 s
   * after the last cut, the later ones after 2 s. Sound without pictures is cut at any frames.
   */
  readonly cuts: readonly number[];
  /** The end of the last track, since time 0; an estimate while the index is not complete. */
  readonly duration: number;
  /** The time in the file that is 0 in the session, in units; it may be negative. */
  readonly startTime: number;
  /**
   * `false` when the file has no index, and not all of it was walked: the server calls again with
   * `state` until it is complete. `cuts` are all cuts known so far, and no known cut ever moves.
   */
  readonly isComplete: boolean;
  /**
   * What the plugin needs in later calls for this file, in a form that only it understands: places of
   * segments found by walking. The server stores it and passes it in each call. At most 1 MiB;
   * `null` when the file has an index that is read quickly.
   */
  readonly state: string | null;
}

/** One track of pictures or sound, as its segments carry it. Unknown parts are absent. */
export interface TranscodeTrack {
  /** Names the track in addresses: `^[a-z0-9][a-z0-9-]{0,31}$`, such as `v0` or `a2`. */
  readonly id: string;
  /** Index of the stream in the file: that of {@link MediaStream}. */
  readonly stream: number;
  readonly kind: 'video' | 'audio';
  /** The type of its segments without codecs: `video/mp4`, `audio/mp4`, `video/mp2t`, `audio/mpeg`. */
  readonly mimeType: string;
  /**
   * The `codecs` parameter (RFC 6381) of its segments: `avc1.640028`, `mp4a.40.2`, `ac-3`. It may be
   * empty for a track that is not copied.
   */
  readonly codecs: string;
  /** Whether the plugin plans segments of it. `false`: the track is known, but only conversion plays it. */
  readonly canCopy: boolean;
  /** BCP 47. */
  readonly language?: string;
  readonly title?: string;
  readonly isDefault?: boolean;
  readonly isForced?: boolean;
  readonly isHearingImpaired?: boolean;
  /** Pixels, as shown. */
  readonly width?: number;
  readonly height?: number;
  /** Frames per second. */
  readonly frameRate?: number;
  /** The transfer function (RFC 8216bis, section 4.4.6.2, `VIDEO-RANGE`). */
  readonly videoRange?: 'SDR' | 'PQ' | 'HLG';
  readonly bitDepth?: number;
  readonly channels?: number;
  /** Hertz. */
  readonly sampleRate?: number;
  /**
   * Of packed sound (`audio/mpeg`) with frames of one length: when they begin. Its segments have no
   * init segment, and players place them at the start that the playlist says. With it the playlist
   * names the first frame at or after each cut.
   */
  readonly frames?: FrameTimes;
  /** Bits per second of the largest segment, by its own duration. */
  readonly bandwidth?: number;
  /** Bits per second over all. */
  readonly averageBandwidth?: number;
  /** Bits per second of the keyframes alone: the sum of those that begin segments, by the duration. */
  readonly keyframeBandwidth?: number;
}

/** When the frames of a track begin: at `first`, and each `length` before and after it. */
export interface FrameTimes {
  /** Units of `first` and `length` in a second, 1 to 1 000 000 000; mostly the sample rate. */
  readonly timescale: number;
  /** A frame begins here, in units since time 0; it may be negative. */
  readonly first: number;
  /** Units of one frame: at least 1, at most a second. */
  readonly length: number;
}

/** Input of `transcode.init`: a track of the index, and the `state` of the index. */
export interface TranscodeInitInput {
  readonly file: ProbeFile;
  readonly state: string | null;
  /** Id of the track. */
  readonly track: string;
}

/**
 * Input of `transcode.segment`. The cuts are those of the stored index, so that an answer fits to the
 * playlist that clients have, also after the plugin restarted.
 */
export interface TranscodeSegmentInput extends TranscodeInitInput {
  /** Number of the segment, from 0. */
  readonly n: number;
  /** `timescale` of the index, and the start and end of the segment in its units. */
  readonly timescale: number;
  readonly start: number;
  readonly end: number;
  /** Only the keyframe with which the segment begins, as one fragment, for fast scrubbing. */
  readonly keyframeOnly?: true;
}

/** A part of the file; with `inserts`, a part of the plan's `inserts`. */
export type SegmentPiece =
  | readonly [offset: number, length: number]
  | readonly [offset: number, length: number, from: 'inserts'];

/**
 * Answer of `transcode.init` and `transcode.segment`: the bytes to send. First `head`, then the pieces
 * in their order. The server copies them from the file to the client without looking at them.
 *
 * The server refuses a plan with a piece that is not inside the file (or inside `inserts`), with more
 * than 20 000 pieces, or with more than 64 MiB in all. An init segment needs no pieces.
 */
export interface SegmentPlan {
  readonly kind: 'planned';
  /** Base64, at most 2 MiB of bytes: boxes that the plugin made, up to the header of `mdat`. */
  readonly head: string;
  /** Base64, at most 1 MiB of bytes: what must stand between pieces and is not in the file. */
  readonly inserts?: string;
  readonly pieces: readonly SegmentPiece[];
}

/** How a track is played: the file itself, its samples in new segments, converted, or not at all. */
export type TrackWay = 'direct' | 'copy' | 'convert' | 'refuse';

/** Why a track or a file is not played directly. */
export type PlaybackReason =
  | 'container'
  | 'video_codec'
  | 'video_level'
  | 'bit_depth'
  | 'hdr'
  | 'audio_codec'
  | 'channels'
  | 'bitrate'
  | 'subtitle_burn'
  | 'interlaced'
  | 'server_speed';

/** What a client can play. Types are MIME types with `codecs`, as it tested them. */
export interface PlaybackClient {
  /** What `MediaSource.isTypeSupported` accepts. */
  readonly mse: readonly string[];
  /** What `canPlayType` accepts for whole files. */
  readonly src: readonly string[];
  /** Pixels, bits per second × 1000, and channels; `null` = no limit. */
  readonly maxHeight: number | null;
  readonly maxKbps: number | null;
  readonly maxChannels: number | null;
  /** The kinds of HDR that its screen shows. */
  readonly hdr: readonly NonNullable<MediaStream['hdr']>[];
}

/** A selected stream, as the probe and the index describe it. */
export interface PlaybackStream extends MediaStream {
  /** Its track in the index; `null` when no plugin plans it. */
  readonly track: TranscodeTrack | null;
}

/** Input of `transcode.decide`: what was selected to play, where, and what the server can do. */
export interface TranscodeDecideInput {
  /** `ProbeReport.container`. */
  readonly container: string;
  /** Bits per second of the whole file. */
  readonly bitrate: number | null;
  /** The type with codecs with which the client tested the file; `null` when it has none. */
  readonly fileType: string | null;
  /** Selected pictures and sound, and a subtitle stream that must be burnt in. */
  readonly streams: readonly PlaybackStream[];
  readonly client: PlaybackClient;
  /**
   * Decibels that bring the sound to -18 LUFS without a peak of 0 dB, for a client that applies no gain:
   * `gainDb` of its recipes. 0 for other clients. Nothing is converted for it alone.
   */
  readonly gainDb: number;
  readonly policy: {
    /** `auto` takes the cheapest way; others force one. */
    readonly mode: 'auto' | 'direct' | 'remux' | 'convert';
  };
  readonly machine: {
    /** Whether conversion is available. */
    readonly converts: boolean;
    /** Pixels of the highest picture that it converts in time; `null` = unknown. */
    readonly maxHeight: number | null;
  };
}

/** How to convert pictures, in words. No argument of a program is ever made of a plugin's text. */
export interface VideoRecipe {
  readonly codec: 'h264' | 'hevc' | 'av1';
  /** Pixels, 144 to 2160, even. */
  readonly height: number;
  /** 100 to 80 000. */
  readonly kbps: number;
  /** HDR to SDR. */
  readonly toneMap: boolean;
  readonly deinterlace: boolean;
  /** Index of the subtitle stream to burn in; `null` = none. */
  readonly burn: number | null;
}

/** How to convert sound, in words. */
export interface AudioRecipe {
  readonly codec: 'aac' | 'opus' | 'flac';
  /** 1 to 8. */
  readonly channels: number;
  /** 32 to 2000. */
  readonly kbps: number;
  /** -24 to 24. */
  readonly gainDb: number;
}

/** How a session is converted: a closed set of words and numbers. */
export interface ConversionRecipe {
  readonly video?: VideoRecipe;
  readonly audio?: AudioRecipe;
}

/** Answer of `transcode.decide`: one entry for each stream of the input. */
export interface TranscodeDecision {
  readonly tracks: readonly {
    /** `index` of the stream. */
    readonly stream: number;
    readonly way: TrackWay;
    /** Why it is not played directly; empty for `direct`. */
    readonly reasons: readonly PlaybackReason[];
    /** Only and always with `convert`: the part for the kind of the stream. */
    readonly recipe?: ConversionRecipe;
  }[];
}
