/**
 * Identity: what a sign-in costs a server, how long it takes to take in a long feed, and how heavy the
 * page is on which a person approves. Every sign-in is of another device with a pass of its own, so
 * nothing is spared that was verified before.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signPass, signRevocation } from '../../packages/app/broker/signing/index.ts';
import type { SignedObject } from '../../packages/lib/identity-protocol/index.ts';
import { openServerIdentity } from '../../src/people/identity/index.ts';
import { hasBrowser, openBrowser } from '../support/servers/browser.ts';
import { eventually } from '../support/eventually.ts';
import { ask, good, textOf } from '../support/identity/ask.ts';
import { createDevice, type Device } from '../support/identity/device.ts';
import { openHomeServer, type HomeServer } from '../support/identity/home-server.ts';
import { linkHome } from '../support/identity/household.ts';
import { createMovingClock } from '../support/identity/moving-clock.ts';
import { registerPerson, type Person } from '../support/identity/person.ts';
import { openTestBroker } from '../support/identity/test-broker.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';
import { median, type Figure } from './figure.ts';
import { sized } from './size.ts';

const appId = 'app_telly';

export async function benchIdentity(): Promise<readonly Figure[]> {
  return [...(await signIns()), await feed(sized(10_000, 50)), ...(await approvalPage())];
}

interface Caller {
  readonly device: Device;
  readonly cert: SignedObject;
}

/** Sign-ins of one server process, one after the other, and sixteen at a time. */
async function signIns(): Promise<readonly Figure[]> {
  const clock = createMovingClock();
  const broker = await openTestBroker({ clock });
  const { identityUrl } = broker;
  const server = await startServer({
    args: ['--identity-url', identityUrl, '--trusted-proxy', '127.0.0.1', '--ingest', 'off'],
  });
  const ada = await registerPerson('ada', { identityUrl, clock });
  const home = asHome(server);
  await linkHome(home, await home.join('Ada'), ada);
  const { identity } = ada.opened();
  const iat = Math.floor(clock.now() / 1000);

  const newCaller = async (): Promise<Caller> => {
    const device = await createDevice({ identityUrl, appId, clock });
    const client = { appId, clientId: randomUUID(), clientPubKey: device.publicKey };
    const cert = await signPass(identity, { ...client, deviceName: 'Telly' }, iat);
    return { device, cert };
  };
  /** Each from one of a hundred addresses, so that no rate limits what is measured. */
  async function signIn({ device, cert }: Caller, at: number): Promise<void> {
    const headers = { 'x-forwarded-for': `198.51.100.${(at % 100) + 1}` };
    const session = `${home.url}/api/auth/identity-session`;
    const begun = await ask(`${session}/begin`, { body: { cert }, headers });
    const challenge = textOf(begun, 'challenge');
    const body = { cert, challenge, serverId: home.serverId, ts: clock.now() };
    const sig = await device.sign(body);
    textOf(await ask(`${session}/complete`, { body: { ...body, sig }, headers }), 'sessionToken');
  }

  const callers: Caller[] = [];
  while (callers.length < sized(1300, 40)) callers.push(await newCaller());
  const strangers = callers.splice(0, sized(100, 10));
  for (const [at, caller] of strangers.entries()) {
    // Fifty requests a second are taken from addresses that nobody has signed in from.
    if (at % 20 === 19) await new Promise((resolve) => setTimeout(resolve, 1000));
    await signIn(caller, at);
  }
  const single = callers.splice(0, sized(200, 10));
  const cpuBefore = cpuMs(server.pid);
  for (const [at, caller] of single.entries()) await signIn(caller, at);
  const cpuEach = (cpuMs(server.pid) - cpuBefore) / single.length;

  const count = callers.length;
  const start = performance.now();
  const worker = async (): Promise<void> => {
    for (let caller = callers.pop(); caller; caller = callers.pop())
      await signIn(caller, callers.length);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const seconds = (performance.now() - start) / 1000;
  await server.stop();
  await broker.stop();
  return [
    {
      name: 'identity: server CPU of begin and complete',
      ours: cpuEach,
      bare: null,
      unit: 'ms',
      goal: 15,
    },
    {
      name: 'identity: sign-ins a second in one process',
      ours: count / seconds,
      bare: null,
      unit: '/s',
      goal: -100,
    },
  ];
}

/** A server process, as far as linking and signing in go. */
function asHome(server: TestServer): HomeServer {
  const request: HomeServer['ask'] = (route, { token = adminToken, ...asked } = {}) =>
    ask(server.url + route, { ...asked, token: token === '' ? undefined : token });
  const password = 'correct horse battery';
  return {
    name: 'Attic',
    url: server.url,
    serverId: openServerIdentity(server.data).serverId,
    data: server.data,
    ask: request,
    async join(name, role = 'user') {
      const made = good(await request('/api/users', { body: { name, password, role } }));
      const { id } = made['user'] as { readonly id: string };
      const signedIn = await request('/api/auth/login', { body: { name, password }, token: '' });
      return { id, name, token: textOf(signedIn, 'sessionToken') };
    },
    restart: () => Promise.reject(new Error('A process is not started again here.')),
    async stop() {
      await server.stop();
    },
  };
}

/** Milliseconds of CPU that a process has taken, by the kernel's count of hundredths. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** A feed whose every record is of an identity that is linked here: the worst that there is. */
async function feed(count: number): Promise<Figure> {
  const clock = createMovingClock();
  const broker = await openTestBroker({ clock });
  const { identityUrl } = broker;
  const home = await openHomeServer({ name: 'Attic', identityUrl, clock });
  const ada = await registerPerson('ada', { identityUrl, clock });
  await linkHome(home, await home.join('Ada'), ada);
  const { identity } = ada.opened();
  const { userId } = ada.account();
  const iat = Math.floor(clock.now() / 1000);
  const planted = [];
  for (let made = 0; made < count; made += 1) {
    const clientId = randomUUID();
    const record = await signRevocation(identity, { clientId }, iat);
    planted.push({ record, kind: 'revocation', userId, clientId });
  }
  await broker.plant(planted);
  const database = new DatabaseSync(path.join(home.data, 'vitrine.db'), { readOnly: true });
  // Rows are never taken away here; to count them all, again and again, took a third of this process.
  const known = database.prepare('select max(rowid) as last from identity_revocations');

  const start = performance.now();
  await clock.advance(6 * 60_000);
  await eventually('the feed is applied', () => Number(known.get()?.['last']) >= count);
  const seconds = (performance.now() - start) / 1000;

  database.close();
  await home.stop();
  await broker.stop();
  return {
    name: `identity: a feed of ${count} records`,
    ours: seconds,
    bare: null,
    unit: 's',
    goal: 5,
  };
}

/** What the page that approves loads, and when its button can be pressed; nothing where there is no Chromium. */
async function approvalPage(): Promise<readonly Figure[]> {
  if (!hasBrowser) return [];
  const clock = createMovingClock();
  const broker = await openTestBroker({ clock });
  const { identityUrl } = broker;
  const ada = await registerPerson('ada', { identityUrl, clock });
  const app = { slug: 'telly', name: 'Telly', callbacks: [], domain: null, icon: null };
  good(await ada.web('apps', { body: app }));
  const browser = await openBrowser();
  const visits = [];
  for (let visit = 0; visit < sized(5, 1); visit += 1)
    visits.push(await look(browser, ada, identityUrl));
  await browser.close();
  await broker.stop();

  async function look(opened: typeof browser, person: Person, url: string) {
    const device = await createDevice({ identityUrl: url, appId, clock });
    const requestId = await person.typeCode(textOf(await device.pairBegin(), 'pairingCode'));
    const context = await opened.newContext();
    await context.addCookies([person.cookie()]);
    const page = await context.newPage();
    const bodies: Promise<number>[] = [];
    page.on('response', (reply) => {
      if (new URL(reply.url()).pathname.startsWith('/web/')) return;
      bodies.push(reply.body().then((body) => body.length));
    });
    const start = performance.now();
    await page.goto(`${url}/pair/${requestId}`);
    await page
      .getByRole('button', { name: /approve|allow|sign in|pair/i })
      .first()
      .click({ trial: true });
    const ms = performance.now() - start;
    const bytes = (await Promise.all(bodies)).reduce((sum, one) => sum + one, 0);
    await context.close();
    return { ms, bytes };
  }

  return [
    {
      name: 'identity: the approval page, as files, not compressed',
      ours: Math.max(...visits.map(({ bytes }) => bytes)) / 1024,
      bare: null,
      unit: 'KB',
      goal: 60,
    },
    {
      name: 'identity: until the approval page can be used',
      ours: median(visits.map(({ ms }) => ms)),
      bare: null,
      unit: 'ms',
      goal: 1000,
    },
  ];
}
