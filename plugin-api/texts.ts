import type { ProbeFailure, ProbeFile } from './probe.ts';

/** Why a text was not converted: a format that is not converted, or a {@link ProbeFailure}. */
export type TextFailureCode = ProbeFailure | 'unsupported';

/** A fault of the text or of its file; the message is shown to clients. */
export interface TextFailure {
  readonly kind: 'failed';
  readonly code: TextFailureCode;
  readonly message: string;
}

/** A text, in its own format and encoding. */
export interface TextSource {
  /** The file that is the text or contains it; `null` when there is none. */
  readonly uri: string | null;
  /** Bytes of the text. */
  readonly size: number;
  /** The text; `null` when the file is the text: then the plugin reads it. */
  readonly base64: string | null;
}

/** Input of `texts.convert`. */
export interface TextInput {
  readonly source: TextSource;
  /** What the name of the file or its container says: `srt ass vtt ttml smi sub lrc`. The content decides. */
  readonly format: string;
  /** BCP 47, if known. It helps to find the encoding. */
  readonly language: string | null;
  /** Frames per second of the film, for formats that count frames; `null` when unknown. */
  readonly frameRate: number | null;
  /** WebVTT, or ASS as it is. */
  readonly to: 'vtt' | 'ass';
  /**
   * Milliseconds that are added to each time; 0 when absent. What ends before 0 is left
   * out: players count from the start of what they play.
   */
  readonly shiftMs?: number;
}

/** Input of `texts.lyrics`. */
export type LyricsInput = Pick<TextInput, 'source' | 'language'>;

/** Answer of `texts.lyrics`: the lines in order; `startMs` is 0 in lyrics without times. */
export interface LyricsResult {
  readonly kind: 'made';
  /** Whether the lines have times. */
  readonly synced: boolean;
  readonly lines: readonly { readonly startMs: number; readonly text: string }[];
}

/**
 * Input of `probe.text`: the index of a stream, or the lyrics in the tags. Answer: the text in UTF-8,
 * at most 5 MiB, as a document in the form that it would have beside the file: SubRip, ASS, WebVTT,
 * TTML or LRC.
 */
export interface EmbeddedTextInput {
  readonly file: ProbeFile;
  readonly part: number | 'lyrics';
}

/** Input of `probe.subtitle`: a part of a subtitle that is pictures (PGS). */
export interface EmbeddedSubtitleInput {
  /** The media file, or a `.sup` file beside it, with the extension of the media file. */
  readonly file: ProbeFile;
  /** The index of the stream; 0 of a `.sup` file. */
  readonly part: number;
  /** Milliseconds of the file; what is shown before is left out. */
  readonly fromMs: number;
  /** Milliseconds that are added to each time of the answer. */
  readonly shiftMs: number;
}

/** Answer of `probe.subtitle`. */
export interface EmbeddedSubtitle {
  readonly kind: 'read';
  /** Segments as in a `.sup` file: at most 6 MiB, whole display sets, in the order of their times. */
  readonly base64: string;
  /** Milliseconds of the file from which the next part is asked for; `null` = there is none. */
  readonly nextMs: number | null;
}

/** Answer of `probe.fonts`: the fonts in a file, by their places in it. */
export interface EmbeddedFonts {
  readonly fonts: readonly {
    readonly name: string;
    /** Bytes from the start of the file. */
    readonly offset: number;
    readonly length: number;
  }[];
}
