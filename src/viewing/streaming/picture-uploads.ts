/**
 * Pictures that admins upload for an item or an entity, and people for a profile. Guarantee: only what a plugin with the capability
 * `pictures` made of an upload is stored. So no byte of it is decoded in the server, and nothing else
 * that the file contains, such as a place or a script, is kept.
 */
import { createHash } from 'node:crypto';
import type { Entities, Items } from '../../library/catalogue/index.ts';
import type { PictureLooks } from '../../library/catalogue/items/index.ts';
import type { Profiles } from '../../people/profiles/index.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import { AppError } from '../../platform/errors.ts';
import { pictureType } from '../../platform/net/index.ts';
import type { MakePicture, SizedPicture } from './sized-pictures.ts';
import {
  largestPictureMib,
  type PictureUpload,
} from '../../contract/resources/library/pictures.ts';
import type { Profile } from '../../contract/resources/accounts/profiles.ts';

/** Stores uploads. */
export type PictureUploads = ReturnType<typeof createPictureUploads>;

export interface PictureUploadsParts {
  readonly items: Pick<Items, 'pictures' | 'addPicture'>;
  readonly entities: Pick<Entities, 'find' | 'addPicture'>;
  readonly profiles: Pick<Profiles, 'open' | 'setAvatar'>;
  readonly makePicture: MakePicture;
  readonly looks: PictureLooks;
}

/** MiB; everybody may upload these. */
const largestAvatarMib = 1;
/** Pixels; a larger one is made smaller. */
const width = 1920;
const avatarWidth = 512;

export function createPictureUploads(parts: PictureUploadsParts) {
  const { items, entities, profiles, makePicture, looks } = parts;

  async function remake(image: string, mostMib: number, most: number): Promise<SizedPicture> {
    const bytes = Buffer.from(image, 'base64');
    if (bytes.length > mostMib * 1024 * 1024)
      throw new AppError('too_large', { what: `image is above ${mostMib} MiB.` });
    if (!isBase64(image) || pictureType(bytes) === null)
      throw new AppError('invalid_request', {
        what: 'image must be a JPEG, PNG, GIF, WebP or AVIF picture in base64.',
      });
    const version = createHash('sha256').update(bytes).digest('hex');
    const load = async () => ({ uri: null, size: bytes.length, base64: image });
    const made = await makePicture({ version, load }, { width: most, format: 'webp' });
    if (made !== null) return made;
    const why = 'No plugin makes pictures: let the plugin pictures run.';
    throw new AppError('picture_refused', { why });
  }

  async function store(
    { type, image }: PictureUpload,
    add: (picture: Parameters<Items['addPicture']>[1]) => Promise<string>,
  ): Promise<string> {
    const made = await remake(image, largestPictureMib, width);
    const hash = createHash('sha256').update(made.bytes).digest('hex');
    const uri = `upload:${hash}`;
    const { mimeType } = made;
    const id = await add({ type, mimeType, bytes: made.bytes, uri });
    await looks.remember(uri, made);
    return id;
  }

  return {
    // First of all, since nobody learns of what they may not see, nor has pictures made for it.
    /**
     * Shows the picture as its type at once. Gives its id. Throws `too_large`, `invalid_request` for
     * another file, and `picture_refused` for a picture that cannot be decoded.
     */
    add: async (itemId: string, upload: PictureUpload, viewer: Viewer): Promise<string> => {
      await items.pictures(itemId, viewer);
      return store(upload, (picture) => items.addPicture(itemId, picture, viewer));
    },
    /** The same of an entity. */
    addToEntity: async (
      entityId: string,
      upload: PictureUpload,
      viewer: Viewer,
    ): Promise<string> => {
      await entities.find(entityId, viewer);
      return store(upload, (picture) => entities.addPicture(entityId, picture, viewer));
    },
    /** The same of a profile, given in base64. Gives the profile. */
    addToProfile: async (profileId: string, image: string, viewer: Viewer): Promise<Profile> => {
      await profiles.open(profileId, viewer);
      const { mimeType, bytes } = await remake(image, largestAvatarMib, avatarWidth);
      return profiles.setAvatar(profileId, { mediaType: mimeType, bytes }, viewer);
    },
  };
}

/** Node skips characters that are not base64, so such a text is refused. */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
