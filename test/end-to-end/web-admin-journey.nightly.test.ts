/**
 * The way of an admin through the console, from the invitation of a person to a server that is put
 * back: once by the mouse alone, once by keys alone. Each step is looked at by the API as well.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { byKeys, byMouse, type Hands } from '../support/pages/hands.ts';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPublisher } from '../support/plugins/packages.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

const [publisher, password] = [createPublisher(), 'correct horse battery'];

/** It keeps a note and counts the titles it sees, each time somebody asks it to. */
const source = `export default { actions: { count: async (_params, host) => {
  await host.kv.set({ key: 'note', value: 'counted' });
  const { changes } = await host.library.changes({ seq: 0, limit: 100 });
  return String(changes.length);
} } };`;

const first = {
  ...{ kv: { quotaMb: 1 }, library: 'read', net: ['one.test', 'two.test'] },
  reasons: { library: 'To count your titles.', net: 'To ask what they are worth.' },
};

describe.skipIf(!hasBrowser).each(['the mouse', 'keys'])('an admin who has %s alone', (means) => {
  let server: TestServer;
  let site: MarketplaceSite;
  let films: MediaTree;
  let browser: Browser;
  let page: Page;
  let hands: Hands;
  /** How many presses of Tab each way took. */
  const ways: string[] = [];
  const complaints: string[] = [];

  const handsOn = (on: Page): Hands =>
    means === 'keys'
      ? byKeys(on, (what, presses) => void ways.push(`${String(presses).padStart(3)}  ${what}`))
      : byMouse(on);

  async function openPage(context: BrowserContext): Promise<Page> {
    const opened = await context.newPage();
    opened.setDefaultTimeout(20_000);
    opened.on('pageerror', (error) => void complaints.push(error.message));
    return opened;
  }

  const newPage = async (): Promise<Page> =>
    openPage(await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' }));

  const publish = (version: string, permissions: object): void =>
    void site.publish(
      { id: 'counter', version, permissions, actions: ['count'] },
      { signer: publisher, source },
    );
  const heading = async (name: string): Promise<void> => {
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await hands.settle(`the way to ${name}`);
  };
  const said = (text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor();

  const granted = async () =>
    server.get<{ granted: object; libraries: unknown }>('/api/plugins/counter/permissions');
  const versionNow = async (): Promise<string> =>
    (await server.get<{ plugin: { version: string } }>('/api/plugins/counter')).plugin.version;
  interface Person {
    readonly name: string;
    readonly role: string;
    readonly libraryAccess: readonly object[];
  }
  const groups = async (): Promise<readonly string[]> =>
    (await server.get<{ groups: readonly { name: string }[] }>('/api/groups')).groups.map(
      ({ name }) => name,
    );
  const person = async (name: string): Promise<Person | undefined> =>
    (await server.get<{ users: readonly Person[] }>('/api/users')).users.find(
      (one) => one.name === name,
    );

  beforeAll(async () => {
    films = await createMediaTree(['A/Alien (1979).mkv', 'B/Brazil (1985).mkv']);
    [site, server, browser] = await Promise.all([
      startMarketplaceSite(),
      startServer({
        args: ['--library', `movies:Films:${films.path}`],
        env: { VITRINE_MARKETPLACE_MINUTES: '0' },
      }),
      openBrowser(),
    ]);
    await server.request('POST', '/api/users', { name: 'Ada', role: 'admin', password });
    publish('1.0.0', first);
    page = await newPage();
    hands = handsOn(page);
    await page.goto('/sign-in?to=/admin');
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await Promise.all([site?.close(), films?.remove()]);
    if (ways.length > 0) process.stdout.write(`\nPresses of Tab:\n${ways.join('\n')}\n`);
    expect(complaints).toEqual([]);
  });

  test('signs in, and invites a person, who joins with the link', async () => {
    await hands.type('Name', 'Ada');
    await hands.type('Password', password);
    await hands.press('Sign in');
    await heading('Overview');
    await hands.open('People');
    await heading('People');
    await hands.choose('Role of the invited person', 'User');
    await hands.press('Invite somebody');
    await said('Send this link. It is shown only once.');
    await hands.settle('the invitation');
    const link = await hands.read('Send this link. It is shown only once.');

    const theirs = await newPage();
    await theirs.goto(link);
    const their = handsOn(theirs);
    await their.type('Name', 'Bob');
    await their.type('Password', password);
    await their.press('Join');
    await theirs.getByRole('link', { name: 'Libraries' }).first().waitFor();
    await theirs.context().close();

    expect(await person('Bob')).toMatchObject({ role: 'user', libraryAccess: null });
  });

  test('limits what the person sees', async () => {
    await hands.open('Bob');
    await heading('Bob');
    await hands.tick('All libraries', false);
    await hands.tick('Films', true);
    await hands.type(/up to which Films is shown/, 'PG-13');
    await hands.press('Save');
    await said('Saved.');
    await hands.settle('the limit');

    const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
      '/api/libraries',
    );
    expect((await person('Bob'))?.libraryAccess).toEqual([
      { libraryId: libraries[0]?.id, maxRating: 'PG-13' },
    ]);
  });

  test('adds a source, and installs a plugin of it after its consent was read', async () => {
    await hands.open('Marketplace');
    await heading('Marketplace');
    await hands.type('Address of its index', site.indexUrl);
    await hands.press('Add a source');
    await said('The source was added.');
    await hands.settle('the new source');
    await hands.press(/^counter/);
    await page.getByRole('dialog', { name: 'counter' }).waitFor();
    await hands.settle('the window of the offer');
    expect(await page.getByRole('dialog').innerText()).toContain('To count your titles.');
    await hands.press('Install');
    await heading('counter');
    await hands.settle('the installation');
    const { skipped } = await server.get<{ skipped: readonly object[] }>('/api/plugins');
    expect(skipped).toContainEqual(
      expect.objectContaining({ id: 'counter', reason: 'permissions-pending' }),
    );
  });

  test('grants less than the plugin asks for: one host of two, one folder of one library', async () => {
    await hands.tick('two.test', false);
    await hands.tick('All libraries, also later ones', false);
    await hands.tick('Films', true);
    await hands.press('Only a folder of Films');
    await page.getByRole('dialog').getByRole('button', { name: 'A', exact: true }).waitFor();
    await hands.settle('the window of folders');
    await hands.press('A');
    await said(`${films.path}/A`);
    await hands.settle('the folder that was opened');
    await hands.press('Use this folder');
    await hands.settle('the choice of the folder');
    await hands.press('Allow this and start it');
    await said(/from a source · runs$/);
    await hands.settle('the consent');

    expect(await granted()).toMatchObject({
      granted: { kv: { quotaMb: 1 }, library: 'read', net: ['one.test'] },
      libraries: [{ folders: [`file://${films.path}/A`] }],
    });
  });

  test('tries a narrower grant on what the plugin did', async () => {
    const { status } = await server.request('POST', '/api/plugins/counter/actions/count', {});
    expect(status).toBe(200);
    const before = await granted();
    await hands.tick(/To count your titles/, false);
    await hands.press('Try this on what it did last');
    await said('Of the 2 calls of its last run, 1 would have been refused.');
    await hands.settle('the dry run');

    expect(await granted()).toEqual(before);
  });

  test('upgrades to a version that asks for more, whose difference is shown, and goes back', async () => {
    publish('2.0.0', { ...first, events: 'emit' });
    await hands.open('Marketplace');
    await heading('Marketplace');
    await hands.press('Ask the sources now');
    await said('The sources were asked.');
    await hands.settle('the question to the sources');
    await hands.press(/^counter/);
    await hands.open('Open its page');
    await heading('counter');
    await page.locator('.difference .more').first().waitFor();
    expect(await page.locator('.difference li').allInnerTexts()).toEqual([
      expect.stringMatching(/^New/),
    ]);
    await hands.settle('the page of the plugin');
    await hands.press('Install version 2.0.0');
    await said('Version 2.0.0 is installed');
    await said('The new version runs.');
    await hands.settle('the upgrade');
    expect(await versionNow()).toBe('2.0.0');
    expect((await granted()).granted).not.toHaveProperty('events');

    await hands.press('Go back to version 1.0.0');
    await page.getByRole('dialog').waitFor();
    await hands.settle('the question');
    await hands.press('Go back to version 1.0.0');
    await said('Version 1.0.0 is installed');
    await hands.settle('the way back');
    await until('the plugin is the earlier version', async () => (await versionNow()) === '1.0.0');
  });

  test('makes a backup, and puts it back over what changed since', async () => {
    await hands.open('Backups');
    await heading('Backups');
    await hands.type('Name of the backup', 'before');
    await hands.press('Make a backup');
    await said('-before.vbackup');
    await hands.settle('the backup');
    expect((await server.get<{ backups: readonly object[] }>('/api/backups')).backups).toHaveLength(
      1,
    );

    await hands.open('People');
    await heading('People');
    await hands.press('Add a group');
    await page.getByRole('dialog').waitFor();
    await hands.type('Name', 'Children');
    await hands.press('Save');
    await said('0 libraries, 0 people');
    await hands.settle('the new group');
    expect(await groups()).toEqual(['Children']);

    await hands.open('Backups');
    await heading('Backups');
    await hands.press(/^Restore the backup/);
    await page.getByRole('dialog').waitFor();
    await hands.settle('the question');
    await hands.press('Restore');
    await until(
      'the server runs again',
      () => server.output().split('Vitrine listening on').length > 2,
    );
    await until('what was is again', async () =>
      groups().then(
        (all) => all.length === 0,
        () => false,
      ),
    );
    await hands.settle('the restoration');
    await hands.open('People');
    await heading('People');
    await said('Bob');
  });
});
