/** The pages for admins of libraries, titles, people and the log, in a real browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { openByKeys, walkByKeys } from '../support/pages/keys.ts';
import { makePng } from '../support/pictures/made-png.ts';
import type { MadeService } from '../support/plugins/made-service.ts';
import { madeKey, startTmdb } from '../support/plugins/tmdb.ts';
import { isNightly, sampleOf } from '../support/run/nightly.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, until, type TestServer } from '../support/servers/server.ts';
import { testByNight } from '../support/run/test-by-night.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';

let server: TestServer;
let browser: Browser;
let films: MediaTree;
/** A catalogue with two films of one name and year. */
let tmdb: MadeService;
let page: Page;
let library: string;
/** What no page may do: break its own policy, throw, or write an error. */
const complaints: string[] = [];

interface Offered {
  readonly pictures: readonly { readonly isUploaded: boolean }[];
}

interface Tiles {
  readonly items: readonly { readonly title: string; readonly picture: { id: string } | null }[];
}

interface Titles {
  readonly items: readonly { readonly id: string; readonly title: string }[];
}
const titles = async (): Promise<Titles['items']> => (await server.get<Titles>('/api/items')).items;
const press = (name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();
const said = (text: string): Promise<void> => page.getByText(text).first().waitFor();

/** An id of nothing. */
const nowhere = '01890a5d-ac96-774b-bcce-b302099a8057';

/** What no message to people holds: a route, a code, an id. */
const notForPeople = /(GET|POST|PUT|PATCH|DELETE) \/api|[a-z]+_[a-z]+|[0-9a-f]{8}-/;

/** What a page says to people: its texts outside of code, and its names for screen readers. */
async function wordsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const words = [];
    while (walker.nextNode())
      if (!walker.currentNode.parentElement.closest('code, pre, script, style'))
        words.push(walker.currentNode.data);
    for (const element of document.body.querySelectorAll('*'))
      for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        words.push(element.getAttribute(name) ?? '');
    return words;
  })()`);
}

/** What axe finds on the page. */
async function flaws(): Promise<readonly unknown[]> {
  await page.evaluate(axe);
  return page.evaluate(
    'axe.run(document).then(({ violations }) => violations.map(({ id }) => id))',
  );
}

describe.skipIf(!hasBrowser)('the pages for admins (need Chromium)', () => {
  beforeAll(async () => {
    films = await createMediaTree(['Films/Alien (1979).mkv', 'More/Cube (1997).mkv']);
    const cubes = [1, 2].map((id) => ({ id, title: 'Cube', year: 1997 }));
    tmdb = await startTmdb({ films: cubes, series: [] }, makePng());
    [server, browser] = await Promise.all([
      startServer({ args: ['--net-allow', tmdb.host] }),
      openBrowser(),
    ]);
    const roots = [`${films.path}/Films`];
    for (const [name, role] of Object.entries({ Ada: 'admin', Bob: 'user' }))
      await server.request('POST', '/api/users', { name, password, role });
    const made = await server.request('POST', '/api/libraries', {
      ...{ name: 'Films', type: 'movies', roots },
    });
    library = (made.body as { library: { id: string } }).library.id;
    await until('the film is there', async () => (await titles()).length === 1);
    const context = await browser.newContext({
      ...{ baseURL: server.url, bypassCSP: true, reducedMotion: 'reduce' },
    });
    page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
    });
    await context.request.post('/api/auth/login', {
      data: { name: 'Ada', password },
      headers: { 'x-session': 'cookie' },
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await films?.remove();
    await tmdb?.close();
    expect(complaints).toEqual([]);
  });

  test('a scan that is asked for shows what it found, without a reload', async () => {
    await page.goto('/admin/libraries');
    await page.getByRole('link', { name: /^Films/ }).click();
    await page.getByRole('heading', { name: 'Films', level: 1 }).waitFor();
    await films.write('Films/Brazil (1985).mkv');
    await press('Scan now');
    await said('1 new file');
    await page.getByText(/2 titles/).waitFor();
    expect(await flaws()).toEqual([]);
  });

  test('a folder is added with the mouse, and its titles come by themselves', async () => {
    await press('Add a folder');
    await page.getByRole('dialog').getByRole('button', { name: 'More', exact: true }).click();
    await press('Use this folder');
    await page.getByText(`${films.path}/More`).waitFor();
    await page.getByText(/3 titles/).waitFor();
    expect((await titles()).map(({ title }) => title)).toContain('Cube');
  });

  testByNight(
    'unread files are listed with what to do; a title that was taken out is shown again by a press',
    async () => {
      const unread = page.getByRole('list', { name: 'Files that cannot be read' });
      await unread.getByText('Alien (1979).mkv').waitFor();
      await unread.getByText('This file is damaged, or not what its name says.').first().waitFor();
      await unread.getByText('Put a good copy in its place').first().waitFor();
      const brazil = (await titles()).find(({ title }) => title === 'Brazil')?.id ?? '';
      await server.request('DELETE', `/api/items/${brazil}`);
      const removed = page.getByRole('list', { name: 'Taken out' });
      await removed.getByText('Brazil (1985).mkv').waitFor();
      expect(await flaws()).toEqual([]);
      await press('Show again: Brazil (1985).mkv');
      await until('the film is back', async () =>
        (await titles()).some(({ title }) => title === 'Brazil'),
      );
      await removed.waitFor({ state: 'detached' });
    },
  );

  testByNight('an admin says which of two films of one name it is, by their posters', async () => {
    await server.request('PUT', '/api/plugins/tmdb/configuration', {
      ...{ baseUrl: `${tmdb.url}/3`, imageBaseUrl: `${tmdb.url}/t/p` },
    });
    await server.request('PUT', '/api/plugins/tmdb/permissions', {
      granted: {
        ...{ metadata: 'write', serves: ['indexer'], secrets: true },
        net: ['api.themoviedb.org', 'image.tmdb.org'],
      },
    });
    await server.request('PUT', '/api/plugins/tmdb/secrets/apiKey', {
      ...{ value: madeKey, hosts: [tmdb.host] },
    });
    const id = (await titles()).find(({ title }) => title === 'Cube')?.id ?? '';
    await page.goto('/admin/matches');
    const cube = page.getByRole('region', { name: 'Cube' });
    await cube.getByRole('button', { name: 'This is it' }).nth(1).waitFor();
    await page.waitForFunction(
      "[...document.querySelectorAll('.poster img')].filter((one) => one.naturalWidth > 0).length === 2",
    );
    expect(await flaws()).toEqual([]);
    await cube.getByRole('button', { name: 'This is it' }).nth(1).click();
    await said('Nothing needs a look.');
    const { match } = await server.get<{ match: object }>(`/api/items/${id}/match`);
    expect(match).toMatchObject({ pluginId: 'tmdb', id: '2', manual: true });
  });

  testByNight('an admin looks a film up again, and says that its entry is wrong', async () => {
    const id = (await titles()).find(({ title }) => title === 'Cube')?.id ?? '';
    await page.goto(`/admin/items/${id}`);
    await page.getByLabel('Words to search for').fill('Cube');
    await press('Search');
    await expect.poll(() => page.locator('.candidates > li').count()).toBe(2);
    await press('This is wrong');
    await page.getByRole('dialog').getByRole('button', { name: 'This is wrong' }).click();
    await said('It is known by its files only now.');
    const matchNow = () => server.get(`/api/items/${id}/match`);
    expect(await matchNow()).toMatchObject({ match: null });
    await page.getByRole('button', { name: 'This is it' }).nth(1).click();
    await expect.poll(matchNow).toMatchObject({ match: { pluginId: 'tmdb', id: '2' } });
  });

  testByNight('an admin says which of two catalogues wins in a library, and it stays', async () => {
    await server.request('PUT', '/api/plugins/wikidata/configuration', {
      ...{ baseUrl: tmdb.url, wikipediaUrl: tmdb.url, imageBaseUrl: tmdb.url },
    });
    await server.request('PUT', '/api/plugins/wikidata/permissions', {
      granted: { metadata: 'write', serves: ['indexer'], net: ['www.wikidata.org'] },
    });
    await page.goto(`/admin/libraries/${library}`);
    const lines = page.getByRole('list', { name: 'Sources' }).getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(2);
    const last = await lines.nth(1).locator('bdi').innerText();
    await press(`Move ${last} up`);
    await expect.poll(() => lines.nth(0).locator('bdi').innerText()).toBe(last);
    await page.reload();
    await expect.poll(() => lines.nth(0).locator('bdi').innerText()).toBe(last);
    expect(await flaws()).toEqual([]);
  });

  testByNight(
    'an admin gives posters an order of their own, and a library its languages',
    async () => {
      const stored = () => server.get<object>(`/api/libraries/${library}/sources`);
      await page.getByLabel('Another order for one field').selectOption({ label: 'Poster' });
      const posters = page.getByRole('list', { name: 'Sources of Poster' }).getByRole('listitem');
      await expect.poll(() => posters.count()).toBe(2);
      const [first = '', second = ''] = await posters.locator('bdi').allInnerTexts();
      await press(`Move ${second} for Poster up`);
      await expect.poll(() => posters.locator('bdi').allInnerTexts()).toEqual([second, first]);
      const languages = page.getByLabel('Languages: Add a language');
      await languages.selectOption({ label: 'German' });
      await page.getByRole('button', { name: 'Remove German' }).waitFor();
      await languages.selectOption({ label: 'French' });
      await press('Move French up');
      // At the top it moves no more, and keeps the focus.
      const atTop = page.getByRole('button', { name: 'Move French up', disabled: true });
      await atTop.and(page.locator(':focus')).waitFor();

      await expect.poll(stored).toMatchObject({ languages: ['fr', 'de'] });
      expect(await flaws()).toEqual([]);
      await press('No order of its own: Poster');
      await expect.poll(stored).toMatchObject({ fields: {}, languages: ['fr', 'de'] });
    },
  );

  testByNight('a field that is edited is locked, and is given back to scans', async () => {
    const id = (await titles()).find(({ title }) => title === 'Alien')?.id ?? '';
    await page.goto(`/items/${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Title', { exact: false }).first().fill('Alien, the first');
    await press('Save');
    await said('Edited by a person.');
    expect(await flaws()).toEqual([]);
    await press('Give back to scans: Title');
    await until('the title is as the file says', async () =>
      (await titles()).some(({ title }) => title === 'Alien'),
    );
  });

  testByNight('a picture of a title is switched off, which is undone or given back', async () => {
    const cube = (await titles()).find(({ title }) => title === 'Cube')?.id ?? '';
    await page.goto(`/admin/items/${cube}`);
    const poster = page.getByRole('img', { name: 'Poster of Cube' });
    await poster.waitFor();
    await said('Poster · from TMDB');
    await press('Choose another: Poster');
    expect(await flaws()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Show none' }).click();
    await said('Chosen by a person.');
    await poster.waitFor({ state: 'detached' });
    await press('Undo');
    await poster.waitFor();
    await page.getByText('Chosen by a person.').waitFor({ state: 'detached' });
    await press('Choose another: Poster');
    await page.getByRole('button', { name: 'Picture 1, from TMDB' }).click();
    await said('Chosen by a person.');
    await poster.waitFor();
  });

  testByNight(
    'a picture is uploaded: the tile shows it, a refresh keeps it, and the undo takes it away',
    async () => {
      const isCube = ({ title }: { readonly title: string }) => title === 'Cube';
      const cube = (await titles()).find(isCube)?.id ?? '';
      const shown = async (): Promise<string> => {
        const { items } = await server.get<Tiles>('/api/items?fields=tile');
        return items.find(isCube)?.picture?.id ?? '';
      };
      const upload = async (): Promise<void> => {
        await press('Choose another: Poster');
        const buffer = makePng({ width: 40, height: 60 });
        const file = { name: 'mine.png', mimeType: 'image/png', buffer };
        await page.getByLabel('Upload a picture').setInputFiles(file);
        await until('another picture is shown', async () => (await shown()) !== before);
      };
      await page.goto(`/admin/items/${cube}`);
      const before = await shown();
      await upload();
      await press('Undo');
      await until('it is deleted', async () => {
        const { pictures } = await server.get<Offered>(`/api/items/${cube}/pictures`);
        return !pictures.some(({ isUploaded }) => isUploaded);
      });
      await until('the first one is shown again', async () => (await shown()) === before);

      await upload();
      const mine = await shown();
      const reply = await fetch(`${server.url}/api/assets/${mine}`, {
        headers: { authorization: `Bearer ${adminToken}` },
      });
      expect(reply.headers.get('content-type')).toBe('image/webp');
      await server.request('POST', `/api/items/${cube}/refresh`);
      await server.request('POST', '/api/jobs', { type: 'scan', libraryId: library });
      await jobsOver(server);
      expect(await shown()).toBe(mine);
      const fake = Buffer.from('<svg onload="alert(1)"/>').toString('base64');
      const body = { type: 'poster', image: fake };
      const refused = await server.request('POST', `/api/items/${cube}/pictures`, body);
      expect(refused).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining('JPEG') },
      });
      const cut = makePng().subarray(0, 60).toString('base64');
      const broken = await server.request('POST', `/api/items/${cube}/pictures`, {
        ...{ type: 'poster', image: cut },
      });
      expect(broken.status).toBe(422);
    },
  );

  testByNight('a picture of a person is uploaded, and the undo takes it away', async () => {
    const { entities } = await server.get<{ entities: readonly { id: string; name: string }[] }>(
      '/api/entities?type=person',
    );
    const { id = '', name = '' } = entities[0] ?? {};
    const shown = async (): Promise<string | undefined> => {
      const { entity } = await server.get<{ entity: { assets: { photo?: string } } }>(
        `/api/entities/${id}`,
      );
      return entity.assets.photo;
    };
    const before = await shown();
    await page.goto(`/admin/entities/${id}`);
    await press('Choose a picture');
    const buffer = makePng({ width: 40, height: 60 });
    await page
      .getByLabel('Upload a picture')
      .setInputFiles({ name: 'mine.png', mimeType: 'image/png', buffer });
    await page.getByRole('img', { name: `Photo of ${name}` }).waitFor();
    const mine = await shown();
    const headers = { authorization: `Bearer ${adminToken}` };
    const reply = await fetch(`${server.url}${mine ?? ''}`, { headers });
    expect(reply.headers.get('content-type')).toBe('image/webp');
    await press('Undo');
    await until('it is deleted', async () => {
      const { status } = await fetch(`${server.url}${mine ?? ''}`, { headers });
      return status === 404 && (await shown()) === before;
    });
  });

  testByNight('a person is signed out by an admin, and sees the libraries of a group', async () => {
    await server.request('POST', '/api/auth/login', { name: 'Bob', password });
    await page.goto('/admin/people');
    await press('Add a group');
    await page.getByRole('dialog').getByLabel('Name').fill('Children');
    await page.getByRole('dialog').getByRole('checkbox').first().check();
    await press('Save');
    await said('1 library, 0 people');
    await press('Add a group');
    await page.getByRole('dialog').getByLabel('Name').fill('Children');
    await press('Save');
    // A message over a window is part of it: what is behind cannot be pressed, nor is it read aloud.
    await page.getByRole('dialog').locator('.toasts p').first().click({ trial: true });
    await page.keyboard.press('Escape');
    await page.locator('body > .toasts p').first().click({ trial: true });
    await page.getByRole('link', { name: 'Bob' }).click();
    await page.getByRole('checkbox', { name: 'All libraries' }).uncheck();
    await page.getByRole('checkbox', { name: 'Children' }).check();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await until('he is in the group', async () => {
      const { users } = await server.get<{ users: readonly { groupIds: readonly string[] }[] }>(
        '/api/users',
      );
      return users.some(({ groupIds }) => groupIds.length === 1);
    });
    await page.getByRole('button', { name: /^Sign out of/ }).click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await said('Not signed in anywhere.');
    expect(await flaws()).toEqual([]);
  });

  test('the log is filtered by level', async () => {
    await page.goto('/admin/logs');
    await page.getByLabel('How much is shown').selectOption('error');
    await said('Nothing was written.');
    expect(new URL(page.url()).searchParams.get('level')).toBe('error');
  });

  test('a problem is the first thing to do, until it is over, without a reload', async () => {
    const empty = await createMediaTree([]);
    // No plugin finds files for this type.
    const broken = { name: 'Broken', type: 'nothing', roots: [empty.path] };
    const made = await server.request('POST', '/api/libraries', broken);
    const { id } = (made.body as { library: { id: string } }).library;
    await page.goto('/admin');

    const toDo = page.locator('li', { has: page.locator(`a[href="/admin/libraries/${id}"]`) });
    expect(await toDo.innerText()).toContain('The last scan of the library Broken failed.');
    await server.request('DELETE', `/api/libraries/${id}`);
    await toDo.waitFor({ state: 'detached' });
    await empty.remove();
  });

  testByNight('no page says a route, a code or an id to people', async () => {
    const own = (await titles()).find(({ title }) => title === 'Cube')?.id ?? '';
    await page.goto('/admin');
    const tabs = await page
      .locator('.tabs a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    const { users } = await server.get<{ users: readonly { id: string }[] }>('/api/users');
    const places = [
      ...tabs.filter((place) => !/^\/admin\/(logs|audit)$/.test(place)),
      ...['libraries', 'items', 'people', 'plugins'].flatMap((kind, at) => {
        const id = [library, own, users[0]?.id ?? '', 'tmdb'][at] ?? '';
        return [`/admin/${kind}/${id}`, `/admin/${kind}/${nowhere}`];
      }),
      ...['/', '/libraries', '/search?q=cube', '/me', '/account', '/lists', '/profiles'],
      ...[`/libraries/${library}`, `/libraries/${nowhere}`, `/items/${own}`, `/items/${nowhere}`],
      ...['watch', 'read', 'photos', 'people', 'lists'].map((kind) => `/${kind}/${nowhere}`),
      ...['/plugins/tmdb', '/nowhere'],
    ];
    const said: string[] = [];
    for (const place of sampleOf(places, 12)) {
      await page.goto(place);
      await page.waitForFunction(
        "document.querySelector('main h1, .problem') && !document.querySelector('[aria-busy=true]')",
      );
      for (const words of await wordsOf(page))
        if (notForPeople.test(words)) said.push(`${place}: ${words}`);
    }
    expect(said).toEqual([]);
  });

  testByNight(
    'every page is reached and walked by keys alone, and axe finds no flaw',
    async () => {
      await page.goto('/admin');
      await page.getByRole('heading', { level: 1 }).waitFor();
      const places = await page
        .locator('.tabs a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(places.length).toBeGreaterThan(10);
      for (const place of sampleOf(places, 4)) {
        await openByKeys(page, place);
        expect([place, await walkByKeys(page), await flaws()]).toEqual([place, [], []]);
      }
      const details = ['/admin/libraries', '/admin/plugins', '/admin/people'];
      for (const place of isNightly ? details : ['/admin/plugins']) {
        await openByKeys(page, place);
        const card = await page.locator(`main a[href^="${place}/"]`).first().getAttribute('href');
        await openByKeys(page, card ?? '');
        expect([card, await walkByKeys(page), await flaws()]).toEqual([card, [], []]);
      }
    },
    120_000,
  );

  test('a library is deleted after a question; its files stay', async () => {
    await page.goto(`/admin/libraries/${library}`);
    await press('Delete the library');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the library' }).click();
    await said('Films was deleted.');
    expect(await titles()).toEqual([]);
  });
});
