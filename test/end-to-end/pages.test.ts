/** The pages in a real browser, over a real server: from the setup link to the page of a film. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../support/media/media-files.ts';
import { isNightly } from '../support/run/nightly.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';

let server: TestServer;
let browser: Browser;
let media: string;
let setupLink: string;

/** What no page may do: break its own policy, throw, or write an error. */
const complaints: string[] = [];

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself notes each refusal of the server, which these tests provoke.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return page;
}

const newContext = (): Promise<BrowserContext> => browser.newContext({ baseURL: server.url });

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Faults that a checker of WCAG 2.2 AA finds on the page as it is, by these rules. */
async function faultsOf(page: Page, rules: readonly string[]): Promise<readonly string[]> {
  const found = await page.evaluate(`(() => {
    ${axe}
    return axe.run({ runOnly: ${JSON.stringify(rules)} });
  })()`);
  const { violations } = found as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Ada' }).waitFor();
}

describe.skipIf(!hasBrowser || !hasFfmpeg)('the pages (need Chromium and ffmpeg)', () => {
  beforeAll(async () => {
    media = mkdtempSync(path.join(tmpdir(), 'vitrine-pages-'));
    mkdirSync(path.join(media, 'Alien (1979)'));
    const film = makeMedia('mp4', [
      ...bars(30),
      ...tone(30),
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-movflags', '+faststart'],
    ]);
    copyFileSync(film, path.join(media, 'Alien (1979)/Alien (1979).mp4'));
    server = await startServer({ env: { VITRINE_ADMIN_TOKEN: '' } });
    setupLink = /http\S+\/setup#token=\S+/.exec(server.output())?.[0] ?? '';
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    if (media !== undefined) rmSync(media, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  test('lead from the setup link to a library whose films appear by themselves', async () => {
    const context = await newContext();
    const page = await openPage(context);

    await page.goto(setupLink);
    expect(page.url()).not.toContain('token');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create the admin' }).click();

    await page.getByText('There is no library yet').waitFor();
    await page.getByLabel('Name').fill('Films');
    await page.getByRole('button', { name: 'Browse the folders' }).click();
    for (const name of media.split(path.sep).filter(Boolean))
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: 'Use this folder' }).click();
    await page.getByRole('button', { name: 'Add it and scan it' }).click();
    // The tile appears while the page is open.
    await page.locator('.grid .tile', { hasText: 'Alien' }).click();
    await page.getByRole('heading', { name: 'Alien' }).waitFor();
    await page.getByRole('link', { name: 'Play' }).waitFor();
    await context.close();
  });

  testByNight('speak the language of the browser before anybody is signed in', async () => {
    const context = await browser.newContext({ baseURL: server.url, locale: 'de-DE' });
    const page = await openPage(context);

    await page.goto('/sign-in');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Passwort').fill('wrong password');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();

    await page
      .getByRole('alert')
      .filter({ hasText: 'Der Name oder das Passwort ist falsch.' })
      .waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.goto('/pair');
    await page.getByRole('heading', { name: 'Mit einem anderen Gerät anmelden' }).waitFor();
    await context.close();
  });

  testByNight('find a film by its name', async () => {
    const context = await newContext();
    const page = await openPage(context);
    await signIn(page);

    await page.goto('/search');
    await page.getByRole('searchbox').fill('alien');

    await page.getByRole('link', { name: 'Alien' }).click();
    await page.getByRole('heading', { name: 'Alien' }).waitFor();
    await context.close();
  });

  testByNight(
    'send strangers to the sign-in and then to where they wanted to go, on this server alone',
    async () => {
      const context = await newContext();
      const page = await openPage(context);

      await page.goto('/account');
      await page.getByLabel('Name').fill('Ada');
      await page.getByLabel('Password').fill('wrong password');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'wrong' }).waitFor();
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/account');

      for (const to of [
        'https://example.org/',
        '//example.org',
        '/\\example.org',
        'javascript:1',
      ]) {
        await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
        await page.getByLabel('Name').fill('Ada');
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await page.getByRole('link', { name: 'Ada' }).waitFor();
        expect(new URL(page.url()).origin).toBe(server.url);
      }
      await context.close();
    },
  );

  test('keep the session where no script reads it, and end it', async () => {
    const context = await newContext();
    const page = await openPage(context);
    await signIn(page);

    expect(await page.evaluate('document.cookie')).toBe('');
    // The id of the profile lets the first page ask for everything at once; it opens nothing.
    expect(
      await page.evaluate('Object.keys({...localStorage, ...sessionStorage}).toSorted()'),
    ).toEqual(['look', 'profile', 'user']);
    expect(await page.evaluate("JSON.parse(localStorage.getItem('look'))")).toEqual({
      lang: 'en-US',
      dir: 'ltr',
      'data-theme': null,
      'data-text-size': null,
    });
    expect(await page.evaluate("localStorage.getItem('profile')")).toMatch(/^[0-9a-f-]{36}$/);
    await page.goto('/account');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await page.waitForURL('**/sign-in');
    expect((await context.request.get('/api/auth/me')).status()).toBe(401);
    await context.close();
  });

  testByNight('make a passkey, and sign in with it alone', async () => {
    const context = await newContext();
    const page = await openPage(context);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    // A passkey belongs to a host name, and an address is none.
    const home = server.url.replace('127.0.0.1', 'localhost');
    await page.goto(`${home}/sign-in`);
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.goto(`${home}/account`);
    await page.getByLabel('Name of a new passkey').fill('Laptop');
    await page.getByLabel('Your password').first().fill(password);
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    await page.getByLabel('New name').fill('Old laptop');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Old laptop', { exact: true }).waitFor();
    for (const [choice, said] of [
      ['Ask for a passkey besides the password', 'only together with a passkey.'],
      ['Let the password alone be enough', 'Your password alone lets you in.'],
    ] as const) {
      const form = page.locator('form').filter({ hasText: choice });
      await form.getByLabel('Your password').fill(password);
      await form.getByRole('button', { name: choice }).click();
      await page.getByText(said).waitFor();
      const { user } = (await (await context.request.get(`${home}/api/auth/me`)).json()) as {
        user: { requiresPasskey: boolean };
      };
      expect(user.requiresPasskey).toBe(said.startsWith('only'));
    }
    const isOut = page.waitForURL('**/sign-in', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await isOut;

    // The browser offers it beside the name, and this authenticator takes each offer.
    await page.getByRole('link', { name: 'Ada' }).waitFor();

    // Without its session an open page would go to the sign-in page by itself, and end the navigation below.
    await page.goto('about:blank');
    await context.clearCookies();
    await context.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = async () => false;',
    );
    await page.goto(`${home}/sign-in`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();

    await page.goto(`${home}/account`);
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Old laptop was removed.').waitFor();
    await context.close();
  });

  testByNight('let somebody in by an invite, who then sees what guests see', async () => {
    const admin = await newContext();
    const page = await openPage(admin);
    await signIn(page);
    const { csrfToken } = await (await admin.request.get('/api/auth/me')).json();
    const made = await admin.request.post('/api/invites', {
      data: {},
      headers: { 'x-csrf-token': csrfToken },
    });
    const { url } = await made.json();
    await admin.close();

    const context = await newContext();
    const guest = await openPage(context);
    await guest.goto(url);
    await guest.getByLabel('Name').fill('Grace');
    await guest.getByLabel('Password').fill('another long password');
    await guest.getByRole('button', { name: 'Join' }).click();

    await guest.getByRole('link', { name: 'Grace' }).waitFor();
    await guest.locator('.tile').waitFor();
    expect(await guest.getByText('Add a library').count()).toBe(0);
    await context.close();
  });

  testByNight('are accessible (WCAG 2.2 AA), in light and by night in dark', async () => {
    const context = await browser.newContext({
      ...{ baseURL: server.url, bypassCSP: true },
      // Colours that change slowly are not read halfway.
      reducedMotion: 'reduce',
    });
    const page = await openPage(context);
    const faults: string[] = [];
    const look = async (url: string, ready: string): Promise<void> => {
      await page.goto(url);
      await page.locator(ready).first().waitFor();
      await page.emulateMedia({ colorScheme: 'light' });
      const light = await faultsOf(page, wcag);
      faults.push(...light.map((fault) => `${url} ${fault}`));
      if (!isNightly) return;
      // In the dark only the colours are others.
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await faultsOf(page, ['color-contrast']);
      faults.push(...dark.map((fault) => `${url} in the dark: ${fault}`));
    };
    await look('/setup#token=x', 'form');
    await look('/sign-in', 'form');
    // The largest page by far.
    if (isNightly) await look('/api/docs#listItems', 'details[open] .fields');
    await signIn(page);
    await look('/', '.tile');
    await look('/search?q=alien', '.found a');
    await look('/libraries', '.card');
    await look('/nonsense', '.empty a');
    await look('/account', 'form .primary');
    await page.goto('/');
    await page.locator('.tile').first().waitFor();
    await look((await page.locator('.tile').first().getAttribute('href')) ?? '', 'article h1');
    await page.goto('/libraries');
    await page.locator('.card').first().waitFor();
    await look((await page.locator('.card').first().getAttribute('href')) ?? '', '.grid .tile');

    expect(faults).toEqual([]);
    await context.close();
  });

  test('show the API to anybody: every operation, what it takes and what it answers', async () => {
    const context = await newContext();
    const page = await openPage(context);
    await page.goto('/api/docs');
    await page.getByRole('searchbox').waitFor();
    expect(await page.locator('h1 + p code').first().innerText()).toBe('Error');
    await page.getByRole('searchbox').fill('playback put');
    const operation = page.locator('#setPlayback');
    await operation.locator('summary').click();

    expect(await page.locator('.endpoint:visible[id]:not([id^=schema])').count()).toBe(1);
    await operation.locator('.fields').first().waitFor();
    expect(await operation.innerText()).toMatch(
      /Needs the role user[^]*PlaybackReport[^]*PlaybackState/,
    );
    await operation.getByRole('link', { name: 'PlaybackState' }).click();
    await page.locator('#schema-PlaybackState').getByText('completed').first().waitFor();
    await context.close();
  });

  test('run nothing that is not the server’s own', async () => {
    const reply = await fetch(server.url);
    const policy = reply.headers.get('content-security-policy') ?? '';

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
