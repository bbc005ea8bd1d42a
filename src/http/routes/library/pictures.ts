import type { Entities, Items } from '../../../library/catalogue/index.ts';
import type { PictureUploads } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams, NoContent } from '../../../contract/resources/schema-parts.ts';
import {
  largestBody,
  PictureBody,
  PictureIdReply,
  PictureParams,
} from '../../../contract/resources/library/pictures.ts';

const tags = ['items'];
const config = { access: 'admin', allowsLibraryKeys: true } as const;

/** An entity belongs to all libraries, so an admin of some libraries cannot change it. */
const ofEntities = { access: 'admin' } as const;

/** Pictures that admins upload for items and entities. */
export const pictureRoutes: Routes<{
  readonly items: Pick<Items, 'removePicture'>;
  readonly entities: Pick<Entities, 'removePicture'>;
  readonly pictureUploads: PictureUploads;
}> = async (app, { items, entities, pictureUploads }) => {
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

  app.post(
    '/api/entities/:id/pictures',
    {
      config: ofEntities,
      bodyLimit: largestBody,
      schema: {
        operationId: 'addEntityPicture',
        summary: 'Upload a picture of an entity, and show it; later scans keep it',
        tags: ['entities'],
        params: IdParams,
        body: PictureBody,
        response: { 201: PictureIdReply },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const id = await pictureUploads.addToEntity(params.id, body, viewerOf(request));
      return reply.code(201).send({ id });
    },
  );

  app.delete(
    '/api/entities/:id/pictures/:pictureId',
    {
      config: ofEntities,
      schema: {
        operationId: 'deleteEntityPicture',
        summary: 'Delete an uploaded picture of an entity',
        tags: ['entities'],
        params: PictureParams,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id, pictureId } = request.params;
      await entities.removePicture(id, pictureId, viewerOf(request));
      return reply.code(204).send();
    },
  );
};
