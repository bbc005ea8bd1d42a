/**
 * The requests that pages send in browser tests. `npm run nightly` compares them with the API document
 * (check-operations.ts); another run does so when it names a folder for them.
 */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';

/** Names the folder of a run. Where it is not set, nothing is recorded. */
const setting = 'VITRINE_PAGE_REQUESTS';

/** A request of a page to the API, without its query. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
}

/**
 * Records the requests of all pages and service workers of a browser, from before its first context is
 * given out. Requests that a test itself sends (`context.request`) are not among them.
 */
export function recordRequests(browser: Browser): void {
  const folder = process.env[setting];
  if (folder === undefined) return;
  // Each worker has its own file, and a line is one write: no line is torn.
  const file = path.join(folder, `${process.pid}.txt`);
  const seen = new Set<string>();
  const note = (method: string, url: string): void => {
    const { pathname } = new URL(url);
    const line = `${method} ${pathname}\n`;
    if (!pathname.startsWith('/api/') || seen.has(line)) return;
    seen.add(line);
    appendFileSync(file, line);
  };
  browser.on('context', (context) => {
    context.on('request', (request) => note(request.method(), request.url()));
    // The browser itself asks for what a page saves as a file.
    context.on('page', (page) => page.on('download', (saved) => note('GET', saved.url())));
  });
}

/** All that the workers of a run recorded in its folder. */
export function recordedRequests(folder: string): readonly PageRequest[] {
  const texts = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
  const lines = new Set(texts.flatMap((text) => text.split('\n').filter((line) => line !== '')));
  return [...lines].map((line) => {
    const [method = '', at = ''] = line.split(' ');
    return { method, path: at };
  });
}
