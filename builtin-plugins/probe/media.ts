/** What a reader of one format finds; `report.ts` makes the answer of it. */
import type { EmbeddedArtwork, MediaStream, MediaTags } from '../../plugin-api/index.ts';
import type { ByteSource } from './bytes/byte-source.ts';

/** A shape while it is being filled: everything may be missing still. */
export type Draft<Shape> = { -readonly [Key in keyof Shape]?: Shape[Key] | undefined };

/** A stream; its index is its place in the list when it has none of its own. */
export type StreamDraft = Draft<MediaStream> & Pick<MediaStream, 'kind' | 'codec'>;

export type TagsDraft = Draft<MediaTags>;

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
  readonly chapters?: readonly FoundChapter[] | undefined;
  readonly tags?: TagsDraft | undefined;
  readonly pictures?: readonly FoundPicture[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

/** A file that is being read. */
export interface MediaSource extends ByteSource {
  readonly extension: string;
  /** Many small places far apart. */
  readonly readPieces: (
    places: readonly { readonly offset: number; readonly length: number }[],
  ) => Promise<readonly Uint8Array[]>;
}

/** Reads one format. Throws what is wrong with the file. */
export type FormatReader = (source: MediaSource) => Promise<FoundMedia>;

/** A picture that stands in the file as it is. */
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
