/** The pages of people in a real browser: profiles with PINs, lists, and what plugins put on pages. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writePlugin } from '../faults/write-plugin.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';

/** A button that asks, and a form, in the settings. */
const definition = `
  views: {
    'ui.settings.sections': () => [
      { type: 'action', slot: 'settings-panes', id: 'greet', label: 'Greet', rpcMethod: 'greet',
        confirm: 'Shall it greet?' },
      { type: 'form', slot: 'settings-panes', id: 'name', title: 'Whom to greet',
        fields: [{ key: 'who', label: 'Who', input: 'text', required: true }],
        submit: { rpcMethod: 'greet', label: 'Send it' } },
      { type: 'metadata', slot: 'sidebar-bottom', id: 'lost', title: 'In no place of this page',
        layout: 'chips', fields: [{ key: 'a' }] },
    ],
    'ui.shell': () => [
      { type: 'metadata', slot: 'sidebar-discover', id: 'log', title: 'The log of the harbour',
        layout: 'key-value', fields: [{ key: 'Ships', value: '4' }] },
      { type: 'action', slot: 'sidebar-bottom', id: 'horn', label: 'Sound the horn',
        rpcMethod: 'greet' },
      { type: 'action', slot: 'command-palette', id: 'hail', label: 'Hail the harbour',
        rpcMethod: 'greet', confirm: 'Shall it hail?' },
      { type: 'metadata', slot: 'hero-banner', id: 'lost', title: 'In no place of the shell',
        layout: 'chips', fields: [{ key: 'a' }] },
    ],
  },
  actions: { greet: ({ values }) => 'Good day, ' + (values?.who ?? 'stranger') },
`;

let server: TestServer;
let browser: Browser;
let data: string;
let films: MediaTree;
let filmIds: readonly string[];

/** What no page may do: break its own policy, throw, or write an error. */
const complaints: string[] = [];

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself notes each refusal of the server, which these tests provoke.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return page;
}

/** The sign-in of each person, which the next page of that person has already. */
const sessions = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>();

/** A page of somebody, in a context of its own, that shows the profiles. */
async function signedIn(name: string, bypassCSP = false): Promise<Page> {
  const storageState = sessions.get(name);
  const context = await browser.newContext({
    ...{ baseURL: server.url, bypassCSP },
    // Colours that change slowly are not read halfway.
    reducedMotion: 'reduce',
    ...(storageState !== undefined && { storageState }),
  });
  const page = await openPage(context);
  await page.goto(storageState === undefined ? '/sign-in?to=/profiles' : '/profiles');
  if (storageState === undefined) {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }
  await page.getByRole('heading', { name: 'Who is watching?' }).waitFor();
  sessions.set(name, await context.storageState());
  return page;
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

async function typePin(page: Page, pin: string): Promise<void> {
  for (const digit of pin) await press(page, digit);
  await press(page, 'Unlock');
}

const titles = (page: Page): Promise<readonly string[]> =>
  page.locator('.ordered .title').allTextContents();

const newUser = async (name: string, role: string): Promise<string> => {
  const { body } = await server.request('POST', '/api/users', { name, role, password });
  return (body as { user: { id: string } }).user.id;
};

describe.skipIf(!hasBrowser)('the pages of people (need Chromium)', () => {
  beforeAll(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'vitrine-people-'));
    films = await createMediaTree(['Alien (1979).mkv', 'Brazil (1985).mkv', 'Cube (1997).mkv']);
    await writePlugin(data, {
      ...{ id: 'greeter', definition, actions: ['greet'] },
      subscriptions: { views: ['ui.settings.sections', 'ui.shell'] },
    });
    server = await startServer({ data, args: ['--library', `movies:Films:${films.path}`] });
    browser = await openBrowser();
    await newUser('Ada', 'admin');
    const bob = await newUser('Bob', 'user');
    const { profiles } = await server.get<{ profiles: readonly { id: string }[] }>(
      `/api/profiles?userId=${bob}`,
    );
    await server.request('PATCH', `/api/profiles/${profiles[0]?.id ?? ''}`, { pin: '2468' });
    await until('all films are there', async () => {
      const { items } = await server.get<{ items: readonly { id: string }[] }>('/api/items');
      filmIds = items.map(({ id }) => id);
      return items.length === 3;
    });
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await films?.remove();
    if (data !== undefined) await rm(data, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('a profile is made with a PIN; five wrong ones close it, which is told in words', async () => {
    const page = await signedIn('Ada');
    await press(page, 'Add a profile');
    await page.getByLabel('Name').fill('Kid');
    await page.getByLabel('PIN of 4 to 8 digits').fill('4711');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a profile' }).click();
    await page.getByRole('button', { name: /^Kid/ }).click();
    await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor();
    for (let at = 0; at < 5; at += 1) {
      const answer = page.waitForResponse((reply) => reply.url().endsWith('/unlock'));
      await typePin(page, '0000');
      await answer;
      await page.getByText('That PIN is wrong.').waitFor();
    }
    await typePin(page, '4711');
    await page.getByText('Wait ten minutes').waitFor();

    await page.getByRole('link', { name: 'Another profile' }).click();
    await page.getByRole('button', { name: /^Ada/ }).first().click();
    await page.locator('.tile').first().waitFor();
    await page.context().close();
  });

  test('a PIN on the only profile shuts nobody out: the pad and the way out are there', async () => {
    const page = await signedIn('Bob');
    await page.goto('/');
    await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await typePin(page, '2468');
    await page.locator('.tile').first().waitFor();

    await page.goto('/profiles');
    await press(page, 'Change Bob');
    await page.getByLabel('Present PIN').fill('2468');
    await press(page, 'Remove the PIN');
    await page.getByText('The PIN was removed.').waitFor();
    await page.context().close();
  });

  test('the profile that is chosen hears of its own lists at once', async () => {
    const page = await signedIn('Bob');
    await press(page, 'Add a profile');
    await page.getByLabel('Name').fill('Guest');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a profile' }).click();
    await page.getByRole('button', { name: /^Guest/ }).click();
    await page.locator('.tile').first().waitFor();
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('heading', { name: 'Lists' }).waitFor();

    const other = await openPage(page.context());
    await other.goto(`/items/${filmIds[0] ?? ''}`);
    await press(other, 'Add to a list');
    await other.getByText('New list').click();
    await other.getByLabel('Name').fill('Rainy days');
    await press(other, 'Make the list');
    await other.getByText('Added to Rainy days').waitFor();

    await page.getByRole('link', { name: /Rainy days/ }).waitFor();
    await page.context().close();
  });

  test('preferences are kept: the theme at once, and a row of the home page that is hidden', async () => {
    const page = await signedIn('Bob');
    await page.goto('/me');
    const isSaved = () =>
      page.waitForResponse(
        (reply) => reply.request().method() === 'PUT' && reply.url().endsWith('/preferences'),
      );
    const theme = isSaved();
    await page.getByLabel('Theme').selectOption('light');
    await page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
    await theme;
    const row = isSaved();
    await press(page, 'Show New in Films');
    await row;
    await page.getByText('Saved').first().waitFor();
    const home = page.waitForResponse((reply) => reply.url().endsWith('/api/home'));
    await page.goto('/');
    await home;
    await page.locator('html[data-theme=light]').waitFor({ state: 'attached' });
    expect(await page.getByRole('heading', { name: 'New in Films' }).count()).toBe(0);
    await page.context().close();
  });

  test('a playlist is made on the page of a film, put in order, and loses nothing by a slip', async () => {
    const page = await signedIn('Bob');
    for (const [at, id] of filmIds.entries()) {
      await page.goto(`/items/${id}`);
      await press(page, 'Add to a list');
      if (at === 0) {
        await page.getByText('New list').click();
        await page.getByLabel('Name').fill('Evening');
        await press(page, 'Make the list');
      } else await page.getByRole('button', { name: /^Evening/ }).click();
      await page.getByText('Added to Evening').waitFor();
    }
    await page.getByRole('link', { name: 'Lists' }).click();
    await page.getByRole('link', { name: /Evening/ }).click();
    await press(page, 'Arrange');
    const before = await titles(page);
    expect(before).toHaveLength(3);

    const [first = '', second = '', third = ''] = before;
    await press(page, `Move ${third} up`);
    await expect.poll(() => titles(page)).toEqual([first, third, second]);
    await press(page, `Remove ${first}`);
    await page.getByText(`${first} was removed`).waitFor();
    await press(page, 'Undo');
    await expect.poll(() => titles(page)).toEqual([first, third, second]);
    await page.reload();
    await press(page, 'Arrange');
    await expect.poll(() => titles(page)).toEqual([first, third, second]);

    await press(page, 'Delete the list');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await press(page, 'Delete the list');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the list' }).click();
    await page.getByText('Evening was deleted.').waitFor();
    await page.context().close();
  });

  test('a piece of a plugin asks with its name, says what came of it, and can be hidden', async () => {
    const page = await signedIn('Ada');
    await page.goto('/me');
    await press(page, 'Greet');
    await page.getByRole('dialog', { name: 'greeter asks' }).getByText('Shall it greet?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Greet' }).click();
    await page.getByText('greeter: Good day, stranger').waitFor();
    await page.getByRole('textbox', { name: 'Who' }).fill('Bob');
    await press(page, 'Send it');
    await page.getByText('greeter: Good day, Bob').waitFor();
    expect(await page.getByText('In no place').count()).toBe(0);

    expect(await page.getByText('from greeter').count()).toBe(3);
    await press(page, 'Hide Greet');
    await expect.poll(() => page.getByText('from greeter').count()).toBe(2);
    await page.context().close();
  });

  test('a plugin adds entries and commands, which lead to its page or run an action', async () => {
    const page = await signedIn('Ada');
    await page.goto('/libraries');
    const entry = page.getByRole('region', { name: 'The log of the harbour' });
    await entry.getByText('from greeter').waitFor();
    await entry.getByRole('link', { name: 'The log of the harbour' }).click();
    await page.getByRole('heading', { name: 'greeter', level: 1 }).waitFor();
    await page.getByText('Ships').waitFor();
    expect(new URL(page.url()).pathname).toBe('/plugins/greeter');
    expect(await page.getByText('In no place').count()).toBe(0);

    await page.goto('/me');
    await press(page, 'Sound the horn');
    await page.getByText('greeter: Good day, stranger').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('hail');
    const line = page.getByRole('option', { name: /Hail the harbour/ });
    await line.getByText('from greeter').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'greeter asks' }).getByText('Shall it hail?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Hail the harbour' }).click();
    await page.getByText('greeter: Good day, stranger').last().waitFor();
    await page.context().close();
  });

  test('hostile commands take no place of the app, of other plugins, or of what is found', async () => {
    const page = await signedIn('Ada');
    const markup = '<img src=x onerror="window.hacked=1">';
    const command = { type: 'action', slot: 'command-palette', rpcMethod: 'greet' };
    const bad = Array.from({ length: 1000 }, (_, at) => ({
      ...{ ...command, pluginId: 'bad', id: `p${at}` },
      label: at === 0 ? 'Home'.padEnd(1_000_000, 'x') : `Home Alien ${markup}`,
    }));
    const good = { ...command, pluginId: 'greeter', id: 'g', label: 'Home of the good' };
    await page.route('**/api/plugins/views/ui.shell*', (route) =>
      route.fulfill({ json: [...bad, good] }),
    );
    await page.goto('/libraries');
    await page.locator('.card').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('home');
    await page.getByText('from bad').first().waitFor();
    const lines = page.locator('.palette-lines').getByRole('option');
    expect(await lines.first().innerText()).toBe('Home');
    expect(await page.getByText('from bad').count()).toBe(19);
    await page.getByRole('option', { name: /Home of the good/ }).waitFor();
    expect(Math.max(...(await lines.allInnerTexts()).map(({ length }) => length))).toBeLessThan(
      200,
    );

    await page.getByRole('combobox', { name: 'Go to' }).fill('alien');
    await expect.poll(() => lines.first().innerText()).toMatch(/^Alien\s+Films$/);
    expect(await page.getByRole('dialog').locator('img').count()).toBe(0);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await page.context().close();
  });

  test('a hostile piece changes nothing but its own box', async () => {
    const page = await signedIn('Ada');
    const markup = '<img src=x onerror="window.hacked=1"><style>*{display:none}</style>';
    const facts = [
      { key: markup, value: 'javascript:window.hacked=1', image: 'https://example.org/a.png' },
      { key: '\u202Eevil', value: 'https://example.org/out', itemId: '../../sign-in' },
    ];
    const piece = { pluginId: 'greeter', slot: 'detail-sections', type: 'metadata' };
    const pieces = Array.from({ length: 1000 }, (_, at) => ({
      ...{ ...piece, id: `p${at}`, title: at === 0 ? markup.padEnd(1_000_000, 'x') : markup },
      fields: facts,
      layout: ['key-value', 'list', 'chips', 'gallery'][at % 4],
    }));
    const hostile = [{ ...piece, slot: 'routes', id: 'r', fields: [] }, 7, null, ...pieces];
    await page.route('**/api/plugins/views/ui.item.detail.panels*', (route) =>
      route.fulfill({ json: hostile }),
    );
    // It never answers, and the page does not wait for it.
    await page.route('**/api/plugins/views/ui.item.detail.actions*', () => undefined);
    const strange: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) strange.push(request.url());
    });

    await page.goto(`/items/${filmIds[0] ?? ''}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.piece').first().waitFor();

    expect(await page.locator('.piece').count()).toBe(20);
    expect(await page.getByText('from greeter').count()).toBe(20);
    expect(await page.locator('.piece img, .piece style').count()).toBe(0);
    expect(await page.locator('.piece h3').nth(1).textContent()).toBe(markup);
    const links = await page.evaluate(
      "[...document.querySelectorAll('.piece a')].map((a) => a.href)",
    );
    expect(new Set(links as string[])).toEqual(new Set(['https://example.org/out']));
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(strange).toEqual([]);
    await page.context().close();
  });

  test('the page of consent quotes a plugin as text, and draws and asks nothing of it', async () => {
    const page = await signedIn('Ada');
    const markup = '<img src=x onerror="window.hacked=1"><b>Granted already</b>\u202E';
    await page.route('**/api/plugins/greeter/permissions', async (route) => {
      const reply = await route.fetch();
      const powers = (await reply.json()) as Record<string, unknown>;
      const asks = { permission: 'net', sentence: 'It may ask a host.', reason: markup };
      await route.fulfill({ response: reply, json: { ...powers, sentences: [asks] } });
    });
    const piece = { pluginId: 'greeter', type: 'metadata', id: 'p', title: markup, fields: [] };
    const asked: string[] = [];
    await page.route('**/api/plugins/views/**', async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      await route.fulfill({ json: [{ ...piece, slot: 'detail-sections' }] });
    });
    const strange: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) strange.push(request.url());
    });

    await page.goto('/admin/plugins/greeter');
    await page.getByText('It may ask a host.').first().waitFor();

    const quoted = page.locator('main').getByText('Granted already').first();
    expect(await quoted.innerText()).toContain('<b>Granted already</b>');
    expect(await page.locator('main .piece, main img[src="x"], main b').count()).toBe(0);
    // The menu of the app may have lines of plugins; the page itself asks for none.
    expect(asked.filter((place) => !place.endsWith('/ui.shell'))).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(strange).toEqual([]);
    await page.context().close();
  });

  test('all of them are accessible (WCAG 2.2 AA), in light and in dark', async () => {
    const page = await signedIn('Ada', true);
    const faults: string[] = [];
    const look = async (url: string, ready: string): Promise<void> => {
      await page.goto(url);
      await page.locator(ready).first().waitFor();
      await check(url);
    };
    const check = async (where: string): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'light' });
      const light = await faultsOf(page, wcag);
      // In the dark only the colours are others.
      await page.emulateMedia({ colorScheme: 'dark' });
      const found = [...light, ...(await faultsOf(page, ['color-contrast']))];
      faults.push(...found.map((fault) => `${where} ${fault}`));
    };
    await look('/profiles', '.choose');
    await press(page, 'Change Ada');
    await check('the profile');
    await look('/me', '.piece');
    await look('/plugins/greeter', '.piece');
    await look('/lists', 'h1');
    await press(page, 'New list');
    await page.getByLabel('Name').fill('Late');
    await press(page, 'Make the list');
    await page.getByRole('heading', { name: 'Late', level: 1 }).waitFor();
    await check('a list');
    await look('/lists/favourites', '.empty');
    await look('/libraries', '.card');
    await page.getByText('Add a library').click();
    await press(page, 'Browse the folders');
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await check('the folders');
    await page.goto('/profiles');
    await page.getByRole('button', { name: /^Kid/ }).click();
    await page.getByRole('heading', { name: 'Enter the PIN' }).waitFor();
    await check('the pad');

    expect(faults).toEqual([]);
    await page.context().close();
  });
});

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Faults that a checker of these rules finds on the page as it is. */
async function faultsOf(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  const found = await page.evaluate(`(() => {
    if (window.axe === undefined) { ${axe} }
    return window.axe.run({ runOnly: ${JSON.stringify(runOnly)} });
  })()`);
  const { violations } = found as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
