import type { Items } from '../../../library/catalogue/index.ts';
import type { PictureUploads } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../schemas.ts';
import { largestBody, PictureBody, PictureIdReply, PictureParams } from './pictures.schema.ts';

const tags = ['items'];
const config = { access: 'admin', allowsLibraryKeys: true } as const;

/** Pictures that admins upload for items. */
export const pictureRoutes: Routes<{
  readonly items: Pick<Items, 'removePicture'>;
  readonly pictureUploads: PictureUploads;
}> = async (app, { items, pictureUploads }) => {
  app.post(
    '/api/items/:id/pictures',
    {
      config,
      bodyLimit: largestBody,
      schema: {
        operationId: 'addItemPicture',
        summary: 'Upload a picture of an item, and show it; later scans keep it',
        tags,
        params: IdParams,
        querystring: HiddenQuery,
        body: PictureBody,
        response: { 201: PictureIdReply },
      },
    },
    async (request, reply) => {
      const id = await pictureUploads.add(request.params.id, request.body, viewerOf(request));
      return reply.code(201).send({ id });
    },
  );

  app.delete(
    '/api/items/:id/pictures/:pictureId',
    {
      config,
      schema: {
        operationId: 'deleteItemPicture',
        summary: 'Delete an uploaded picture',
        tags,
        params: PictureParams,
        querystring: HiddenQuery,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      await items.removePicture(id, pictureId, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
