/**
 * The broker's pages, the console and an app in a real browser with virtual authenticators, over a
 * real broker and two whole servers.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { eventually } from '../support/eventually.ts';
import { good, textOf, verdictOf } from '../support/identity/ask.ts';
import { password } from '../support/identity/home-server.ts';
import {
  appId,
  appOrigin,
  beginLink,
  openIdentityHousehold,
  pairedFrom,
  type IdentityHousehold,
} from '../support/identity/household.ts';
import { buildApp, type ServedApp } from '../support/identity/served-app.ts';
import {
  virtualAuthenticators,
  type AuthenticatorKind,
  type Authenticators,
} from '../support/identity/virtual-authenticators.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const dayMs = 86_400_000;
const films = { Attic: ['Alien (1979)'], Cellar: ['Brazil (1985)'] };

let house: IdentityHousehold;
let browser: Browser;
let app: ServedApp;
let identityUrl: string;

/** What no page may do: break its own policy, throw, or write an error. */
const complaints: string[] = [];
/** Every body that a page has sent, and every secret that a passkey has given to one. */
const bodies: string[] = [];
const secrets = new Set<string>();

const noteSecrets = `(() => {
  // The blank page before the first one has no passkeys.
  if (!('PublicKeyCredential' in window)) return;
  const results = PublicKeyCredential.prototype.getClientExtensionResults;
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes.buffer ?? bytes)));
  PublicKeyCredential.prototype.getClientExtensionResults = function () {
    const found = results.call(this);
    const first = found.prf?.results?.first;
    if (first !== undefined) window.noteSecret(text(first));
    return found;
  };
})()`;

/** Somebody with a browser of their own. */
interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly authenticators: Authenticators;
  /** The id of the one that is there from the beginning. */
  readonly authenticator: string;
}

async function visitor(kind?: AuthenticatorKind): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: identityUrl });
  await context.exposeFunction('noteSecret', (secret: string) => void secrets.add(secret));
  await context.addInitScript(noteSecrets);
  const page = await openPage(context);
  const authenticators = await virtualAuthenticators(page);
  const authenticator = await authenticators.add(kind);
  return { context, page, authenticators, authenticator };
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => void complaints.push(`${page.url()} ${error.message}`));
  page.on('console', (message) => {
    // The browser itself notes each refusal, which these tests provoke.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  page.on('request', (request) => void bodies.push(request.postData() ?? ''));
  return page;
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Takes the recovery code that the page shows once. */
async function keepCode(page: Page): Promise<string> {
  const code = (await page.getByLabel('Recovery code', { exact: true }).textContent()) ?? '';
  await page.getByLabel('Its last 6 letters and digits').fill(code.slice(-7));
  await press(page, 'I have stored it');
  return code;
}

/** Makes an identity in the browser; gives its recovery code. */
async function register({ page }: Visitor, handle: string): Promise<string> {
  await page.goto('/');
  await press(page, 'Create an identity');
  await page.getByLabel('Name').fill(handle);
  await press(page, 'Create a passkey');
  await page.getByRole('heading', { name: 'Your recovery code' }).waitFor();
  const code = await keepCode(page);
  await page.getByRole('heading', { name: handle, level: 1 }).waitFor();
  return code;
}

async function signOut({ page, context }: Visitor): Promise<void> {
  // An open page without its session would go to the sign-in page by itself, and end the navigation below.
  await page.goto('about:blank');
  await context.clearCookies();
  await page.goto('/');
}

async function signIn({ page }: Visitor, handle: string): Promise<void> {
  await page.goto('/');
  await press(page, 'Sign in with a passkey');
  await page.getByRole('heading', { name: handle, level: 1 }).waitFor();
}

/** A television that shows a code, and what it gets in the end. */
async function television() {
  const device = await house.newDevice();
  const begun = await device.pairBegin();
  const [requestId, code] = [textOf(begun, 'requestId'), textOf(begun, 'pairingCode')];
  return { device, code, paired: async () => pairedFrom(device, await device.poll(requestId)) };
}

async function typeCode(page: Page, code: string): Promise<void> {
  await page.goto('/pair');
  await page.getByLabel('First four digits').fill(code);
  await press(page, 'Continue');
  await page.getByRole('heading', { name: 'Approve Telly?' }).waitFor();
}

describe.skipIf(!hasBrowser)('identity in a browser (needs Chromium)', () => {
  /** Somebody with an identity, who is there from test to test. */
  let grace: Visitor;

  beforeAll(async () => {
    house = await openIdentityHousehold({ films, isLinked: false });
    ({ identityUrl } = house.broker);
    [browser, app] = await Promise.all([openBrowser(), buildApp(appId, identityUrl)]);
  });

  afterAll(async () => {
    await browser?.close();
    await app?.remove();
    await house?.stop();
  });

  test('a passkey that gives a secret makes an identity, and signs in to it alone', async () => {
    grace = await visitor();
    await register(grace, 'grace');
    await signOut(grace);

    await signIn(grace, 'grace');

    expect(secrets.size).toBe(1);
    await grace.page.getByText('Opens your vault').waitFor();
    expect(await grace.page.evaluate('document.cookie')).toBe('');
  });

  test('a passkey that gives none needs a passphrase, which opens the vault when something is signed', async () => {
    const bob = await visitor({ hasPrf: false });
    const { page } = bob;
    await page.goto('/');
    await press(page, 'Create an identity');
    await page.getByLabel('Name').fill('bob');
    await press(page, 'Create a passkey');
    await page.getByRole('heading', { name: 'Your passphrase' }).waitFor();
    const phrase = (await page.getByLabel('Passphrase', { exact: true }).textContent()) ?? '';
    expect(phrase.split(' ')).toHaveLength(6);
    await page.getByLabel('Type them again').fill(phrase);
    await press(page, 'Use these words');
    await page.getByRole('heading', { name: 'Your recovery code' }).waitFor();
    await keepCode(page);
    await page.getByRole('heading', { name: 'bob', level: 1 }).waitFor();
    await signOut(bob);
    await signIn(bob, 'bob');
    const tv = await television();
    await typeCode(page, tv.code);

    await press(page, 'Approve');
    await page.getByLabel('Passphrase', { exact: true }).fill('not the words at all');
    await press(page, 'Open the vault');
    await page.getByText('That is not the passphrase').waitFor();
    await page.getByLabel('Passphrase', { exact: true }).fill(phrase);
    await press(page, 'Open the vault');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();

    expect((await tv.paired()).servers).toEqual([]);
    expect(bodies.filter((body) => body.includes(phrase))).toEqual([]);
    await bob.context.close();
  });

  test('an authenticator that does not know its person makes no identity', async () => {
    const carol = await visitor({ isUserVerified: false });
    const { page } = carol;
    await page.goto('/');
    await press(page, 'Create an identity');
    await page.getByLabel('Name').fill('carol');
    await press(page, 'Create a passkey');

    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();

    // It is locked by now; another one knows its person.
    await carol.authenticators.remove(carol.authenticator);
    await carol.authenticators.add();
    await press(page, 'Create a passkey');
    await page.getByRole('heading', { name: 'Your recovery code' }).waitFor();
    await keepCode(page);
    await page.getByRole('heading', { name: 'carol', level: 1 }).waitFor();
    await carol.context.close();
  });

  test('two servers are linked: on the page of the account, on the broker’s, and by the fingerprint', async () => {
    const { context, page } = grace;
    const account = await openPage(context);
    for (const home of house.homes) {
      await account.goto(`${home.url}/sign-in?to=/account`);
      await account.getByLabel('Name').fill('Ada');
      await account.getByLabel('Password').fill(password);
      await press(account, 'Sign in');
      const heading = account.getByRole('heading', { name: 'Identity', exact: true });
      const part = account.locator('section', { has: heading });
      await part.getByLabel('Your password').fill(password);
      const opened = context.waitForEvent('page');
      await press(account, 'Link my identity');
      // The passkey is plugged into another page of the same browser.
      await (await opened).close();
      const link = part.getByRole('link', { name: 'Open the page of the broker' });
      const asked = await part.locator('.fingerprint').textContent();
      await page.goto((await link.getAttribute('href')) ?? '');
      await page.getByRole('heading', { name: `Link ${home.name}?` }).waitFor();
      for (const fact of [home.url, asked ?? '']) await page.getByText(fact).waitFor();
      await press(page, 'Link it');
      await page.getByRole('heading', { name: 'Almost done' }).waitFor();
      const shown = await page.locator('.secret').textContent();

      await account.reload();
      await part.getByRole('button', { name: 'It is the same: link it' }).waitFor();
      expect(await part.locator('.fingerprint').textContent()).toBe(shown);
      await press(account, 'It is the same: link it');
      await part.getByText('linked on').waitFor();
    }
    await account.close();
    await page.goto('/');
    const servers = page.getByRole('region', { name: 'Servers' });
    await servers.getByText('Attic').waitFor();
    await servers.getByText('Cellar').waitFor();
  });

  test('an app is paired by its code after the person saw who asks, and signs in to both', async () => {
    const { page } = grace;
    const tv = await television();
    await typeCode(page, tv.code);
    for (const fact of ['Not verified', appId, 'Living room', 'a TV', 'Attic', 'Cellar'])
      expect(await page.getByText(fact).first().isVisible()).toBe(true);

    await press(page, 'Approve');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();

    const { device, cert } = await tv.paired();
    for (const home of house.homes) expect(await device.signIn(home, cert)).toMatch(/^vti_/);
  });

  test('an app that is denied gets nothing', async () => {
    const { page } = grace;
    const tv = await television();
    await typeCode(page, tv.code);

    await press(page, 'Deny');
    await page.getByRole('heading', { name: 'Denied' }).waitFor();

    await expect(tv.paired()).rejects.toThrow(/denied/);
  });

  test('a code behind the # of the address fills the box, and nothing happens by itself', async () => {
    const { page } = grace;
    const tv = await television();
    await page.goto(`/pair#code=${tv.code}`);
    await page.getByRole('button', { name: 'Continue' }).waitFor();

    expect(page.url()).not.toContain(tv.code);
    expect(await page.getByLabel('First four digits').inputValue()).toBe(tv.code.slice(0, 4));
    await press(page, 'Continue');
    await page.getByRole('heading', { name: 'Approve Telly?' }).waitFor();
    await press(page, 'Deny');
    await page.getByRole('heading', { name: 'Denied' }).waitFor();
  });

  test('the example app is paired by its callback, lists both servers', async () => {
    const { context, page } = grace;
    await app.serveIn(context, appOrigin);
    await context.grantPermissions(['local-network-access']).catch(() => undefined);
    await page.goto(appOrigin);
    await press(page, 'Sign in with this browser');
    await page.getByRole('heading', { name: 'Approve Telly?' }).waitFor();
    await press(page, 'Approve');
    await page.waitForURL(`${appOrigin}/**`);

    await page.getByText('Alien').waitFor();
    await page.getByText('Brazil').waitFor();
    expect(page.url()).not.toContain('requestId');
  });

  test('nothing is signed when the clocks of page and broker are far apart', async () => {
    const { page } = grace;
    const tv = await television();
    await typeCode(page, tv.code);
    await page.evaluate('const now = Date.now; Date.now = () => now() + 11 * 60_000;');

    await press(page, 'Approve');
    await page.getByText('more than ten minutes apart').waitFor();

    await typeCode(page, tv.code);
    await press(page, 'Approve');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    expect((await tv.paired()).servers).toHaveLength(2);
  });

  test('a second passkey opens the same identity when the first is lost', async () => {
    const dana = await visitor();
    const { page, authenticators, authenticator } = dana;
    await register(dana, 'dana');
    const key = await fingerprintOn(page);
    // The first one is touched once more, and put away before the second one is asked.
    await page.route('**/web/passkeys/options', async (route) => {
      await authenticators.remove(authenticator);
      await authenticators.add({ transport: 'usb' });
      await route.continue();
    });
    await press(page, 'Add a passkey');
    await page.getByText('A passkey was added').waitFor();
    await page.getByText('Passkey 2').waitFor();
    await signOut(dana);

    await signIn(dana, 'dana');

    expect(await fingerprintOn(page)).toBe(key);
    const tv = await television();
    await typeCode(page, tv.code);
    await press(page, 'Approve');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    await dana.context.close();
  });

  test('a recovery code brings a person back with a new passkey, and is good once', async () => {
    const erin = await visitor();
    const code = await register(erin, 'erin');
    const key = await fingerprintOn(erin.page);
    await erin.context.close();

    const back = await visitor();
    const { page } = back;
    await page.goto('/recover');
    await page.getByLabel('Name').fill('erin');
    await page.getByLabel('Recovery code', { exact: true }).fill(code);
    await press(page, 'Continue, and create a passkey');
    await page.getByRole('heading', { name: 'Your new recovery code' }).waitFor();
    const next = await keepCode(page);
    await page.getByRole('heading', { name: 'erin', level: 1 }).waitFor();

    expect(next).not.toBe(code);
    expect(await fingerprintOn(page)).toBe(key);
    await signOut(back);
    await signIn(back, 'erin');
    await page.goto('/recover');
    await page.getByLabel('Name').fill('erin');
    await page.getByLabel('Recovery code', { exact: true }).fill(code);
    await press(page, 'Continue, and create a passkey');
    await page.getByRole('alert').filter({ hasText: 'not right' }).waitFor();
    await back.context.close();
  });

  test('a device that is revoked on the page is refused by both servers within one interval of the feed', async () => {
    const { page } = grace;
    const device = await house.newDevice('Lost tablet');
    const begun = await device.pairBegin();
    await typeCode(page, textOf(begun, 'pairingCode'));
    await press(page, 'Approve');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    const { cert } = pairedFrom(device, await device.poll(textOf(begun, 'requestId')));
    const tokens = await Promise.all(house.homes.map((home) => device.signIn(home, cert)));

    await page.goto('/');
    await press(page, 'Revoke: Lost tablet');
    await press(page, 'Revoke it: Lost tablet');
    await page.getByText('Lost tablet was revoked').waitFor();
    await house.feedInterval();

    for (const [at, home] of house.homes.entries()) {
      const me = () => home.ask('/api/auth/identity/me', { token: tokens[at] ?? '' });
      await eventually(`${home.name} has heard`, async () => (await me()).status === 401);
      expect(verdictOf(await me())).toBe('401 identity_revoked');
    }
  });

  test('all pages are accessible (WCAG 2.2 AA), in light and in dark', async () => {
    const context = await browser.newContext({ baseURL: identityUrl, bypassCSP: true });
    const page = await openPage(context);
    await page.addInitScript(axe);
    const faults: string[] = [];
    const look = async (): Promise<void> => {
      await page.emulateMedia({ colorScheme: 'light' });
      const light = await faultsOf(page, wcag);
      await page.emulateMedia({ colorScheme: 'dark' });
      const found = [...light, ...(await faultsOf(page, ['color-contrast']))];
      faults.push(...found.map((fault) => `${page.url()} ${fault}`));
    };
    const visit = async (url: string, heading: string): Promise<void> => {
      await page.goto(url);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await look();
    };
    const { ada, attic, locals } = house;
    good(await ada.signIn());
    await visit('/', 'Your identity');
    await press(page, 'Create an identity');
    await page.getByRole('heading', { name: 'Create an identity' }).waitFor();
    await look();
    await visit('/recover', 'Recover your identity');
    await context.addCookies([ada.cookie()]);
    await visit('/', 'ada');
    await visit('/pair', 'Pair an app');
    await visit(`/pair/${await ada.typeCode((await television()).code)}`, 'Approve Telly?');
    const local = locals['Attic'] ?? (await attic.join('Ann'));
    await visit((await beginLink(attic, local)).linkUrl, 'Link Attic?');
    await visit('/developer', 'Apps');

    expect(faults).toEqual([]);
    await context.close();
  });

  test('the example app goes on after a month, without anybody at the broker', async () => {
    const { context, page } = grace;
    await house.clock.advance(31 * dayMs);
    await context.clock.install({ time: house.clock.now() });
    const renewed = page.waitForResponse((reply) => reply.url().endsWith('/renew'));

    await page.goto(appOrigin);

    expect((await renewed).status()).toBe(200);
    await page.getByText('Alien').waitFor();
    await page.getByText('Brazil').waitFor();
    await context.close();
  });

  test('no request of any page held the secret of a passkey', () => {
    expect(secrets.size).toBeGreaterThan(3);
    expect(bodies.filter((body) => body.includes('credential')).length).toBeGreaterThan(5);
    expect(bodies.filter((body) => body.includes('"results"'))).toEqual([]);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret, 'base64');
      for (const form of ['base64url', 'hex'] as const)
        expect(bodies.filter((body) => body.includes(bytes.toString(form)))).toEqual([]);
    }
  });

  test('no page broke its policy, threw, or wrote an error', () => {
    expect(complaints).toEqual([]);
  });
});

/** The fingerprint of the identity, as its own page shows it. */
async function fingerprintOn(page: Page): Promise<string> {
  return (await page.locator('#fingerprint').textContent()) ?? '';
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Faults that a checker of these rules finds on the page as it is. */
async function faultsOf(page: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  const found = await page.evaluate(`axe.run({ runOnly: ${JSON.stringify(runOnly)} })`);
  const { violations } = found as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
