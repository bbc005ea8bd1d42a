/** The part of the account page that links an identity, in a real browser over a real server. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../src/people/identity/index.ts';
import { openRecord } from '../../packages/lib/identity-protocol/index.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { openFakeBroker, type FakeBroker } from '../support/identity/fake-broker.ts';
import { keyOwner } from '../support/identity/identity-half.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const password = 'correct horse battery';
const shots = process.env['VITRINE_SHOTS'];

let browser: Browser;

async function faultsOf(page: Page): Promise<readonly string[]> {
  const found = await page.evaluate(`(() => {
    ${axe}
    return axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] });
  })()`);
  const { violations } = found as { readonly violations: readonly { readonly id: string }[] };
  return violations.map(({ id }) => id);
}

/** Screenshots of each state in light and dark, wide and as on a phone. */
async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 1100 });
      await page.screenshot({
        path: `${shots}/${name}-${colorScheme}-${width}.png`,
        fullPage: true,
      });
    }
}

/** The user approves on the broker, with this identity. */
async function approve(broker: FakeBroker) {
  const identity = await keyOwner();
  const asked = openRecord('server-link-request', broker.asked.at(-1))?.record;
  const { baseUrl, name, nonce, serverId } = asked ?? {};
  const grant = await identity.seal({
    ...{ baseUrl, name, nonce, serverId, kind: 'server-link', v: 1 },
    ...{ iat: Math.floor(Date.now() / 1000), userId: 'u_ada', userPubKey: identity.publicKey },
  });
  broker.answer = { status: 'completed', grant };
  return { fingerprint: fingerprintOf(identity.publicKey), serverId: serverId ?? '' };
}

describe.skipIf(!hasBrowser)('the identity on the account page (needs Chromium)', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  async function signedIn(identityUrl: string): Promise<{ page: Page; server: TestServer }> {
    const server = await startServer({ args: ['--identity-url', identityUrl] });
    await server.request('POST', '/api/users', { name: 'Ada', password, role: 'user' });
    const context = await browser.newContext({ baseURL: server.url });
    const page = await context.newPage();
    await page.goto('/sign-in');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Ada' }).waitFor();
    await page.goto('/account');
    return { page, server };
  }

  test(
    'is linked with password and fingerprint, and unlinked again',
    { timeout: 120_000 },
    async () => {
      const broker = await openFakeBroker();
      const { page, server } = await signedIn(broker.url);
      try {
        const part = page.locator('section', {
          has: page.getByRole('heading', { name: 'Identity' }),
        });
        await part.getByRole('button', { name: 'Link my identity' }).waitFor();
        expect(await faultsOf(page)).toEqual([]);
        await shoot(page, 'unlinked');

        await part.getByLabel('Your password').fill('wrong password');
        await part.getByRole('button', { name: 'Link my identity' }).click();
        await page.getByText('The password is wrong.').waitFor();
        await part.getByLabel('Your password').fill(password);
        const opening = page.context().waitForEvent('page');
        await part.getByRole('button', { name: 'Link my identity' }).click();
        expect((await opening).url()).toBe(`${broker.url}/link/request_1`);
        await part.getByRole('link', { name: 'Open the page of the broker' }).waitFor();
        expect(await faultsOf(page)).toEqual([]);
        await shoot(page, 'pending');

        const { fingerprint, serverId } = await approve(broker);
        await part.getByText(fingerprintOf(serverId)).waitFor();
        await part.getByText(fingerprint).waitFor();
        expect(await faultsOf(page)).toEqual([]);
        await shoot(page, 'approved');
        await part.getByRole('button', { name: 'It is the same: link it' }).click();
        const unlink = part.getByRole('button', { name: `Unlink the identity ${fingerprint}` });
        await unlink.waitFor();
        expect(await faultsOf(page)).toEqual([]);
        await shoot(page, 'linked');

        await unlink.click();
        await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
        await part.getByText('Link an identity, and apps that you approve').waitFor();
      } finally {
        await server.stop();
      }
    },
  );
});
