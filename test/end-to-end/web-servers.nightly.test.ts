/** The page Manage, Servers, with two servers in a real browser: in light, in dark and on a phone. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startCluster, type TestCluster } from '../support/servers/cluster.ts';
import { until } from '../support/servers/server.ts';
import { hasPostgres } from '../support/storage/postgres.ts';

const password = 'correct horse battery';
/** Where pictures of the page go, if somebody wants to look at them. */
const picturesFolder = process.env['VITRINE_TEST_PICTURES'];

let cluster: TestCluster;
let browser: Browser;

interface Listed {
  readonly address: string;
  readonly isThis: boolean;
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const baseURL = cluster.servers[0]?.url ?? '';
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto('/sign-in?to=/admin/servers');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Servers' }).waitFor();
  await page.locator('main ul.lines li').nth(1).waitFor();
  return page;
}

describe.skipIf(!hasBrowser || !hasPostgres())(
  'the page of the servers (needs Chromium and PostgreSQL)',
  () => {
    beforeAll(async () => {
      cluster = await startCluster(1);
      await cluster.add(['--roles', 'jobs,convert', '--country', 'DE']);
      await cluster.servers[0]?.request('POST', '/api/users', {
        ...{ name: 'Ada', role: 'admin', password },
      });
      browser = await openBrowser();
    }, 400_000);

    afterAll(async () => {
      await browser?.close();
      await cluster?.end();
    });

    test.each<[string, BrowserContextOptions]>([
      ['light', { colorScheme: 'light', viewport: { width: 1440, height: 900 } }],
      ['dark', { colorScheme: 'dark', viewport: { width: 1440, height: 900 } }],
      ['phone', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
      ['a small phone', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
    ])('says who leads, what each does, and what differs: %s', async (name, options) => {
      const page = await open(options);
      const lines = await page.locator('main ul.lines li').allInnerTexts();
      const wider = await page.evaluate<number>(
        'Math.max(0, document.documentElement.scrollWidth - innerWidth)',
      );
      if (picturesFolder !== undefined) {
        await mkdir(picturesFolder, { recursive: true });
        await page.screenshot({ path: path.join(picturesFolder, `servers-${name}.png`) });
      }
      await page.context().close();

      expect(lines).toHaveLength(2);
      expect(lines[0]).toContain('this server · leads');
      expect(lines[1]).toContain('jobs, convert');
      expect(lines[1]).toContain('--country');
      expect(wider).toBe(0);
    });

    test('says by itself that one is missing', async () => {
      const page = await open({ viewport: { width: 1440, height: 900 } });
      const { servers } = (await cluster.servers[0]?.get<{ servers: Listed[] }>(
        '/api/servers',
      )) ?? { servers: [] };
      const other = servers.find(({ isThis }) => !isThis)?.address ?? '';

      await cluster.servers[1]?.kill();
      const line = page.locator('main ul.lines li', { hasText: other });
      await until('the page says it', async () => (await line.innerText()).includes('missing'));

      expect(await line.innerText()).toMatch(/missing since \d/);
      await page.context().close();
    });
  },
);
