/** A format that pictures are made in. */
export type PictureFormat = 'jpeg' | 'webp' | 'avif';

/**
 * Why no picture was made: a format that is not decoded, invalid data, a premature end, too large a
 * cost, or a file that cannot be read.
 */
export type PictureFailure =
  | 'unsupported'
  | 'malformed'
  | 'truncated'
  | 'over-budget'
  | 'unreadable';

/** A picture. */
export interface PictureFile {
  /** The file that is the picture or contains it; `null` when it came from the network. */
  readonly uri: string | null;
  /** Bytes. */
  readonly size: number;
  /** The bytes of the picture; `null` when they are too many for a message: then `uri` is the picture. */
  readonly base64: string | null;
}

/** Input of `pictures.make`. */
export interface PictureInput {
  readonly source: PictureFile;
  /** Pixels. A picture that is narrower keeps its size. */
  readonly width: number;
  readonly format: PictureFormat;
}

/** Answer of `pictures.make`. `failed` is a fault of the picture; its message is shown to clients. */
export type PictureResult =
  | {
      readonly kind: 'made';
      /** The size of the source as shown, after its orientation. */
      readonly source: { readonly width: number; readonly height: number };
      /** Pixels of what was made. */
      readonly width: number;
      readonly height: number;
      /** The bytes of the picture. */
      readonly base64: string;
      /** The mean colour, `#rrggbb`. */
      readonly color: string;
      /** A blurred copy in some 25 bytes, base64: https://evanw.github.io/thumbhash. */
      readonly thumbhash: string;
    }
  | { readonly kind: 'failed'; readonly code: PictureFailure; readonly message: string };
