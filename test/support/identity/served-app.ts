/** The example app, built for a broker of a test and served to a browser at an address of the web. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';

const build = path.resolve(import.meta.dirname, '../../../examples/app/build.mjs');

/** The app as files. */
export interface ServedApp {
  /** Answers for the origin in this browser; nothing of it goes to the network. */
  readonly serveIn: (context: BrowserContext, origin: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function buildApp(appId: string, identityUrl: string): Promise<ServedApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-example-app-'));
  const told = ['--app-id', appId, '--identity-url', identityUrl, '--to', folder];
  await promisify(execFile)(process.execPath, [build, ...told]);
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.svg': 'image/svg+xml',
  };
  return {
    serveIn: async (context, origin) => {
      await context.route(`${origin}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const name = path.basename(pathname) || 'index.html';
        const contentType = types[path.extname(name)] ?? 'text/plain';
        const body = await readFile(path.join(folder, name)).catch(() => null);
        await route.fulfill(body === null ? { status: 404 } : { body, contentType });
      });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
