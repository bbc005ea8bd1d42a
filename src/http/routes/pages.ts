import { Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Console } from '../../console/index.ts';
import { AppError } from '../../platform/errors.ts';
import { addVary, chooseEncoding } from '../delivery/index.ts';
import { routes } from '../route.ts';
import { NoContent, StreamReply } from '../../contract/resources/schema-parts.ts';

const shared = { tag: 'pages', access: 'nobody', holdsNoSecret: true } as const;
const pageReplies = { 200: StreamReply('text/html', 'The page'), 304: NoContent };
const fileReplies = { 200: StreamReply('*/*', 'A file of the pages'), 304: NoContent };
const FileParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });

/** Pages that are documents of their own, so that nothing of the app or of a plugin is on them. */
const documents = [
  { url: '/api/docs', operation: 'showApiDocs', summary: 'This document, for people' },
  { url: '/invite', operation: 'showInvitePage', summary: 'Accept an invitation' },
  { url: '/pair', operation: 'showPairPage', summary: 'Sign in by another device' },
  { url: '/setup', operation: 'showSetupPage', summary: 'Create the first admin' },
  { url: '/sign-in', operation: 'showSignInPage', summary: 'Sign in' },
] as const;

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
  '/admin/servers',
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
export const pageRoutes = routes<{ readonly console: Console }>(shared, (route, parts) => {
  async function send(kind: keyof Console, name: string, { request, reply }: Exchange) {
    const file = await parts.console[kind](name);
    if (file === undefined) throw new AppError('not_found', { what: `The file ${name}` });
    void reply.headers(file.headers);
    const isHashed = file.headers['cache-control']?.includes('immutable') === true;
    if (!isHashed || file.brotli === null) return reply.send(file.bytes);
    addVary(reply, 'Accept-Encoding');
    if (chooseEncoding(request.headers['accept-encoding']) !== 'br') return reply.send(file.bytes);
    return reply.header('content-encoding', 'br').send(file.brotli);
  }

  for (const { url, ...names } of documents)
    route(`GET ${url}`, {
      ...names,
      replies: pageReplies,
      handler: (call) => send('appFile', 'documents.html', call),
    });

  route('GET /install', {
    isPageOfApp: true,
    operation: 'showInstallPage',
    summary: 'Keep the app on a device',
    replies: pageReplies,
    handler: (call) => send('file', 'install.html', call),
  });

  route('GET /read/pdf/:id', {
    isPageOfApp: true,
    operation: 'showPdfPage',
    summary: 'Read a PDF',
    replies: pageReplies,
    handler: (call) => send('appFile', 'pdf.html', call),
  });

  for (const url of pages)
    route(`GET ${url}`, {
      isPageOfApp: true,
      operation: 'showPage',
      summary: 'A page',
      replies: pageReplies,
      handler: (call) => send('appFile', 'index.html', call),
    });

  route('GET /console/:name', {
    operation: 'getPageFile',
    summary: 'A file that the pages load',
    params: FileParams,
    replies: fileReplies,
    handler: (call) => send('file', call.params.name, call),
  });

  route('GET /web/:name', {
    operation: 'getAppFile',
    summary: 'A file that the app loads',
    params: FileParams,
    replies: fileReplies,
    handler: (call) => send('appFile', call.params.name, call),
  });

  route('GET /web/pdf/:name', {
    isPageOfApp: true,
    operation: 'getPdfFile',
    summary: 'A file that the PDF reader loads',
    params: FileParams,
    replies: fileReplies,
    handler: (call) => send('pdfFile', call.params.name, call),
  });
});

/** A request, and the reply to it. */
interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}
