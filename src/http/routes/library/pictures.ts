import type { Entities, Items } from '../../../library/catalogue/index.ts';
import type { PictureUploads } from '../../../viewing/streaming/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/library/pictures.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'items', access: 'admin' } as const;

/** Pictures that admins upload for items and entities. */
export const pictureRoutes = routes<{
  readonly items: Pick<Items, 'removePicture'>;
  readonly entities: Pick<Entities, 'removePicture'>;
  readonly pictureUploads: PictureUploads;
}>(shared, (route, { items, entities, pictureUploads }) => {
  route('POST /api/items/:id/pictures', {
    allowsLibraryKeys: true,
    bodyLimit: schema.largestBody,
    operation: 'addItemPicture',
    summary: 'Upload a picture of an item, and show it; later scans keep it',
    query: HiddenQuery,
    body: schema.PictureBody,
    created: schema.PictureIdReply,
    handler: async ({ params, body, viewer }) => ({
      id: await pictureUploads.add(params.id, body, viewer),
    }),
  });

  route('DELETE /api/items/:id/pictures/:pictureId', {
    allowsLibraryKeys: true,
    operation: 'deleteItemPicture',
    summary: 'Delete an uploaded picture',
    query: HiddenQuery,
    handler: ({ params, viewer }) => items.removePicture(params.id, params.pictureId, viewer),
  });

  route('POST /api/entities/:id/pictures', {
    // An entity belongs to all libraries, so an admin of some libraries cannot change it.
    bodyLimit: schema.largestBody,
    operation: 'addEntityPicture',
    summary: 'Upload a picture of an entity, and show it; later scans keep it',
    tag: 'entities',
    body: schema.PictureBody,
    created: schema.PictureIdReply,
    handler: async ({ params, body, viewer }) => ({
      id: await pictureUploads.addToEntity(params.id, body, viewer),
    }),
  });

  route('DELETE /api/entities/:id/pictures/:pictureId', {
    operation: 'deleteEntityPicture',
    summary: 'Delete an uploaded picture of an entity',
    tag: 'entities',
    handler: ({ params, viewer }) => entities.removePicture(params.id, params.pictureId, viewer),
  });
});
