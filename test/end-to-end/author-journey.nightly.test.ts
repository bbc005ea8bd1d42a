/**
 * The journey of an author who has a server and no clone of it: from the packages that the server
 * hands out to a plugin that an admin installs in the console with the mouse. npm asks no registry;
 * it has the packages of others in its cache, as after `npm ci` in this project.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { kitFolder } from '../support/plugins/unpack-kit.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const [id, password] = ['my-list', 'correct horse battery'];

/** As of someone who has neither this project nor its tools in the path. */
const environment: NodeJS.ProcessEnv = {
  HOME: process.env['HOME'],
  PATH: (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.startsWith(root))
    .join(path.delimiter),
  NO_COLOR: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
};

let server: TestServer;
let films: MediaTree;
let browser: Browser;
let page: Page;
let desk: string;
let folder: string;
let library: string;
const stopwatch: string[] = [];

/** Measures a step, and says how it ended if it failed. */
async function step<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const start = performance.now();
  const result = await work();
  stopwatch.push(`${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${name}`);
  return result;
}

/** Runs a command; it must end well. */
async function type(command: string, args: readonly string[], cwd = folder): Promise<string> {
  const { stdout } = await run(command, args, { cwd, env: environment }).catch((error: unknown) => {
    const { stdout: said = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${said}\n${stderr}`, { cause: error });
  });
  return stdout;
}

/** Whether npm can install the packages of others without a registry. */
async function isCached(): Promise<boolean> {
  const text = await readFile(path.join(kitFolder, 'package-lock.json'), 'utf8').catch(() => '{}');
  const { packages = {} } = JSON.parse(text) as { packages?: Record<string, Locked> };
  const { stdout } = await run('npm', ['config', 'get', 'cache'], { env: environment });
  return Object.entries(packages)
    .filter(([place, { optional }]) => optional !== true && !isOfKit(place))
    .every(([, { integrity = '' }]) => {
      const [kind = '', hash = ''] = integrity.split('-');
      const digest = Buffer.from(hash, 'base64').toString('hex');
      const parts = [digest.slice(0, 2), digest.slice(2, 4), digest.slice(4)];
      return existsSync(path.join(stdout.trim(), '_cacache/content-v2', kind, ...parts));
    });
}

interface Locked {
  readonly optional?: boolean;
  readonly integrity?: string;
}

const isOfKit = (place: string): boolean => /^node_modules\/(vitrine|@vitrine\/)/.test(place);
const canRun = hasBrowser && (await isCached());

describe.skipIf(!canRun)(
  'an author without a clone (needs Chromium, and packages in the cache of npm)',
  () => {
    beforeAll(async () => {
      desk = await mkdtemp(path.join(tmpdir(), 'vitrine-desk-'));
      folder = path.join(desk, id);
      films = await createMediaTree();
      [server, browser] = await Promise.all([startServer(), openBrowser()]);
      await server.request('POST', '/api/users', { name: 'Ada', role: 'admin', password });
      await mkdir(path.join(films.path, 'Films'));
      const made = await server.request('POST', '/api/libraries', {
        ...{ name: 'Films', type: 'movies', roots: [path.join(films.path, 'Films')] },
      });
      library = (made.body as { library: { id: string } }).library.id;
      const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
      page = await context.newPage();
      page.setDefaultTimeout(120_000);
      await context.request.post('/api/auth/login', {
        data: { name: 'Ada', password },
        headers: { 'x-session': 'cookie' },
      });
    });

    afterAll(async () => {
      await browser?.close();
      await server?.stop();
      await films?.remove();
      await rm(desk, { recursive: true, force: true });
      process.stdout.write(`\nThe journey of an author:\n${stopwatch.join('\n')}\n`);
    });

    test('makes a plugin by the command of the guide', async () => {
      const said = await step('create', () =>
        type(
          'npx',
          ['--yes', `${server.url}/kit/create-vitrine-plugin-0.1.0.tgz`, id].concat([
            '--template',
            'view-action',
            '--author',
            'Ada Brandt',
            '--kit',
            server.url,
          ]),
          desk,
        ),
      );

      expect(said).toContain(`cd ${id}`);
      expect(await readdir(folder)).toEqual(
        expect.arrayContaining(['manifest.json', 'package-lock.json']),
      );
    });

    test('installs without a registry, in the versions that the kit was tested with', async () => {
      const lock = await readFile(path.join(folder, 'package-lock.json'), 'utf8');
      await step('npm install', () => type('npm', ['install', '--offline']));

      const versions = (text: string): unknown =>
        Object.entries(
          (JSON.parse(text) as { packages: Record<string, { version: string }> }).packages,
        )
          .map(([place, { version }]) => `${place} ${version}`)
          .sort();
      expect(versions(await readFile(path.join(folder, 'package-lock.json'), 'utf8'))).toEqual(
        versions(lock),
      );
    });

    test('has no error of types, in its own code or in that of the packages', async () => {
      await step('npm run typecheck', () => type('npm', ['run', 'typecheck']));

      for (const project of ['src', '.'])
        expect(await type('npx', ['tsc', '-p', project, '--skipLibCheck', 'false'])).toBe('');
    });

    test('passes its tests and its check, and is packed with a key', async () => {
      await writeFile(path.join(folder, 'README.md'), '# My list\n\nIt lists the newest items.\n');
      const tested = await step('npm test', () => type('npm', ['test']));
      const checked = await step('npm run check', () => type('npm', ['run', 'check']));
      await step('a key, and the package', async () => {
        await type('npx', ['vitrine', 'plugin', 'keygen', '--out', '../publisher.key']);
        await type('npm', ['run', 'pack', '--', '--key', '../publisher.key']);
      });

      expect(tested).toMatch(/Test Files +1 passed/);
      expect(checked).not.toMatch(/warning|error/);
      expect(await readdir(folder)).toContain(`${id}-0.1.0.vplugin`);
    });

    test('is installed in the console with the mouse, after its reasons were read, and works', async () => {
      const press = (name: string): Promise<void> =>
        page.getByRole('button', { name, exact: true }).click();
      await page.goto('/admin/plugins');
      await step('install with the mouse', async () => {
        await press('Install from a file');
        const choosing = page.waitForEvent('filechooser');
        await page.getByLabel('Package file').click();
        await (await choosing).setFiles(path.join(folder, `${id}-0.1.0.vplugin`));
        await page.getByText('To store the titles of the newest items.').waitFor();
        await press('Allow this and install it');
        await page.getByRole('heading', { level: 1, name: 'My list' }).waitFor();
        await page.getByText(/ · runs$/).waitFor();
      });

      await films.write('Films/Heat (1995).mkv');
      await step('what it shows', async () => {
        await server.request('POST', '/api/jobs', { type: 'scan', libraryId: library });
        await until('the plugin has heard of the film', async () => {
          const view = '/api/plugins/views/ui.settings.sections?context=%7B%7D';
          return JSON.stringify(await server.get(view)).includes('Heat');
        });
        await page.goto('/me');
        await page.getByText('Heat').first().waitFor();
      });
    });
  },
);
