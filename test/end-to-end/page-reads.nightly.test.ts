/**
 * What a page of a library reads from the server: everything once, and again only what changed, also while
 * the events of the server are not there yet.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasFfmpeg } from '../support/media/media-files.ts';
import { openWhole, startEveryPage, type EveryPage } from '../support/pages/every-page.ts';
import { hasBrowser } from '../support/servers/browser.ts';

let pages: EveryPage;

/** The reads of a page, by their address, each time that it asks. */
function followReads(page: Page): readonly string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/') && request.method() === 'GET') reads.push(pathname + search);
  });
  return reads;
}

const library = (): string => pages.addresses['/libraries/:id'] ?? '';

async function rename(name: string): Promise<void> {
  const { status } = await pages.server.request('PATCH', `/api${library()}`, { name });
  expect(status).toBe(200);
}

const isOfList = ({ payload }: { readonly payload: string | Buffer }): boolean =>
  String(payload).includes('"collection.');

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

describe.skipIf(!hasBrowser || !hasFfmpeg)(
  'a page of a library (needs Chromium and ffmpeg)',
  () => {
    beforeAll(async () => {
      pages = await startEveryPage();
    }, 120_000);

    afterAll(async () => {
      await pages?.close();
      expect(pages.complaints).toEqual([]);
    });

    test('reads everything once when it is loaded', async () => {
      const { page, context } = await pages.signedIn({ serviceWorkers: 'block' });
      const reads = followReads(page);
      // An event that is about nothing on the page shows that the events have begun.
      const hasBegun = page
        .waitForEvent('websocket')
        .then((socket) => socket.waitForEvent('framereceived', isOfList));
      await openWhole(page, library());
      await page.waitForLoadState('networkidle');
      const list = { name: 'Later', kind: 'playlist', distributedId: 'later', sortBy: 'manual' };
      expect((await pages.server.request('POST', '/api/collections', list)).status).toBe(201);
      await hasBegun;
      await page.waitForLoadState('networkidle');

      expect(reads.some((one) => one.startsWith('/api/items/letters'))).toBe(true);
      expect(reads.some((one) => one.startsWith('/api/items/languages'))).toBe(true);
      expect(reads.filter((one, at) => reads.indexOf(one) < at)).toEqual([]);
      await context.close();
    });

    test('shows what changed after it was read and before the events begin', async () => {
      const { page, context } = await pages.signedIn({ serviceWorkers: 'block' });
      let begin = (): void => {};
      await page.routeWebSocket(/\/api\/ws/, async (socket) => {
        await new Promise<void>((resolve) => (begin = resolve));
        socket.connectToServer();
      });
      await openWhole(page, library());
      await heading(page, 'Films').waitFor();
      await rename('Pictures');
      begin();
      await heading(page, 'Pictures').waitFor();
      await context.close();
    });
  },
);
