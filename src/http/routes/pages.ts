import type { FastifyReply } from 'fastify';
import type { Console } from '../../console/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { Routes } from '../http-app.ts';
import { IdParams, NoContent } from '../schemas.ts';
import { ConsoleParams, ConsoleReply, PageReply } from './pages.schema.ts';

const tags = ['pages'];
const config = { access: 'nobody', holdsNoSecret: true } as const;
const pageReplies = { 200: PageReply, 304: NoContent };

/** Addresses of pages. All have the same shell, which shows the page of the address. */
const pages = {
  '/': { operationId: 'showHomePage', summary: 'Home' },
  '/account': {
    operationId: 'showAccountPage',
    summary: 'The account: password, passkeys, sessions',
  },
  '/api/docs': { operationId: 'showApiDocs', summary: 'This document, for people' },
  '/invite': { operationId: 'showInvitePage', summary: 'Accept an invitation' },
  '/search': { operationId: 'showSearchPage', summary: 'Search' },
  '/setup': { operationId: 'showSetupPage', summary: 'Create the first admin' },
  '/sign-in': { operationId: 'showSignInPage', summary: 'Sign in' },
} as const;

const pagesOfOne = {
  '/items/:id': { operationId: 'showItemPage', summary: 'One item' },
  '/libraries/:id': { operationId: 'showLibraryPage', summary: 'One library' },
} as const;

/** The pages. They contain no private data: they read it from the API, which checks access. */
export const pageRoutes: Routes<{ readonly console: Console }> = async (app, parts) => {
  async function serve(name: string, reply: FastifyReply) {
    const file = await parts.console.file(name);
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    void reply.headers(file.headers);
    return reply.send(file.bytes);
  }

  for (const [url, names] of Object.entries(pages))
    app.get(url, { config, schema: { ...names, tags, response: pageReplies } }, (_request, reply) =>
      serve('index.html', reply),
    );

  for (const [url, names] of Object.entries(pagesOfOne))
    app.get(
      url,
      { config, schema: { ...names, tags, params: IdParams, response: pageReplies } },
      (_request, reply) => serve('index.html', reply),
    );

  app.get(
    '/console/:name',
    {
      config,
      schema: {
        operationId: 'getPageFile',
        summary: 'A file that the pages load',
        tags,
        params: ConsoleParams,
        response: { 200: ConsoleReply, 304: NoContent },
      },
    },
    (request, reply) => serve(request.params.name, reply),
  );
};
