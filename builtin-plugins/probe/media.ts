/** The findings of a reader; `report.ts` turns them into the answer. */
import type {
  EmbeddedArtwork,
  MediaDisc,
  MediaPlace,
  MediaTags,
  ReplayGain,
} from '../../plugin-api/index.ts';
import type { ByteSource } from '../media-headers/bytes/byte-source.ts';
import type { Draft, StreamDraft } from '../media-headers/stream-draft.ts';

export type { Draft, StreamDraft };

/** Tags, with lyrics that have times, as LRC, and what they say of the loudness. */
export type TagsDraft = Draft<MediaTags> & {
  syncedLyrics?: string | undefined;
  replayGain?: ReplayGain | undefined;
};

/** A picture, and how to get its bytes. */
export interface FoundPicture extends EmbeddedArtwork {
  readonly load: () => Uint8Array | Promise<Uint8Array>;
}

export interface FoundChapter {
  readonly startTime: number;
  readonly endTime?: number | undefined;
  readonly title?: string | undefined;
}

export interface FoundMedia {
  readonly container: string;
  readonly duration?: number | undefined;
  readonly bitrate?: number | undefined;
  readonly pages?: number | undefined;
  readonly streams: readonly StreamDraft[];
  /** The ids of the packets of the streams, in their order. */
  readonly packets?: readonly number[] | undefined;
  /** The first time in the file, in seconds of its clock. */
  readonly firstTime?: number | undefined;
  readonly disc?: MediaDisc | undefined;
  readonly motion?: MediaPlace | undefined;
  readonly chapters?: readonly FoundChapter[] | undefined;
  readonly tags?: TagsDraft | undefined;
  readonly pictures?: readonly FoundPicture[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** A file that is being read. */
export interface MediaSource extends ByteSource {
  readonly extension: string;
  /** Many small reads far apart. */
  readonly readPieces: (
    places: readonly { readonly offset: number; readonly length: number }[],
  ) => Promise<readonly Uint8Array[]>;
}

/** Reads one format. Throws an error about the file. */
export type FormatReader = (source: MediaSource) => Promise<FoundMedia>;

/** A picture that is stored in the file without encoding. */
export function storedPicture(
  source: ByteSource,
  place: { readonly offset: number; readonly length: number },
  { type, mimeType }: { readonly type: string; readonly mimeType: string },
): FoundPicture {
  return {
    type,
    mimeType,
    size: place.length,
    load: () => source.read(place.offset, place.length),
  };
}
