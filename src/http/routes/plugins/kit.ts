import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { AuthorKit } from '../../../plugins/author-kit/index.ts';
import { AppError } from '../../../platform/errors.ts';
import { NoContent, StreamReply } from '../../../contract/resources/schema-parts.ts';
import { routes } from '../../route.ts';

const KitParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });

/** npm reads it, so the API document does not list it. */
const shared = {
  tag: 'plugins',
  access: 'nobody',
  holdsNoSecret: true,
  isPageOfApp: true,
} as const;

/** The packages for plugin authors, which are the same on every server of a version. */
export const kitRoutes = routes<{
  readonly authorKit: AuthorKit;
}>(shared, (route, { authorKit }) => {
  async function send(name: string, reply: FastifyReply) {
    const file = await authorKit.file(name);
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    return reply.headers(file.headers).send(file.bytes);
  }

  route('GET /kit/:name', {
    operation: 'getKitFile',
    summary: 'The packages for plugin authors: index.json, and the files that it lists',
    params: KitParams,
    replies: {
      200: StreamReply('*/*', 'The list of packages, or a package that npm installs'),
      304: NoContent,
    },
    handler: ({ params, reply }) => send(params.name, reply),
  });
});
