import { Type } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';
import type { AuthorKit } from '../../../plugins/author-kit/index.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Routes } from '../../http-app.ts';
import { NoContent, StreamReply } from '../../../contract/resources/schema-parts.ts';

const KitParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });

/** The packages for plugin authors, which are the same on every server of a version. */
export const kitRoutes: Routes<{ readonly authorKit: AuthorKit }> = async (app, { authorKit }) => {
  async function send(name: string, reply: FastifyReply) {
    const file = await authorKit.file(name);
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    return reply.headers(file.headers).send(file.bytes);
  }

  app.get(
    '/kit/:name',
    {
      // npm reads it, so the API document does not list it.
      config: { access: 'nobody', holdsNoSecret: true, isPageOfApp: true },
      schema: {
        operationId: 'getKitFile',
        summary: 'The packages for plugin authors: index.json, and the files that it lists',
        tags: ['plugins'],
        params: KitParams,
        response: {
          200: StreamReply('*/*', 'The list of packages, or a package that npm installs'),
          304: NoContent,
        },
      },
    },
    async (request, reply) => send(request.params.name, reply),
  );
};
