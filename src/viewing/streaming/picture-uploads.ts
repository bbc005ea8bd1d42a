/**
 * Pictures that admins upload for an item or an entity. Guarantee: only what a plugin with the capability
 * `pictures` made of an upload is stored. So no byte of it is decoded in the server, and nothing else
 * that the file contains, such as a place or a script, is kept.
 */
import { createHash } from 'node:crypto';
import type { Entities, Items } from '../../library/catalogue/index.ts';
import type { PictureLooks } from '../../library/catalogue/items/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { pictureType } from '../../platform/net/index.ts';
import type { MakePicture } from './sized-pictures.ts';

/** A picture that an admin sends. */
export interface PictureUpload {
  /** What it is: `poster`, `backdrop`. */
  readonly type: string;
  /** The bytes, in base64. */
  readonly image: string;
}

/** Stores uploads. */
export interface PictureUploads {
  /**
   * Shows the picture as its type at once. Gives its id. Throws `too_large`, `invalid_request` for
   * another file, and `picture_refused` for a picture that cannot be decoded.
   */
  readonly add: (itemId: string, upload: PictureUpload, viewer: Viewer) => Promise<string>;
  /** The same of an entity. */
  readonly addToEntity: (
    entityId: string,
    upload: PictureUpload,
    viewer: Viewer,
  ) => Promise<string>;
}

/** What uploads need. */
export interface PictureUploadsParts {
  readonly items: Pick<Items, 'pictures' | 'addPicture'>;
  readonly entities: Pick<Entities, 'find' | 'addPicture'>;
  readonly makePicture: MakePicture;
  readonly looks: PictureLooks;
}

/** The largest upload in bytes: what fits into one message to a plugin. */
export const largestPicture = 5 * 1024 * 1024;
/** Pixels; a larger one is made smaller. */
const width = 1920;

/** Creates it. */
export function createPictureUploads(parts: PictureUploadsParts): PictureUploads {
  const { items, entities, makePicture, looks } = parts;

  async function store(
    { type, image }: PictureUpload,
    add: (picture: Parameters<Items['addPicture']>[1]) => Promise<string>,
  ): Promise<string> {
    const bytes = Buffer.from(image, 'base64');
    if (bytes.length > largestPicture)
      throw new AppError('too_large', { what: 'image is above 5 MiB.' });
    if (!isBase64(image) || pictureType(bytes) === null)
      throw new AppError('invalid_request', {
        what: 'image must be a JPEG, PNG, GIF, WebP or AVIF picture in base64.',
      });
    const version = createHash('sha256').update(bytes).digest('hex');
    const load = async () => ({ uri: null, size: bytes.length, base64: image });
    const made = await makePicture({ version, load }, { width, format: 'webp' });
    if (made === null) {
      const why = 'No plugin makes pictures: let the plugin pictures run.';
      throw new AppError('picture_refused', { why });
    }
    const hash = createHash('sha256').update(made.bytes).digest('hex');
    const uri = `upload:${hash}`;
    const { mimeType } = made;
    const id = await add({ type, mimeType, bytes: made.bytes, uri });
    await looks.remember(uri, made);
    return id;
  }

  return {
    // First of all, since nobody learns of an item or an entity that they may not see.
    add: async (itemId, upload, viewer) => {
      await items.pictures(itemId, viewer);
      return store(upload, (picture) => items.addPicture(itemId, picture, viewer));
    },
    addToEntity: async (entityId, upload, viewer) => {
      await entities.find(entityId, viewer);
      return store(upload, (picture) => entities.addPicture(entityId, picture, viewer));
    },
  };
}

/** Node skips characters that are not base64, so such a text is refused. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
