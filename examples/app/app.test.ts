/** An example app (one page) that pairs and lists what is on each server. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hasBrowser, openBrowser } from '../../test/support/servers/browser.ts';
import {
  createFakeBroker,
  type FakeBroker,
} from '../../test/support/identity-fakes/fake-broker.ts';
import {
  createFakeServer,
  type FakeServer,
} from '../../test/support/identity-fakes/fake-server.ts';
import { createPerson } from '../../test/support/identity-fakes/person.ts';
import { testByNight } from '../../test/support/run/test-by-night.ts';

let browser: Browser;

beforeAll(async () => {
  if (hasBrowser) browser = await openBrowser();
});

afterAll(() => browser?.close());

interface Stage {
  readonly page: Page;
  readonly origin: string;
  readonly broker: FakeBroker;
  readonly servers: readonly [FakeServer, FakeServer];
}

/** The built page in a browser, a broker and two servers, all with the real clock. */
async function setTheStage(): Promise<Stage> {
  const person = await createPerson('1');
  const broker = await createFakeBroker(person, Date);
  const parts = { person, now: Date.now };
  const servers = [
    await createFakeServer('a', 'Home', parts),
    await createFakeServer('b', 'Cabin', parts),
  ] as const;
  broker.servers = servers.map(({ listed }) => listed);
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-example-app-'));
  await promisify(execFile)(process.execPath, [
    path.join(import.meta.dirname, 'build.mjs'),
    ...['--app-id', 'app_example', '--identity-url', broker.url, '--to', folder],
  ]);
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  };
  const web = createServer((request, response) => {
    const [at = '/'] = (request.url ?? '/').split('?', 1);
    const name = at === '/' ? 'index.html' : path.basename(at);
    readFile(path.join(folder, name)).then(
      (text) =>
        response.writeHead(200, { 'content-type': types[path.extname(name)] ?? '' }).end(text),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  onTestFinished(async () => {
    await context.close();
    web.closeAllConnections();
    await new Promise((resolve) => web.close(resolve));
    await Promise.all([broker.close(), ...servers.map((one) => one.close())]);
    await rm(folder, { recursive: true });
  });
  await page.goto(origin);
  return { page, origin, broker, servers };
}

const axe = path.resolve(import.meta.dirname, '../../node_modules/axe-core/axe.min.js');

/** Violations of WCAG AA that axe finds. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ path: axe });
  return page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string }[] }> };
    };
    const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
    return (await checker.run({ runOnly })).violations.map(({ id }) => id);
  });
}

/** What a script of the page can read of the key. */
const readKey = `(async () => {
  const opening = indexedDB.open('app_example');
  await new Promise((resolve) => opening.addEventListener('success', resolve));
  const request = opening.result.transaction('kept').objectStore('kept').get('key');
  await new Promise((resolve) => request.addEventListener('success', resolve));
  const { privateKey, publicKey } = request.result;
  const read = await crypto.subtle.exportKey('pkcs8', privateKey).catch(({ name }) => name);
  return { read, publicKey, isExtractable: privateKey.extractable };
})()`;

/** Pictures for a human reviewer, in the folder of `SHOTS`. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}-${width}.png`) });
    }
}

describe.skipIf(!hasBrowser)('the example app in Chromium', () => {
  testByNight(
    'pairs by code, shows what is on each server, and continues after a reload',
    async () => {
      const { page, broker, servers } = await setTheStage();
      await shoot(page, 'sign-in');
      expect(await faultsOf(page)).toEqual([]);

      await page.getByRole('button', { name: 'Show a code' }).click();
      await page.getByText('1234 5679').waitFor();
      await shoot(page, 'code');
      expect(await faultsOf(page)).toEqual([]);
      await broker.approve();
      await page.getByText('A film of Home').waitFor();
      await page.getByText('A film of Cabin').waitFor();
      await shoot(page, 'servers');
      expect(await faultsOf(page)).toEqual([]);
      expect(await page.getByText('Online', { exact: true }).count()).toBe(2);

      await servers[1].down();
      await page.reload();
      await page.getByText('A film of Home').waitFor();
      await page.getByText('Offline', { exact: true }).waitFor();
      await shoot(page, 'offline');
      await servers[1].up();
      await page.getByRole('button', { name: 'Try now' }).click();
      await page.getByText('A film of Cabin').waitFor();
    },
  );

  test('pairs by the callback, and ignores one that it did not start', async () => {
    const { page, origin, broker } = await setTheStage();
    await page.getByRole('button', { name: 'Sign in with this browser' }).click();
    await page.waitForURL(`${broker.url}/pair/**`);
    expect(broker.begun).toMatchObject([{ appId: 'app_example', callbackUrl: origin }]);
    await broker.approve();

    await page.goto(`${origin}/?requestId=of-mallory&result=ok`);
    await page.getByText('not started here').waitFor();
    expect(broker.polls).toEqual([]);

    await page.goto(`${origin}/?requestId=${broker.last().requestId}&result=ok`);
    await page.getByText('A film of Home').waitFor();
    expect(page.url()).toBe(`${origin}/`);
  });

  test('stores a key that no script of the page can read', async () => {
    const { page, broker } = await setTheStage();
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByText('1234 5679').waitFor();

    const kept = await page.evaluate<unknown>(readKey);

    expect(kept).toEqual({
      read: 'InvalidAccessError',
      isExtractable: false,
      publicKey: broker.begun[0]?.['clientPubKey'],
    });
  });

  testByNight('asks to sign in again when the device was revoked, and signs out', async () => {
    const { page, broker, servers } = await setTheStage();
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByText('1234 5679').waitFor();
    await broker.approve();
    await page.getByText('A film of Home').waitFor();
    servers[0].revoked = true;
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await shoot(page, 'revoked');

    servers[0].revoked = false;
    await page.getByRole('button', { name: 'Show a code' }).click();
    await page.getByText('1234 5680').waitFor();
    await broker.approve();
    await page.getByText('A film of Cabin').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(servers[1].asked.at(-1)).toBe('/api/auth/logout');
  });
});
