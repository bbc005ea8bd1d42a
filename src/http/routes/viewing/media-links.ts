import type { MediaLinks } from '../../../viewing/streaming/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { HiddenQuery, IdParams } from '../../../contract/resources/schema-parts.ts';
import { LinkReply, NewLink } from '../../../contract/resources/viewing/media-links.ts';

/** Links to media, for players that cannot send a header. */
export const mediaLinkRoutes: Routes<{ readonly mediaLinks: MediaLinks }> = async (
  app,
  { mediaLinks },
) => {
  for (const kind of ['file', 'asset'] as const) {
    app.post(
      `/api/${kind}s/:id/link`,
      {
        config: { access: 'guest', writes: 'often' },
        schema: {
          operationId: kind === 'file' ? 'createFileLink' : 'createAssetLink',
          summary: `A link that opens the ${kind === 'file' ? 'bytes of a file' : 'picture'} for some hours`,
          tags: ['files'],
          params: IdParams,
          querystring: HiddenQuery,
          body: NewLink,
          response: { 201: LinkReply },
        },
      },
      async (request, reply) => {
        const media = { kind, id: request.params.id };
        const lifetime = request.body?.expiresInSeconds;
        return reply.code(201).send(await mediaLinks.create(media, viewerOf(request), lifetime));
      },
    );
  }
};
