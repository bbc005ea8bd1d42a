/** What people and admins do on pages now and then, with the mouse in a real browser, each looked at by the API. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../kernel/index.ts';
import {
  startLicenseAuthority,
  type LicenseAuthority,
} from '../../packages/app/license-authority/index.ts';
import { writePlugin } from '../faults/write-plugin.ts';
import { hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { makePng } from '../support/pictures/made-png.ts';
import { createTestIssuer } from '../support/plugins/license.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
const { issuer, issue } = createTestIssuer();

/** Jobs that fail and that last, a note to the admins, and a token of each profile. */
const keeper = {
  id: 'keeper',
  permissions: { notifications: true, secrets: true },
  capabilityConfig: { jobs: { runs: ['keeper.fail', 'keeper.last'] } },
  further: {
    configuration: [{ key: 'greeting', label: 'Greeting', input: 'text' }],
    profileConfiguration: [{ key: 'token', label: 'Token', input: 'secret' }],
  },
  actions: ['tell'],
  definition: `
    actions: { tell: async (_params, host) =>
      host.notifications.tell({ level: 'warning', title: 'The keeper is tired.' }) },
    methods: { 'job.run': ({ type }) => {
      if (type === 'keeper.fail') throw new Error('It cannot be done.');
      return new Promise((end) => setTimeout(() => end({ done: false, checkpoint: 1, progress: 0.5 }), 100));
    } }`,
};

interface Named {
  readonly id: string;
  readonly name: string;
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('on the pages (need Chromium and ffmpeg)', () => {
  let data: string;
  let media: MediaTree;
  let authority: LicenseAuthority;
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  async function signedIn(name: string, secret: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
    const opened = await context.newPage();
    opened.setDefaultTimeout(20_000);
    opened.on('pageerror', (error) => void complaints.push(error.message));
    await opened.goto('/sign-in?to=/account');
    await opened.getByLabel('Name', { exact: true }).fill(name);
    await opened.getByLabel('Password').fill(secret);
    await opened.getByRole('button', { name: 'Sign in' }).click();
    await opened.getByRole('heading', { level: 1, name }).waitFor();
    return opened;
  }

  const press = (name: string | RegExp): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();
  /** Answers the question that a page asks before something is lost. */
  const agree = (name: string, question?: string): Promise<void> =>
    page
      .getByRole('dialog', question === undefined ? {} : { name: question })
      .last()
      .getByRole('button', { name, exact: true })
      .click();
  const said = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();
  const open = (summary: string): Promise<void> => page.getByText(summary, { exact: true }).click();

  const titles = async (query = ''): Promise<readonly { id: string; title: string }[]> =>
    (await server.get<{ items: readonly { id: string; title: string }[] }>(`/api/items${query}`))
      .items;
  const item = async (title: string): Promise<string> =>
    (await titles()).find((one) => one.title.startsWith(title))?.id ?? '';
  interface Entity extends Named {
    readonly itemCount: number;
  }
  const entities = async (type: string): Promise<readonly Entity[]> =>
    (await server.get<{ entities: readonly Entity[] }>(`/api/entities?type=${type}`)).entities;
  const users = async (): Promise<readonly Named[]> =>
    (await server.get<{ users: readonly Named[] }>('/api/users')).users;

  beforeAll(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'vitrine-operations-'));
    await writePlugin(data, keeper);
    media = await createMediaTree([
      ...['films/Alien (1979).mkv', 'films/Brazil (1985).mkv', 'films/Cube (1997).mkv'],
      ...[1, 2].map((episode) => `shows/Empire/Season 1/Empire S01E0${episode}.mkv`),
      'shows/Empyre/Season 1/Empyre S01E03.mkv',
    ]);
    for (const film of ['Alien (1979)', 'Brazil (1985)'])
      await media.write(`films/${film}.nfo`, '<movie><genre>Horror</genre></movie>');
    await media.write('music/Quiet/Blue/01 - Song.lrc', '[00:00.10]Quiet goes the water\n');
    const tags = ['title=Song', 'album=Blue', 'artist=Quiet'].flatMap((tag) => ['-metadata', tag]);
    const album = path.join(media.path, 'music/Quiet/Blue');
    mkdirSync(album, { recursive: true });
    copyFileSync(
      makeMedia('mp3', [...tone(20), '-c:a', 'libmp3lame', ...tags]),
      path.join(album, '01 - Song.mp3'),
    );
    authority = await startLicenseAuthority({
      ...{ host: '127.0.0.1', port: 0, issuer, rate: 10_000, now: Date.now, log: silentLog },
      data: await mkdtemp(path.join(data, 'authority-')),
    });
    [server, browser] = await Promise.all([
      startServer({
        data,
        args: [
          ...['--library', `movies:Films:${media.path}/films`],
          ...['--library', `tv:Shows:${media.path}/shows`],
          ...['--library', `music:Music:${media.path}/music`],
          ...['--license-issuer', issuer, '--license-authority', authority.url],
        ],
      }),
      openBrowser(),
    ]);
    await server.request('POST', '/api/users', { name: 'Ada', role: 'admin', password });
    const { asked } = await server.get<{ asked: object }>('/api/plugins/keeper/permissions');
    await server.request('PUT', '/api/plugins/keeper/permissions', { granted: asked });
    await jobsOver(server);
    page = await signedIn('Ada', password);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await Promise.all([media?.remove(), authority?.stop()]);
    if (data !== undefined) await rm(data, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('a key is made, shown once and removed; another device is signed out; the password changes', async () => {
    await page.getByLabel('Name of a new key').fill('Script');
    await press('Create a key');
    await page.getByRole('dialog', { name: 'Your new key' }).getByText(/^vtk_/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await press('Remove Script');
    await agree('Remove');
    await said('Script was removed.');

    const signOuts = page.getByRole('button', { name: /^Sign out of (?!all)/ });
    const others: Page[] = [];
    // A sign-in elsewhere is in the list at once.
    for (const count of [1, 2]) {
      others.push(await signedIn('Ada', password));
      await expect.poll(() => signOuts.count()).toBe(count);
    }
    await press(/^Sign out of /);
    await agree('Sign out');
    await said(/ is signed out\.$/);
    await press('Sign out of all other devices');
    await agree('Sign out');
    await said('All other devices are signed out.');
    const { sessions } = await server.get<{ sessions: readonly object[] }>(
      `/api/users/${(await users()).find(({ name }) => name === 'Ada')?.id}/sessions`,
    );
    expect(sessions).toHaveLength(1);
    for (const other of others) await other.context().close();

    const form = page.locator('form').filter({ hasText: 'Change the password' });
    await form.getByLabel('Your password').fill(password);
    await form.getByLabel('New password').fill(`${password} two`);
    await press('Change the password');
    await said('The password was changed.');
  });

  test('what a plugin needs from a profile is typed on the account page', async () => {
    const forms = page.getByRole('region', { name: 'keeper' });
    await forms.getByLabel('Token').fill('hidden words');
    await forms.getByRole('button', { name: 'Save' }).click();
    await said('Saved.');
  });

  test('a person who is not an admin sees a sign-in elsewhere at once, and its end', async () => {
    await server.request('POST', '/api/users', { name: 'Bob', role: 'user', password });
    const theirs = await signedIn('Bob', password);
    const signOuts = theirs.getByRole('button', { name: /^Sign out of (?!all)/ });
    expect(await signOuts.count()).toBe(0);
    const phone = await signedIn('Bob', password);
    await signOuts.waitFor();
    await phone.getByRole('button', { name: 'Sign out', exact: true }).click();
    await signOuts.waitFor({ state: 'detached' });
    await Promise.all([theirs.context().close(), phone.context().close()]);
  });

  test('a device that nobody knows is not let in', async () => {
    const television = await (await browser.newContext({ baseURL: server.url })).newPage();
    await television.goto('/sign-in');
    await television.getByRole('link', { name: 'Sign in by another device' }).click();
    const code = await television.locator('.pairing-code').innerText();
    await page.goto(`/pair/accept?code=${code.replaceAll(/\s/g, '')}`);
    await press('This is not mine');
    await said('The device was not let in.');
    await television.context().close();
  });

  test('a film is liked, rated and marked, and all of it is taken back', async () => {
    const id = await item('Alien');
    const state = () =>
      server.get<{ item: { favourite: boolean; myRating: number | null } }>(`/api/items/${id}`);
    await page.goto(`/items/${id}`);
    for (const isLiked of [true, false]) {
      const answer = page.waitForResponse((reply) => reply.url().endsWith('/favourite'));
      await press('Favourite');
      expect((await answer).request().method()).toBe(isLiked ? 'PUT' : 'DELETE');
    }
    const rated = page.waitForResponse((reply) => reply.url().endsWith('/rating'));
    await press('4 stars');
    expect((await rated).ok()).toBe(true);
    await press('Mark as watched');
    await press('Mark as not watched');
    await page.getByRole('button', { name: 'Mark as watched' }).waitFor();
    expect((await state()).item.favourite).toBe(false);
  });

  test('a show is liked and marked as a whole', async () => {
    const show = (await entities('show')).find(({ name }) => name === 'Empire')?.id ?? '';
    await page.goto(`/shows/${show}`);
    for (const method of ['PUT', 'DELETE']) {
      const answer = page.waitForResponse((reply) => reply.url().endsWith('/favourite'));
      await press('Favourite');
      expect((await answer).request().method()).toBe(method);
    }
    await press('Mark as watched');
    await page.getByRole('button', { name: 'Mark as not watched' }).first().waitFor();
  });

  test('a collection is made, filled, renamed, emptied', async () => {
    await page.goto(`/items/${await item('Brazil')}`);
    await press('Add to a list');
    await open('New list');
    await page.getByLabel('Name').fill('Dark');
    await page.getByLabel('Kind').selectOption('collection');
    await press('Make the list');
    await said('Added to Dark');
    await page.goto('/lists');
    await page.getByRole('link', { name: /Dark/ }).click();
    await press('Rename');
    await page.getByRole('dialog').getByLabel('Name').fill('Darker');
    await agree('Save');
    await page.getByRole('heading', { level: 1, name: 'Darker' }).waitFor();
    await press('Arrange');
    await press('Remove Brazil');
    await said('Brazil was removed from the list.');
    await said('Nothing is in this list yet.');
  });

  test('a song shows its words while it plays', async () => {
    await page.goto(`/items/${await item('Song')}`);
    await press('Play');
    await page.getByRole('region', { name: 'Player' }).waitFor();
    await press('Lyrics');
    await said('Quiet goes the water');
    await press('Stop and close');
  });

  test('two shows that are one are merged', async () => {
    const { id = '' } = (await entities('show')).find(({ name }) => name === 'Empire') ?? {};
    await page.goto(`/admin/entities/${id}`);
    await page.getByLabel('Name of the other one').fill('Empyre');
    await page.locator('form.filters').getByRole('button', { name: 'Search' }).click();
    await press('Merge Empyre into this one');
    await agree('Merge');
    await said('They are one now.');
    expect((await entities('show')).map(({ name, itemCount }) => [name, itemCount])).toEqual([
      ['Empire', 3],
    ]);
  });

  test('two genres that are mixed up are split', async () => {
    const [genre] = await entities('genre');
    await page.goto(`/admin/entities/${genre?.id}`);
    await open('Choose titles to split off');
    await page.getByRole('checkbox', { name: /^Brazil/ }).check();
    await page.getByLabel('Name of the new one').fill('Satire');
    await press('Split off');
    await said('They are two now.');
    expect((await entities('genre')).map(({ name, itemCount }) => [name, itemCount])).toEqual([
      ['Horror', 1],
      ['Satire', 1],
    ]);
  });

  test('a title is taken out of its library', async () => {
    await page.goto(`/admin/items/${await item('Cube')}`);
    await press('Take it out of the library');
    await agree('Take it out of the library');
    await said('Cube was taken out.');
    expect(await item('Cube')).toBe('');
  });

  test('a person is added, gets a new password and is deleted by the name', async () => {
    await page.goto('/admin/people');
    await page.locator('summary').filter({ hasText: 'Add a person' }).click();
    const form = page.locator('details[open]');
    await form.getByLabel('Name', { exact: true }).fill('Carl');
    await form.getByLabel(/^First password/).fill(password);
    await form.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('heading', { level: 1, name: 'Carl' }).waitFor();
    await page.getByLabel('New password').fill(`${password} two`);
    await press('Set the password');
    await said('Carl has a new password.');
    await page.getByLabel('Type Carl to delete this person').fill('Carl');
    await press('Delete the person');
    await agree('Delete the person');
    await said('Carl was deleted.');
    expect((await users()).map(({ name }) => name)).not.toContain('Carl');
  });

  test('an invite is withdrawn; a group is changed and deleted', async () => {
    await page.goto('/admin/people');
    await press('Invite somebody');
    await press('Withdraw');
    await said('The invite is withdrawn.');
    await press('Add a group');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Kids');
    await agree('Save');
    await press('Change Kids');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Children');
    await agree('Save');
    await press('Change Children');
    await agree('Delete the group', 'Children');
    await agree('Delete the group', 'Delete the group');
    await said('Children was deleted.');
  });

  test('a profile gets a picture of its own, and is deleted', async () => {
    await page.goto('/profiles');
    await press('Add a profile');
    await page.getByRole('dialog').getByLabel('Name').fill('Guest');
    await agree('Add a profile');
    await press('Change Guest');
    const image = makePng({ width: 64, height: 64 });
    await page
      .getByLabel('Choose a picture')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(image) });
    await page.getByRole('button', { name: 'Remove the picture' }).waitFor();
    await agree('Delete the profile', 'Guest');
    await agree('Delete the profile', 'Delete this profile?');
    await said('Guest was deleted.');
  });

  test('a job that lasts is cancelled, and one that failed is tried again', async () => {
    for (const type of ['keeper.last', 'keeper.fail'])
      expect((await server.request('POST', '/api/jobs', { type })).status).toBe(201);
    await page.goto('/admin/jobs');
    const last = page.getByRole('listitem').filter({ hasText: 'keeper.last' });
    await last.getByRole('button', { name: 'Cancel' }).click();
    await last.getByText('cancelled').waitFor();
    const failed = page.getByRole('listitem').filter({ hasText: 'keeper.fail' });
    const answer = page.waitForResponse((reply) => reply.url().endsWith('/retry'));
    await failed.getByRole('button', { name: 'Try again' }).click();
    expect((await answer).ok()).toBe(true);
  });

  test('the settings, secrets and state of a plugin are changed', async () => {
    await page.goto('/admin/plugins/keeper');
    await page.getByLabel('Greeting').fill('Hello');
    await page
      .locator('form')
      .filter({ hasText: 'Greeting' })
      .getByRole('button', { name: 'Save' })
      .click();
    await said('The settings were saved.');
    await open('Set a secret');
    await page.getByLabel('Name of the secret').fill('door');
    await page.getByLabel('Value').fill('opensesame');
    await page.locator('details[open]').getByRole('button', { name: 'Save' }).click();
    await said('The secret was saved.');
    await press('Remove door');
    await agree('Remove door');
    await page.getByRole('button', { name: 'Remove door' }).waitFor({ state: 'detached' });
    await press('Start again');
    await said(/ · runs$/);
    await press('Switch off');
    await said(/ · off$/);
    await press('Switch on');
    await said(/ · runs$/);
  });

  test('a notification is read', async () => {
    const told = await server.request('POST', '/api/plugins/keeper/actions/tell', {});
    expect(told.status).toBe(200);
    await page.goto('/admin');
    const news = page.getByRole('listitem').filter({ hasText: 'The keeper is tired.' });
    await news.getByRole('button', { name: 'Mark as read' }).click();
    await news.getByRole('button', { name: 'Mark as read' }).waitFor({ state: 'detached' });
  });

  test('the database is checked, a task is run, updates are looked for, a license comes and goes', async () => {
    await page.goto('/admin/doctor');
    await press('Check it now');
    await said('The database was checked.');
    await page.goto('/admin/settings');
    await press('Run now: Deletes jobs that finished long ago');
    await said('It was run.');
    const checked = page.waitForResponse((reply) => reply.url().endsWith('/api/updates/check'));
    await press('Check now');
    await checked;
    await page.getByRole('combobox', { name: 'Announce' }).selectOption('beta');
    await said('The settings were saved.');
    await page.getByLabel('License key').fill(issue());
    await press('Enter the license');
    await said('The license was accepted.');
    await press('Remove the license');
    await agree('Remove the license');
    await said('There is no license');
    await until('the server has no license', async () => {
      const { license } = await server.get<{ license: { status: string } }>('/api/license');
      return license.status === 'unlicensed';
    });
  });
});
