import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Console, ConsoleFile } from '../../console/index.ts';
import { AppError } from '../../platform/errors.ts';
import { addVary, chooseEncoding } from '../delivery/index.ts';
import type { Routes } from '../http-app.ts';
import { IdParams, NoContent } from '../../contract/resources/schema-parts.ts';
import { ConsoleParams, ConsoleReply, PageReply } from './pages.schema.ts';

const tags = ['pages'];
const config = { access: 'nobody', holdsNoSecret: true } as const;
const pageReplies = { 200: PageReply, 304: NoContent };

/** Pages that are documents of their own, so that nothing of the app or of a plugin is on them. */
const documents = {
  '/api/docs': { operationId: 'showApiDocs', summary: 'This document, for people' },
  '/invite': { operationId: 'showInvitePage', summary: 'Accept an invitation' },
  '/pair': { operationId: 'showPairPage', summary: 'Sign in by another device' },
  '/setup': { operationId: 'showSetupPage', summary: 'Create the first admin' },
  '/sign-in': { operationId: 'showSignInPage', summary: 'Sign in' },
} as const;

/**
 * Pages of the app. All have the same document, which shows the page of the address. They are for
 * people, so the API document does not list them.
 */
const pages = [
  '/',
  '/admin',
  '/admin/audit',
  '/admin/backups',
  '/admin/doctor',
  '/admin/entities/:id',
  '/admin/items/:id',
  '/admin/jobs',
  '/admin/libraries',
  '/admin/libraries/:id',
  '/admin/logs',
  '/admin/marketplace',
  '/admin/matches',
  '/admin/metrics',
  '/admin/people',
  '/admin/people/:id',
  '/admin/plugins',
  '/admin/plugins/:id',
  '/admin/settings',
  '/admin/webhooks',
  '/account',
  '/albums/:id',
  '/artists/:id',
  '/downloads',
  '/entities/:id',
  '/genres/:id',
  '/items/:id',
  '/libraries',
  '/libraries/:id',
  '/lists',
  '/lists/:id',
  '/me',
  '/pair/accept',
  '/people/:id',
  '/photos/:id',
  '/plugins/:id',
  '/profiles',
  '/read/:id',
  '/search',
  '/seasons/:id',
  '/series/:id',
  '/shows/:id',
  '/studios/:id',
  '/watch/:id',
] as const;

/** The pages. They contain no private data: they read it from the API, which checks access. */
export const pageRoutes: Routes<{ readonly console: Console }> = async (app, parts) => {
  function send(
    { file, name }: { readonly file: ConsoleFile | undefined; readonly name: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    void reply.headers(file.headers);
    const isHashed = file.headers['cache-control']?.includes('immutable') === true;
    if (!isHashed || file.brotli === null) return reply.send(file.bytes);
    addVary(reply, 'Accept-Encoding');
    if (chooseEncoding(request.headers['accept-encoding']) !== 'br') return reply.send(file.bytes);
    return reply.header('content-encoding', 'br').send(file.brotli);
  }
  const document = async (request: FastifyRequest, reply: FastifyReply) =>
    send({ file: await parts.console.file('index.html'), name: 'index.html' }, request, reply);
  const appDocument = async (request: FastifyRequest, reply: FastifyReply) =>
    send({ file: await parts.console.appFile('index.html'), name: 'index.html' }, request, reply);

  for (const [url, names] of Object.entries(documents))
    app.get(url, { config, schema: { ...names, tags, response: pageReplies } }, document);

  app.get(
    '/install',
    {
      config: { ...config, isPageOfApp: true },
      schema: {
        ...{ operationId: 'showInstallPage', summary: 'Keep the app on a device', tags },
        response: pageReplies,
      },
    },
    async (request, reply) =>
      send(
        { file: await parts.console.file('install.html'), name: 'install.html' },
        request,
        reply,
      ),
  );

  app.get(
    '/read/pdf/:id',
    {
      config: { ...config, isPageOfApp: true },
      schema: {
        ...{ operationId: 'showPdfPage', summary: 'Read a PDF', tags },
        params: IdParams,
        response: pageReplies,
      },
    },
    async (request, reply) =>
      send({ file: await parts.console.appFile('pdf.html'), name: 'pdf.html' }, request, reply),
  );

  for (const url of pages)
    app.get(
      url,
      {
        config: { ...config, isPageOfApp: true },
        schema: {
          operationId: 'showPage',
          summary: 'A page',
          tags,
          ...(url.includes(':') && { params: IdParams }),
          response: pageReplies,
        },
      },
      appDocument,
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
    async (request, reply) => {
      const { name } = request.params;
      return send({ file: await parts.console.file(name), name }, request, reply);
    },
  );

  app.get(
    '/web/:name',
    {
      config,
      schema: {
        operationId: 'getAppFile',
        summary: 'A file that the app loads',
        tags,
        params: ConsoleParams,
        response: { 200: ConsoleReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      return send({ file: await parts.console.appFile(name), name }, request, reply);
    },
  );

  app.get(
    '/web/pdf/:name',
    {
      config: { ...config, isPageOfApp: true },
      schema: {
        operationId: 'getPdfFile',
        summary: 'A file that the PDF reader loads',
        tags,
        params: ConsoleParams,
        response: { 200: ConsoleReply, 304: NoContent },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      return send({ file: await parts.console.pdfFile(name), name }, request, reply);
    },
  );
};
