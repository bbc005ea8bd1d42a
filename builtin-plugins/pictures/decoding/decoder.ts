import type { Orientation, Pixels } from '../pixels.ts';
import type { Size } from '../resize.ts';

/** A picture of which only the headers were read. */
export interface OpenPicture {
  /** Pixels as stored, before the orientation. */
  readonly size: Size;
  readonly orientation: Orientation;
  /** Decodes it, in any size from `target` on, up to the size as stored. */
  readonly decode: (target: Size) => Pixels | Promise<Pixels>;
}

/** Reads the headers; throws a `PictureError` for what cannot or must not be decoded. */
export type OpenFormat = (bytes: Uint8Array<ArrayBuffer>) => OpenPicture;
