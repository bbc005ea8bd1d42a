/** The broker's pages in a real browser: what they let nobody do, not even the broker. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPass } from '../../packages/lib/identity-protocol/index.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { createDevice, type Device } from '../support/identity/device.ts';
import { createMovingClock } from '../support/identity/moving-clock.ts';
import { openTestBroker, type TestBroker } from '../support/identity/test-broker.ts';
import {
  virtualAuthenticators,
  type AuthenticatorKind,
  type Authenticators,
} from '../support/identity/virtual-authenticators.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const clock = createMovingClock();
const callbackUrl = 'https://telly.example.org/paired';

let broker: TestBroker;
let browser: Browser;
/** Somebody with an identity, whose browser is open all the while. */
let ada: Somebody;

interface Somebody {
  readonly page: Page;
  readonly authenticators: Authenticators;
  readonly authenticator: string;
  /** Bodies of all requests of the page. */
  readonly sent: string[];
  /** What the pages may not do: break their own policy, throw, write an error. */
  readonly complaints: string[];
}

async function open(kind: AuthenticatorKind = {}): Promise<Somebody> {
  const context = await browser.newContext({ baseURL: broker.identityUrl });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const [sent, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => void sent.push(`${request.url()} ${request.postData() ?? ''}`));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('console', (message) => {
    // The browser itself notes each refusal of the broker, which these tests provoke.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  const authenticators = await virtualAuthenticators(page);
  return { page, authenticators, authenticator: await authenticators.add(kind), sent, complaints };
}

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name }).click();

/** Begins an identity; ends where the passkey is made. */
async function begin({ page }: Somebody, name: string): Promise<void> {
  await page.goto('/');
  await press(page, 'Create an identity');
  await page.getByLabel('Name').fill(name);
  await press(page, 'Create a passkey');
}

/** Keeps the recovery code that is shown, and gives it. */
async function keepCode(page: Page): Promise<string> {
  const code = (await page.locator('#recovery-code').textContent()) ?? '';
  await page.getByLabel('Its last 6').fill(code.replaceAll('-', '').slice(-6));
  await press(page, 'I have stored it');
  return code;
}

const isHome = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, exact: true }).waitFor();

const newDevice = (): Promise<Device> =>
  createDevice({ identityUrl: broker.identityUrl, appId: 'app_telly', clock });

interface Begun {
  readonly requestId: string;
  readonly pairingCode: string;
  readonly browserUrl: string;
}

/** An app asks; in the browser flow when it is to be called back. */
async function ask(device: Device, isCalledBack = false): Promise<Begun> {
  const { body } = await device.pairBegin(isCalledBack ? { callbackUrl } : {});
  return body as unknown as Begun;
}

/** Shows what an app asks, as its own browser would. */
async function show({ page }: Somebody, { browserUrl }: Begun): Promise<void> {
  await page.goto(new URL(browserUrl).pathname);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

const alertOf = (page: Page, text: string): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();

/** Faults that a checker of WCAG 2.2 AA finds on the page as it is. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(`(() => {
    ${axe}
    return axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });
  })()`);
  const { violations } = found as {
    violations: readonly { id: string; nodes: readonly { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The broker answers this once with something else than it would. */
const lie = (page: Page, path: string, change: (body: Record<string, unknown>) => unknown) =>
  page.route(
    path,
    async (route: Route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as Record<string, unknown>;
      await route.fulfill({ response: reply, json: change(body) });
    },
    { times: 1 },
  );

describe.skipIf(!hasBrowser)('the pages of the broker (need Chromium)', () => {
  beforeAll(async () => {
    broker = await openTestBroker({ clock });
    browser = await openBrowser();
    ada = await open();
    await begin(ada, 'Ada');
    await keepCode(ada.page);
    await isHome(ada.page, 'Ada');
    await ada.page.goto('/developer');
    await ada.page.getByLabel('Id').fill('telly');
    await ada.page.getByLabel('Name').fill('Telly');
    await ada.page.getByLabel('Callback').fill(callbackUrl);
    await press(ada.page, 'Register the app');
    await ada.page.getByRole('heading', { name: 'Telly' }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await broker?.stop();
    expect(ada?.complaints).toEqual([]);
  });

  test('approve with one gesture what they show, by keyboard alone', async () => {
    const { page } = ada;
    const device = await newDevice();
    const { pairingCode, requestId } = await ask(device);

    await page.goto('/pair');
    await page.getByLabel('First four digits').waitFor();
    await page.keyboard.type(pairingCode);
    await page.keyboard.press('Enter');
    const button = page.getByRole('button', { name: 'Approve' });
    await button.waitFor();
    for (let tabs = 0; tabs < 20 && !(await isFocused(page, 'Approve')); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approved' }).waitFor();

    const { status, cert } = (await device.poll(requestId)).body;
    const pass = openPass(cert);
    expect(status).toBe('completed');
    expect(pass).toMatchObject({ claims: { clientPubKey: device.publicKey } });
  });

  test('take a code from a scanned address, and still wait for somebody to go on', async () => {
    const { page } = ada;
    const { pairingCode } = await ask(await newDevice());

    await page.goto(`/pair#code=${pairingCode}`);
    await page.getByRole('button', { name: 'Continue' }).waitFor();

    expect(await page.getByLabel('First four digits').inputValue()).toBe(pairingCode.slice(0, 4));
    expect(page.url()).toBe(`${broker.identityUrl}/pair`);
    await press(page, 'Continue');
    await page.getByRole('heading', { name: 'Approve Telly?' }).waitFor();
    await page.getByText('The developer of this app is not verified').waitFor();
    await page.getByText('127.0.0.x, the same network as yours').waitFor();
  });

  test('stop when the broker asks the passkey to sign something else than is shown', async () => {
    const { page, sent } = ada;
    const begun = await ask(await newDevice(), true);
    await show(ada, begun);
    const other = await ask(await newDevice(), true);
    await lie(page, '**/web/pair/*/options', (body) => ({ ...body, nonce: 'b3RoZXI' }));

    const before = sent.length;
    await press(page, 'Approve');
    await alertOf(page, 'a different request than this page shows');

    expect(other.requestId).not.toBe(begun.requestId);
    expect(sent.slice(before).filter((body) => body.includes('/approve'))).toEqual([]);
  });

  test('sign nothing while the clocks are more than ten minutes apart', async () => {
    const { page, sent } = ada;
    const begun = await ask(await newDevice(), true);
    await show(ada, begun);
    await lie(page, '**/web/pair/*', (body) => ({ ...body, now: Number(body['now']) + 601_000 }));
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).waitFor();

    const before = sent.length;
    await press(page, 'Approve');
    await alertOf(page, 'more than ten minutes apart');

    expect(sent.slice(before).filter((body) => body.includes('/approve'))).toEqual([]);
  });

  test('go back to the address that they showed, and to no other', async () => {
    const { page } = ada;
    await page.route('https://telly.example.org/**', (route) => route.fulfill({ body: 'back' }));
    await show(ada, await ask(await newDevice(), true));
    await page.getByText('telly.example.org').waitFor();
    await lie(page, '**/web/pair/*/approve', () => ({ redirect: 'https://evil.example.org/?x' }));
    await press(page, 'Approve');
    await alertOf(page, 'different address');
    expect(new URL(page.url()).origin).toBe(broker.identityUrl);

    const { requestId, browserUrl } = await ask(await newDevice(), true);
    await page.goto(new URL(browserUrl).pathname);
    await press(page, 'Deny');
    await page.waitForURL(`${callbackUrl}?requestId=${requestId}&result=denied`);
  });

  test('refuse a vault that the broker changed, and warn of one that it brought back', async () => {
    const { page } = ada;
    await page.goto('/');
    await isHome(page, 'Ada');
    await press(page, 'Sign out');
    await lie(page, '**/web/login/verify', (body) => {
      const vault = body['vault'] as { readonly rev: number };
      return { ...body, vault: { ...vault, rev: vault.rev + 1 } };
    });
    await press(page, 'Sign in with a passkey');
    await alertOf(page, 'not the one that you signed');

    await page.evaluate(
      'for (const key of Object.keys(localStorage)) localStorage.setItem(key, "9")',
    );
    await press(page, 'Sign in with a passkey');
    await isHome(page, 'Ada');
    await alertOf(page, 'older copy of your vault');
  });

  test('refuse a person whom the device does not recognise', async () => {
    const somebody = await open({ isUserVerified: false });
    const { page, sent } = somebody;

    await begin(somebody, 'Hedy');
    await alertOf(page, 'could not verify you');

    expect(sent.filter((body) => body.includes('/register/verify'))).toEqual([]);
    await page.context().close();
  });

  test('send nothing of what a passkey’s PRF gave, in any spelling', async () => {
    const somebody = await open();
    const { page, sent } = somebody;
    await page.addInitScript(`{
      const hex = (source) => Array.from(new Uint8Array(source), (byte) => byte.toString(16).padStart(2, '0')).join('');
      const seen = (globalThis.seen = []);
      for (const name of ['get', 'create']) {
        const real = navigator.credentials[name].bind(navigator.credentials);
        navigator.credentials[name] = async (options) => {
          const credential = await real(options);
          const results = credential.getClientExtensionResults().prf?.results;
          if (results) seen.push(hex(results.first));
          return credential;
        };
      }
    }`);

    await begin(somebody, 'Grace');
    await keepCode(page);
    await isHome(page, 'Grace');
    await press(page, 'Sign out');
    await press(page, 'Sign in with a passkey');
    await isHome(page, 'Grace');

    const seen = await page.evaluate<readonly string[]>('seen');
    const secrets = [...new Set(seen)].map((digits) => Buffer.from(digits, 'hex'));
    expect(seen.length).toBeGreaterThan(2);
    const all = sent.join('\n');
    expect(all).toContain('"credential"');
    expect(all).not.toContain('"results"');
    for (const secret of secrets)
      for (const spelling of ['base64url', 'base64', 'hex'] as const)
        expect(all).not.toContain(secret.toString(spelling).slice(0, 40));
    await page.context().close();
  });

  test('give a passphrase to whose passkey has no secret, and open the vault by it', async () => {
    const somebody = await open({ hasPrf: false });
    const { page } = somebody;
    await begin(somebody, 'Mary');
    const phrase = (await page.locator('#passphrase').textContent()) ?? '';
    await page.getByLabel('Type them again').fill(phrase);
    await press(page, 'Use these words');
    await keepCode(page);
    await isHome(page, 'Mary');

    const device = await newDevice();
    const begun = await ask(device, true);
    await show(somebody, begun);
    await page.route('https://telly.example.org/**', (route) => route.fulfill({ body: 'back' }));
    await press(page, 'Approve');
    const field = page.getByRole('textbox', { name: 'Passphrase' });
    await field.fill('six words that are not it');
    await press(page, 'Open the vault');
    await alertOf(page, 'That is not the passphrase');
    await field.fill(phrase);
    await press(page, 'Open the vault');

    await page.waitForURL(`${callbackUrl}?requestId=${begun.requestId}&result=ok`);
    expect((await device.poll(begun.requestId)).body['status']).toBe('completed');
    await page.context().close();
  });

  test('let somebody back in by the recovery code, which is of no use then', async () => {
    const somebody = await open();
    const { page, authenticators, authenticator } = somebody;
    await begin(somebody, 'Emmy');
    const code = await keepCode(page);
    await isHome(page, 'Emmy');
    const before = await page.locator('#fingerprint').textContent();
    await press(page, 'Sign out');
    await authenticators.remove(authenticator);
    await authenticators.add({ transport: 'usb' });

    await page.goto('/recover');
    await page.getByLabel('Name').fill('Emmy');
    await page.getByLabel('Recovery code').fill(code.toLowerCase());
    await press(page, 'Continue');
    await keepCode(page);
    await isHome(page, 'Emmy');
    expect(await page.locator('#fingerprint').textContent()).toBe(before);

    await press(page, 'Sign out');
    await page.goto('/recover');
    await page.getByLabel('Name').fill('Emmy');
    await page.getByLabel('Recovery code').fill(code);
    await press(page, 'Continue');
    await alertOf(page, 'is not right');
    await page.context().close();
  });

  test('have no fault that a checker of WCAG finds, wide in light, on a phone in the dark', async () => {
    const { page } = ada;
    const { browserUrl } = await ask(await newDevice(), true);
    const faults: string[] = [];
    for (const path of ['/', '/pair', new URL(browserUrl).pathname, '/developer', '/recover']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const width = colorScheme === 'light' ? 1280 : 390;
        await page.setViewportSize({ width, height: 900 });
        const found = await faultsOf(page);
        faults.push(...found.map((fault) => `${path} ${colorScheme} ${width}: ${fault}`));
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
    }
    expect(faults).toEqual([]);
  });

  test('load less than 60 KB for an approval, all from the broker itself', async () => {
    const { page } = ada;
    const { browserUrl } = await ask(await newDevice(), true);
    const sizes: number[] = [];
    const strangers: string[] = [];
    page.on('response', async (reply) => {
      if (!reply.url().startsWith(broker.identityUrl)) strangers.push(reply.url());
      if (!reply.url().includes('/web/')) sizes.push((await reply.body()).length);
    });

    await page.goto(new URL(browserUrl).pathname);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.waitForLoadState('networkidle');

    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
    expect(strangers).toEqual([]);
  });
});

const isFocused = (page: Page, text: string): Promise<boolean> =>
  page.evaluate<boolean>(`document.activeElement?.textContent === ${JSON.stringify(text)}`);
