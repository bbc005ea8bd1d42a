import { Type } from '@sinclair/typebox';
import { Body, Named, type Shape } from '../schema-parts.ts';

/** The largest upload in MiB: what fits into one message to a plugin. */
export const largestPictureMib = 5;

const longestText = Math.ceil((largestPictureMib * 1024 * 1024) / 3) * 4;

/** The picture in base64, and the JSON around it. */
export const largestBody = longestText + 1024;

export const PictureBody = Named(
  'PictureUpload',
  Body({
    type: Type.String({ pattern: '^[a-z][a-zA-Z]{0,31}$', description: 'Such as `poster`' }),
    image: Type.String({
      minLength: 1,
      maxLength: longestText,
      description: 'A picture of at most 5 MiB, in base64',
    }),
  }),
);

/** A picture that an admin sends. */
export type PictureUpload = Shape<typeof PictureBody>;

export const PictureIdReply = Type.Object({
  id: Type.String({ description: 'Of `GET /api/assets/:id`' }),
});

const id = Type.String({ minLength: 1, maxLength: 200 });

export const PictureParams = Type.Object({ id, pictureId: id });
