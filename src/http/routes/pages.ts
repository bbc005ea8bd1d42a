import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Console } from '../../console/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Routes } from '../http-app.ts';
import { IdParams, NoContent } from '../schemas.ts';
import { ConsoleParams, ConsoleReply, PageReply } from './pages.schema.ts';

const tags = ['pages'];
const config = { access: 'nobody' } as const;
const pageReplies = { 200: PageReply, 304: NoContent };

/** Addresses of pages. All have the same shell, which shows the page of the address. */
const pages = {
  '/': 'Home',
  '/account': 'The account: password, passkeys, sessions',
  '/invite': 'Accept an invitation',
  '/search': 'Search',
  '/setup': 'Create the first admin',
  '/sign-in': 'Sign in',
} as const;

const pagesOfOne = { '/items/:id': 'One item', '/libraries/:id': 'One library' } as const;

/** The pages. They contain no private data: they read it from the API, which checks access. */
export const pageRoutes: Routes<{ readonly console: Console }> = async (app, parts) => {
  async function serve(name: string, request: FastifyRequest, reply: FastifyReply) {
    const file = await parts.console.file(name);
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    void reply.headers(file.headers);
    if (request.headers['if-none-match'] === file.headers['etag']) return reply.code(304).send();
    return reply.send(Readable.from([file.bytes], { objectMode: false }));
  }

  for (const [url, summary] of Object.entries(pages))
    app.get(url, { config, schema: { summary, tags, response: pageReplies } }, (request, reply) =>
      serve('index.html', request, reply),
    );

  for (const [url, summary] of Object.entries(pagesOfOne))
    app.get(
      url,
      { config, schema: { summary, tags, params: IdParams, response: pageReplies } },
      (request, reply) => serve('index.html', request, reply),
    );

  app.get(
    '/console/:name',
    {
      config,
      schema: {
        summary: 'A file that the pages load',
        tags,
        params: ConsoleParams,
        response: { 200: ConsoleReply, 304: NoContent },
      },
    },
    (request, reply) => serve(request.params.name, request, reply),
  );
};
