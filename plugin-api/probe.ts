/** A media file to probe. */
export interface ProbeFile {
  readonly uri: string;
  /** Bytes. */
  readonly size: number;
  /** Lower case, without dot. */
  readonly extension: string;
}

/** Input of a probe: files of one library, at most 32. */
export interface ProbeInput {
  readonly libraryId: string;
  readonly libraryType: string;
  readonly files: readonly ProbeFile[];
}

/** Answer of `probe.probe`: one outcome per file, in the order of the input. */
export interface ProbeResult {
  readonly results: readonly ProbeOutcome[];
}

/**
 * The outcome for one file. `unsupported` lets the next probe try. `failed` is a fault of the file:
 * it is shown with the file and does not affect others.
 */
export type ProbeOutcome =
  | { readonly kind: 'read'; readonly report: ProbeReport }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly code: ProbeFailure; readonly message: string };

/** Why a file could not be read: invalid data, a premature end, too large a cost, or an I/O error. */
export type ProbeFailure = 'malformed' | 'truncated' | 'over-budget' | 'unreadable' | 'unsupported';

/** The technical data of a file. Unknown parts are absent. */
export interface ProbeReport {
  /** Name of the container or format in lower case: `mp4`, `matroska`, `mp3`, `jpeg`, `epub`. */
  readonly container: string;
  /** Seconds. */
  readonly duration?: number;
  /** Bits per second, over all. */
  readonly bitrate?: number;
  /** Pages of a document. */
  readonly pages?: number;
  readonly streams: readonly MediaStream[];
  readonly chapters?: readonly {
    /** Seconds. */
    readonly startTime: number;
    readonly endTime?: number;
    readonly title?: string;
  }[];
  readonly tags?: MediaTags;
  readonly replayGain?: ReplayGain;
  /** Pictures inside the file; `probe.artwork` names them by their index. */
  readonly artwork?: readonly EmbeddedArtwork[];
  /** Of a file of a DVD or a Blu-ray disc that holds a film. */
  readonly disc?: MediaDisc;
  /** A short MP4 film inside a photo, which its camera took with it. */
  readonly motion?: MediaPlace;
  /** Faults that did not stop the probe. */
  readonly warnings?: readonly string[];
}

/** Bytes of a file. */
export interface MediaPlace {
  readonly offset: number;
  readonly length: number;
}

/** What a file is on its disc, where other files of the disc say it. */
export interface MediaDisc {
  /** `main` = the film, or a part of it; `extra` = all else: menus, trailers, other titles. */
  readonly role: 'main' | 'extra';
  /** Its place among the parts of the film, from 1; absent when it is the whole film. */
  readonly part?: number;
}

/** One stream of a file, as `File.fileInfo.streams` shows it. */
export interface MediaStream {
  readonly index: number;
  readonly kind: 'video' | 'audio' | 'subtitle' | 'image' | 'data';
  /** Common short name: `h264`, `hevc`, `av1`, `aac`, `flac`, `subrip`. */
  readonly codec: string;
  readonly profile?: string;
  readonly level?: string;
  /** BCP 47, absent when the file does not say or says `und`. */
  readonly language?: string;
  readonly title?: string;
  readonly isDefault?: boolean;
  readonly isForced?: boolean;
  readonly isHearingImpaired?: boolean;
  /** Bits per second. */
  readonly bitrate?: number;
  /** Pixels, as shown (after rotation and pixel aspect). */
  readonly width?: number;
  readonly height?: number;
  /** Degrees clockwise: 0, 90, 180, 270. */
  readonly rotation?: number;
  /** Frames per second. */
  readonly frameRate?: number;
  readonly bitDepth?: number;
  readonly hdr?: 'hdr10' | 'hdr10plus' | 'hlg' | 'dolby-vision';
  /** Of Dolby Vision, where the file says it; profile 5 has no picture that other screens show. */
  readonly dolbyVisionProfile?: number;
  /** Frames may be two half pictures of different times. */
  readonly isInterlaced?: boolean;
  readonly channels?: number;
  /** Hertz. */
  readonly sampleRate?: number;
}

/**
 * What the tags of a file say of its loudness. Gains bring it to -18 LUFS, the level of ReplayGain 2,
 * in decibels from -51 to 51; peaks are in decibels of full scale, from -100 to 40.
 */
export interface ReplayGain {
  readonly trackGainDb?: number;
  readonly trackPeakDb?: number;
  readonly albumGainDb?: number;
  readonly albumPeakDb?: number;
}

/** A picture inside a file. */
export interface EmbeddedArtwork {
  /** `cover`, `back`, `artist`, … */
  readonly type: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** The tags of a file, in one vocabulary for every format. */
export interface MediaTags {
  readonly title?: string;
  readonly sortTitle?: string;
  readonly subtitle?: string;
  readonly artist?: string;
  /** When there are several. */
  readonly artists?: readonly string[];
  readonly albumArtist?: string;
  /** When there are several. */
  readonly albumArtists?: readonly string[];
  readonly album?: string;
  readonly track?: number;
  readonly trackTotal?: number;
  readonly disc?: number;
  readonly discTotal?: number;
  readonly year?: number;
  /** yyyy, yyyy-mm or yyyy-mm-dd. */
  readonly date?: string;
  readonly genres?: readonly string[];
  readonly composers?: readonly string[];
  readonly isCompilation?: boolean;
  /** Books and audiobooks. */
  readonly authors?: readonly string[];
  readonly narrators?: readonly string[];
  readonly series?: string;
  readonly volume?: number;
  /** The number of an issue of a comic, or of a chapter of a manga. */
  readonly issue?: number;
  readonly publisher?: string;
  readonly description?: string;
  readonly language?: string;
  readonly lyrics?: string;
  /** Episodes. */
  readonly show?: string;
  readonly season?: number;
  readonly episode?: number;
  /** Photos. ISO 8601 without zone when the file has none. */
  readonly takenAt?: string;
  readonly camera?: string;
  readonly lens?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  /**
   * Identifiers by provider: `musicbrainz-track`, `isbn`, `imdb`, `tmdb`, … A photo and a film of one
   * folder with the same `apple-live-photo` are one item.
   */
  readonly ids?: Readonly<Record<string, string>>;
}

/** A picture in a file. Answer of `probe.artwork`: its bytes, 8 MiB at most. */
export interface ArtworkInput {
  readonly file: ProbeFile;
  /** Index in `ProbeReport.artwork`. */
  readonly index: number;
}
