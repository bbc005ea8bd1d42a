import type { MediaLinks } from '../../../viewing/streaming/index.ts';
import { HiddenQuery } from '../../../contract/resources/schema-parts.ts';
import * as schema from '../../../contract/resources/viewing/media-links.ts';
import { routes } from '../../route.ts';

const shared = { tag: 'files', access: 'guest', writes: 'often' } as const;

/** Links to media, for players that cannot send a header. */
export const mediaLinkRoutes = routes<{
  readonly mediaLinks: MediaLinks;
}>(shared, (route, { mediaLinks }) => {
  for (const kind of ['file', 'asset'] as const) {
    route(`POST /api/${kind}s/:id/link`, {
      operation: kind === 'file' ? 'createFileLink' : 'createAssetLink',
      summary: `A link that opens the ${kind === 'file' ? 'bytes of a file' : 'picture'} for some hours`,
      query: HiddenQuery,
      body: schema.NewLink,
      created: schema.LinkReply,
      handler: ({ params, body, viewer }) =>
        mediaLinks.create({ kind, id: params.id }, viewer, body?.expiresInSeconds),
    });
  }
});
