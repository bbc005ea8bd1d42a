/** The routes of the pages and their files. */
import { Type } from '@sinclair/typebox';
import { Refusal } from '../service/errors.ts';
import type { BrokerApp } from '../http/http-types.ts';
import { pagePaths, type PageFile, type PageFiles } from '../http/page-files.ts';

const FileName = Type.Object({ name: Type.String({ maxLength: 100 }) });

/** Adds the routes. */
export function pageRoutes(app: BrokerApp, { pages }: { readonly pages: PageFiles }): void {
  for (const path of pagePaths) {
    app.get(path, async (request, reply) => {
      const shell = await pages.shell();
      if (isKnown(shell, request.headers['if-none-match'])) void reply.code(304);
      return reply.headers(shell.headers).send(bodyOf(shell, reply.statusCode));
    });
  }
  app.get('/pages/:name', { schema: { params: FileName } }, async (request, reply) => {
    const file = await pages.file(request.params.name);
    if (!file) throw new Refusal('not_found');
    if (isKnown(file, request.headers['if-none-match'])) void reply.code(304);
    return reply.headers(file.headers).send(bodyOf(file, reply.statusCode));
  });
}

const isKnown = ({ headers }: PageFile, given: string | undefined): boolean =>
  given !== undefined && given === headers['etag'];

const bodyOf = ({ bytes }: PageFile, status: number): Buffer | undefined =>
  status === 304 ? undefined : bytes;
