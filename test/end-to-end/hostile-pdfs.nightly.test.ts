/** PDFs that are hostile, each in the reader of a real browser: nothing runs, nothing is asked for, the tab lives. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostilePdfs } from '../support/pages/hostile-pdfs.ts';
import { eventually } from '../support/eventually.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
const names = Object.keys(hostilePdfs);
const ids = new Map<string, string>();
let server: TestServer;
let browser: Browser;
let context: BrowserContext;
let media: string;

describe.skipIf(!hasBrowser)('a PDF with (needs Chromium)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-hostile-pdfs-'));
    for (const [at, make] of Object.values(hostilePdfs).entries())
      writeFileSync(path.join(media, `Ann Lee - Book${at}.pdf`), make());
    [server, browser] = await Promise.all([startServer(), openBrowser()]);
    await server.request('POST', '/api/users', { name: 'Grace', password, role: 'user' });
    await server.request('POST', '/api/libraries', { name: 'B', type: 'books', roots: [media] });
    await eventually('the books are there', async () => {
      const { items } = await server.get<{
        readonly items: readonly {
          readonly id: string;
          readonly files: readonly { readonly filename: string }[];
        }[];
      }>('/api/items?limit=100');
      for (const { id, files } of items)
        ids.set(/Book\d+/.exec(files[0]?.filename ?? '')?.[0] ?? '', id);
      return ids.size === names.length;
    });
    context = await browser.newContext({ baseURL: server.url });
    await context.request.post('/api/auth/login', {
      data: { name: 'Grace', password },
      headers: { 'x-session': 'cookie' },
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
  });

  test.each(names.map((name, at) => [name, `Book${at}`]))(
    '%s runs nothing and asks nobody, and the tab lives',
    async (_name, book) => {
      const page = await context.newPage();
      const happened: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !/^(about:|blob:null\/)/.test(request.url()))
          happened.push(request.url());
      });
      page.on('dialog', (dialog) => void happened.push(dialog.message()));
      page.on('download', () => void happened.push('download'));
      page.on('popup', () => void happened.push('popup'));
      page.on('crash', () => void happened.push('crash'));

      await page.goto(`/read/${ids.get(book)}`);
      // It is drawn, or refused in words.
      const ends = ['shown', 'broken'].map((state) => `.pdf-sheet[data-state=${state}]`);
      const end = page.locator([...ends, 'a[download]'].join()).first();
      await end.waitFor({ timeout: 60_000 });
      for (const frame of page.frames()) {
        const button = frame.getByRole('button', { name: /stranger|Link/ }).first();
        if ((await button.count()) > 0 && frame !== page.mainFrame())
          await button.click({ timeout: 5000 }).catch(() => {});
      }
      const isHacked = 'window.hacked !== undefined';
      for (const frame of page.frames())
        if (await frame.evaluate<boolean>(isHacked)) happened.push('hacked');
      for (const link of await page.locator('a[href]').all())
        if (!/^(https?:|\/)/.test((await link.getAttribute('href')) ?? '')) happened.push('link');

      expect(happened).toEqual([]);
      await page.close();
    },
  );
});
