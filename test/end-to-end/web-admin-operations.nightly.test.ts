/** What an admin does with plugins, webhooks and backups, with the mouse in a real browser. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMarketplaceSite, type MarketplaceSite } from '../support/plugins/marketplace-site.ts';
import { createPackage, createPublisher } from '../support/plugins/packages.ts';
import { eventually } from '../support/eventually.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const [publisher, password] = [createPublisher(), 'correct horse battery'];
/** What no message to people holds: a route, a code, an id. */
const notForPeople = /(GET|POST|PUT|PATCH|DELETE) \/api|\b[a-z]+_[a-z]+\b/;

let server: TestServer;
let site: MarketplaceSite;
let receiver: HttpSource;
let browser: Browser;
let page: Page;
let isBroken = true;
const complaints: string[] = [];

async function signIn(): Promise<Page> {
  await server.request('POST', '/api/users', { name: 'Ada', role: 'admin', password });
  const context = await browser.newContext({ baseURL: server.url, reducedMotion: 'reduce' });
  const opened = await context.newPage();
  opened.setDefaultTimeout(120_000);
  opened.on('pageerror', (error) => void complaints.push(error.message));
  await opened.goto('/sign-in?to=/admin/marketplace');
  await opened.getByLabel('Name').fill('Ada');
  await opened.getByLabel('Password').fill(password);
  await opened.getByRole('button', { name: 'Sign in' }).click();
  await opened.getByRole('heading', { name: 'Marketplace' }).waitFor();
  return opened;
}

const press = (name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click();
const pluginNow = async () =>
  (await server.get<{ plugin: { version: string; state: string } }>('/api/plugins/keeper')).plugin;
const publish = (version: string, permissions: object): void =>
  void site.publish({ id: 'keeper', version, permissions }, { signer: publisher });

describe.skipIf(!hasBrowser)('the operations of an admin (need Chromium)', () => {
  beforeAll(async () => {
    site = await startMarketplaceSite();
    receiver = await startHttpSource((_, response) =>
      response.writeHead(isBroken ? 500 : 204).end(),
    );
    server = await startServer({ env: { VITRINE_MARKETPLACE_MINUTES: '0' } });
    browser = await openBrowser();
    page = await signIn();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await Promise.all([site?.close(), receiver?.close()]);
    expect(complaints).toEqual([]);
  });

  test('a source is added, and a plugin of it runs only after it was allowed', async () => {
    publish('1.0.0', { kv: { quotaMb: 1 } });
    const [homepage, repository] = ['https://example.org/', 'https://example.org/source'];
    site.change(({ plugins }) => ({
      plugins: plugins.map((one) => ({ ...one, homepage, repository, readme: 'It keeps.' })),
    }));
    await page.getByLabel('Address of its index').fill(site.indexUrl);
    await press('Add a source');
    await page.getByRole('button', { name: /keeper/ }).click();
    const said = await page.getByRole('dialog').innerText();
    for (const word of [
      'Written by a test.',
      'Homepage · Source code',
      'Description by its author',
    ])
      expect(said).toContain(word);
    await press('Install');
    await page.getByRole('button', { name: 'Allow this and start it' }).waitFor();
    const { skipped } = await server.get<{
      skipped: readonly { id: string; reason: string }[];
    }>('/api/plugins');
    expect(skipped).toContainEqual(
      expect.objectContaining({ id: 'keeper', reason: 'permissions-pending' }),
    );
    await press('Allow this and start it');
    await page.getByText(/from a source · runs$/).waitFor();
    expect(await pluginNow()).toMatchObject({ version: '1.0.0', state: 'running' });
  });

  test('an upgrade says what it asks beyond, keeps that back, and is taken back', async () => {
    publish('2.0.0', { kv: { quotaMb: 1 }, library: 'read' });
    await server.request('POST', '/api/plugins/marketplace/refresh', {});
    await page.goto('/admin/plugins/keeper');
    await page.locator('.difference .more').waitFor();
    expect(await page.locator('.difference .more').allInnerTexts()).toEqual([
      expect.stringContaining('librar'),
    ]);
    await press('Install version 2.0.0');
    await page.getByRole('button', { name: 'Go back to version 1.0.0' }).waitFor();
    const { granted } = await server.get<{ granted: object }>('/api/plugins/keeper/permissions');
    expect([(await pluginNow()).version, granted]).toEqual([
      '2.0.0',
      expect.not.objectContaining({ library: 'read' }),
    ]);
    await press('Go back to version 1.0.0');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Go back/ })
      .click();
    await page.getByText('Version 1.0.0 is installed').waitFor();
    await eventually(
      'the plugin is the earlier version',
      async () => (await pluginNow()).version === '1.0.0',
    );
  });

  test('catalogues of the internet are allowed by one choice, which names their hosts', async () => {
    const granted = async (): Promise<readonly string[]> => {
      const { plugins } = await server.get<{ plugins: { id: string; granted: boolean }[] }>(
        '/api/plugins/presets/metadata',
      );
      return plugins.filter((plugin) => plugin.granted).map(({ id }) => id);
    };
    await page.goto('/admin/plugins');
    await page.getByText('api.tvmaze.com, static.tvmaze.com').waitFor();
    expect(await granted()).toEqual([]);
    await press(/^Look things up at/);
    await page.getByText('The server looks your titles up now.').waitFor();

    expect(await granted()).toEqual(expect.arrayContaining(['tvmaze', 'wikidata']));
    expect(await granted()).not.toContain('tmdb');
  });

  test('a package file is refused with a reason, or installed after it was read and allowed', async () => {
    const asks = { capabilities: ['search'], permissions: { kv: { quotaMb: 1 }, library: 'read' } };
    const bytes = createPackage({ id: 'from-a-file', ...asks }, { signer: publisher });
    const choose = async (name: string, buffer: Uint8Array): Promise<void> =>
      page
        .getByLabel('Package file')
        .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(buffer) });
    await page.goto('/admin/plugins');
    await press('Install from a file');
    await choose('broken.vplugin', bytes.subarray(0, -1));
    await page.getByText('The package is damaged.').waitFor();
    await choose('from-a-file.vplugin', bytes);
    await page.getByText('None of your sources knows the key of its publisher.').waitFor();
    const { skipped, plugins } = await server.get<{ skipped: object[]; plugins: object[] }>(
      '/api/plugins',
    );
    expect(JSON.stringify([skipped, plugins])).not.toContain('from-a-file');

    const sheet = page.getByRole('dialog');
    expect(await sheet.innerText()).not.toMatch(notForPeople);
    await sheet
      .getByRole('checkbox', { name: /librar/ })
      .first()
      .uncheck();
    await press('Allow this and install it');
    await page.getByRole('heading', { level: 1, name: 'from-a-file' }).waitFor();
    await page.getByText(/from a source · runs$/).waitFor();
    const { granted } = await server.get<{ granted: object }>(
      '/api/plugins/from-a-file/permissions',
    );
    expect(granted).toEqual({ kv: { quotaMb: 1 }, serves: ['search'] });
  });

  test('the work of the server is given to another plugin, and back', async () => {
    const searcher = async (): Promise<string | undefined> => {
      const { providers } = await server.get<{
        providers: readonly { key: string; pluginId: string }[];
      }>('/api/plugins/providers');
      return providers.find(({ key }) => key === 'search')?.pluginId;
    };
    for (const plugin of ['from-a-file', 'Search']) {
      await press(`Let ${plugin} do it: Answer searches`);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: `Let ${plugin} do it` })
        .click();
      await page.getByText(`Done by ${plugin}`).waitFor();
      expect(await searcher()).toBe(plugin.toLowerCase());
    }
  });

  test('a webhook is made, a failed delivery is seen and sent again', async () => {
    await page.goto('/admin/webhooks');
    await page.getByLabel('Name of the webhook').fill('Lights');
    await page.getByLabel('Address').fill(`${receiver.url}/hook`);
    await press('Make the webhook');
    const secret = page.getByRole('dialog');
    expect(await secret.innerText()).toContain('whsec_');
    await secret.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: /Lights/ }).click();
    await press('Send a test');
    await page.getByText('webhook.test').first().waitFor();
    isBroken = false;
    await press(/^Send webhook\.test again/);
    await page.getByText('It is sent again.').waitFor();
    await press('Close');
  });

  test('a webhook is switched off, and removed', async () => {
    const webhooks = async () =>
      (await server.get<{ webhooks: readonly { enabled: boolean }[] }>('/api/webhooks')).webhooks;
    await page.getByRole('button', { name: /Lights/ }).click();
    await press('Switch off');
    await eventually('the webhook is off', async () => (await webhooks())[0]?.enabled === false);
    const sheet = page.getByRole('dialog', { name: 'Lights', exact: true });
    await sheet.getByRole('button', { name: 'Remove' }).click();
    await page
      .getByRole('dialog', { name: 'Remove Lights' })
      .getByRole('button', { name: 'Remove Lights' })
      .click();
    await page.getByText('There is no webhook yet.').waitFor();
    expect(await webhooks()).toEqual([]);
  });

  test('a backup is made, and asked about before it is restored', async () => {
    await page.goto('/admin/backups');
    await page.getByLabel('Name of the backup').fill('first');
    await press('Make a backup');
    await page.getByText('-first.vbackup').waitFor();
    await press(/^Restore the backup/);
    await page.getByText('What changed since is lost.').waitFor();
    await press('Cancel');
    expect((await server.get<{ backups: readonly object[] }>('/api/backups')).backups).toHaveLength(
      1,
    );
  });

  test('a backup that another admin makes, or the schedule, appears by itself, and goes so', async () => {
    const lines = page.locator('main .lines > li');
    const { body } = await server.request('POST', '/api/backups', { label: 'theirs' });
    await page.getByText('-theirs.vbackup').waitFor();
    await server.request('POST', '/api/scheduler/backup/run', {});
    await page.getByText('-scheduled.vbackup').waitFor();
    expect(await lines.count()).toBe(3);
    const { filename } = (body as { backup: { filename: string } }).backup;
    const { backups } = await server.get<{ backups: readonly { filename: string }[] }>(
      '/api/backups',
    );
    const scheduled = backups.find((one) => one.filename.endsWith('-scheduled.vbackup'));
    for (const one of [filename, scheduled?.filename ?? ''])
      await server.request('DELETE', `/api/backups/${one}`);
    await expect.poll(() => lines.count()).toBe(1);
  });

  test('a backup is downloaded, and removed', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download vitrine-.*-first\.vbackup$/ }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/-first\.vbackup$/);
    expect(await file.failure()).toBeNull();
    await press(/^Remove .*-first\.vbackup$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('There is no backup yet.').waitFor();
    expect((await server.get<{ backups: readonly object[] }>('/api/backups')).backups).toEqual([]);
  });

  test('plugins of the server, their reasons, settings and a dry run are in German for a German', async () => {
    const context = await browser.newContext({
      ...{ baseURL: server.url, locale: 'de-DE' },
      storageState: await page.context().storageState(),
    });
    const german = await context.newPage();
    german.setDefaultTimeout(120_000);
    await german.goto('/admin/plugins');
    await german.getByRole('link', { name: /^Dateianalyse für seltene Formate/ }).waitFor();
    await german.goto('/admin/plugins/webhooks');
    await german.getByText('Um kein Ereignis zu verpassen.').waitFor();
    await german.getByLabel('Hosts in Ihrem eigenen Netz').waitFor();
    await german.getByRole('checkbox', { name: /Um es später noch einmal zu versuchen/ }).uncheck();
    await german.getByRole('button', { name: 'Das an seinem letzten Lauf ausprobieren' }).click();
    await german
      .getByText('Es würde zu den Zeiten, die es festgelegt hat, nicht aufgerufen.')
      .waitFor();
    await context.close();
  });

  test('the audit log and the settings speak to people', async () => {
    await page.goto('/admin/audit?group=plugin');
    await page.getByText('installed a plugin').first().waitFor();
    const entries = await page.locator('main .entry > summary').allInnerTexts();
    expect(entries.filter((entry) => notForPeople.test(entry))).toEqual([]);
    expect(entries.filter((entry) => entry.includes('made a change'))).toEqual([]);
    await page.getByText('Prove that nothing was changed').click();
    await press('Verify');
    await page.getByText(/^The log is whole: all \d+ entries follow one another/).waitFor();
    await page.goto('/admin/settings');
    await page.getByText('Minutes between updates of the marketplace, 0 for never').waitFor();
    expect(await page.locator('main').innerText()).toContain(
      '0 · from the variable VITRINE_MARKETPLACE_MINUTES',
    );
    expect(await page.locator('main').innerText()).not.toMatch(notForPeople);
  });

  test('doctor says what is wrong and what to do; the metrics move', async () => {
    await page.goto('/admin/doctor');
    await page.getByText('The server reports no problem.').waitFor();
    await page
      .getByText(/hints?/)
      .first()
      .waitFor();
    const found = await page.locator('main').innerText();
    expect(found).toMatch(/Database\s+in order\s+It is intact\./);
    expect(found).toMatch(/Server\s+in order\s+It answers: ok\./);
    await page.goto('/admin/metrics');
    await page.getByText(/Requests each second now [\d.]+/).waitFor();
    await page.getByText(/Memory of the server now \d+ MB/).waitFor();
  });

  test('a plugin is removed, and then the source that it came from', async () => {
    await page.goto('/admin/plugins/keeper');
    await press('Remove the plugin');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the plugin' }).click();
    await page.getByText('The plugin was removed.').waitFor();
    await page.goto('/admin/marketplace');
    await press(/^Remove the source /);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove the source / })
      .click();
    await page.getByText('No source offers a plugin yet. Add a source below.').waitFor();
    expect(
      (await server.get<{ sources: readonly object[] }>('/api/plugins/marketplace/sources'))
        .sources,
    ).toEqual([]);
  });
});
