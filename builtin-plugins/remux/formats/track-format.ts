import type { TranscodeTrack } from '../../../plugin-api/index.ts';

/** How the packets of a track are written into fragments of MP4. */
export interface TrackFormat {
  /** The codec as the probe names it: `h264`, `aac`. */
  readonly codecName: string;
  /** RFC 6381: `avc1.640028`. */
  readonly codec: string;
  /** The sample entry, a whole box. */
  readonly entry: Uint8Array;
  /** The type of its segments without codecs; that of MP4 when absent. */
  readonly mimeType?: string;
  /** What fills holes in sound. */
  readonly silence?: Silence | undefined;
  readonly about: FormatAbout;
}

/** A packet of silence. */
export interface Silence {
  readonly packet: Uint8Array;
  /** How long it lasts. */
  readonly seconds: number;
  /** Whether all packets of the codec last as long as this one. */
  readonly isUsual: boolean;
}

/** What players choose by. */
export type FormatAbout = Partial<
  Pick<
    TranscodeTrack,
    'width' | 'height' | 'frameRate' | 'videoRange' | 'bitDepth' | 'channels' | 'sampleRate'
  >
>;

/** Boxes that an entry may also have: colours, the form of a pixel, Dolby Vision. */
export interface VideoShape {
  readonly width: number;
  readonly height: number;
  /** The transfer function by number (ISO/IEC 23091-2), if the container names it. */
  readonly transfer?: number | undefined;
  readonly extras?: readonly Uint8Array[] | undefined;
}

/** What an entry says of sound. */
export interface SoundShape {
  readonly channels: number;
  readonly sampleRate: number;
  readonly bitDepth?: number | undefined;
}
