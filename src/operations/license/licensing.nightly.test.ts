import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { testByNight } from '../../../test/support/run/test-by-night.ts';
import { judge } from '../../../builtin-plugins/license/judge.ts';
import type { CallPlugin, Log } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { LicenseState, LicenseVerdict } from '../../../plugin-api/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { createFakeClock, type FakeClock } from '../../../test/support/fake-clock.ts';
import { testViewers } from '../../../test/support/servers/http.ts';
import {
  createTestIssuer,
  startImpostor,
  startTestAuthority,
  type TestIssuer,
} from '../../../test/support/plugins/license.ts';
import { openStorageAt, temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createSecretBox } from '../../platform/secrets/index.ts';
import { createAuthority, createLicensing, licenseMigrations, type Licensing } from './index.ts';
import { sampleOf } from '../../../test/support/run/nightly.ts';

const dayMs = 24 * 3600_000;
const viewer = testViewers['admin'] as NonNullable<(typeof testViewers)[string]>;

let clock: FakeClock;
let issuer: TestIssuer;
let home: Home;

/** A server's database and key, and a machine clock that may be wrong. */
interface Home {
  readonly folder: string;
  readonly database: Database;
  readonly serverId: string;
  /** The error of the machine clock. */
  clockIsOffBy: number;
  serverKey: Buffer;
  /** All outputs: plugin calls, audit entries, notices, log lines. */
  readonly said: unknown[];
}

async function createHome(serverId = 'a'.repeat(64)): Promise<Home> {
  const folder = temporaryFolder();
  const url = `sqlite:${path.join(folder, 'test.db')}`;
  const { database, close } = await openStorageAt(url, { migrations: [licenseMigrations] });
  onTestFinished(close);
  return { folder, database, serverId, clockIsOffBy: 0, serverKey: randomBytes(32), said: [] };
}

interface Options {
  readonly issuer?: string | null;
  readonly authority?: string | null;
  /** The timeout of the authority; long, because machines are slow. */
  readonly timeoutMs?: number;
  /** The plugin; `null` = none runs. */
  readonly plugin?: ((state: LicenseState) => unknown) | null;
}

/** Starts the server in its home. */
async function start(at: Home, options: Options = {}): Promise<Licensing> {
  const { authority = null, timeoutMs = 10_000, plugin = judge } = options;
  const note = (kind: string) => (fields: unknown, text?: string) => {
    at.said.push({ kind, fields: plain(fields), text });
  };
  const log: Log = {
    debug: note('log'),
    info: note('log'),
    warn: note('log'),
    error: note('log'),
  };
  const call: CallPlugin = async (_id, method, input) => {
    note('call')({ method, input });
    return plugin?.(input as LicenseState);
  };
  const licensing = createLicensing({
    database: at.database,
    secrets: createSecretBox(at.serverKey, randomBytes),
    issuer: options.issuer === undefined ? issuer.issuer : options.issuer,
    authority:
      authority === null
        ? null
        : createAuthority({ url: authority, serverId: at.serverId, timeoutMs }),
    call,
    provider: () => (plugin === null ? undefined : 'license'),
    audit: async (_trx, entry) => note('audit')(entry),
    notify: note('notice'),
    clock: { now: () => clock.now() + at.clockIsOffBy, after: clock.after },
    elapsed: clock.now,
    random: () => 0,
    log,
  });
  await licensing.open();
  licensing.start();
  onTestFinished(licensing.close);
  return licensing;
}

const plain = (fields: unknown): unknown =>
  JSON.parse(
    JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? String(value) : value)),
  );

const statusOf = async (licensing: Licensing) => (await licensing.get()).status;

/** Lets days pass while the server runs its checks. */
async function pass(days: number): Promise<void> {
  for (let hour = 0; hour < days * 24; hour += 1) {
    const before = clock.nextAt();
    await clock.advance(3600_000);
    await eventually('the next check is scheduled', () => clock.nextAt() !== before);
  }
}

beforeEach(async () => {
  clock = createFakeClock();
  issuer = createTestIssuer(clock.now());
  home = await createHome();
});

describe('License: status, tier, limits, expiresAt, lastValidatedAt, maskedKey', () => {
  test('a server without a license is `unlicensed`, and nothing is limited', async () => {
    const licensing = await start(home);

    expect(await licensing.get()).toEqual({
      status: 'unlicensed',
      tier: null,
      limits: {},
      expiresAt: null,
      lastValidatedAt: null,
      maskedKey: null,
    });
    expect(licensing.hasActiveLicense()).toBe(false);
  });

  test('an activated license is active immediately, also after a restart, and its key is masked', async () => {
    const licensing = await start(home);
    const licenseKey = issuer.issue();

    const outcome = await licensing.activate(` ${licenseKey}\n`, viewer);

    expect(licensing.hasActiveLicense()).toBe(true);
    const license = {
      status: 'active',
      tier: 'home',
      limits: { users: 5 },
      expiresAt: '2027-11-21T07:44:53.000Z',
      lastValidatedAt: '2026-11-21T07:44:53.000Z',
      maskedKey: `****${licenseKey.slice(-4)}`,
    };
    expect(outcome).toEqual({ ok: true, license });
    await licensing.close();
    const again = await start(home);
    expect(again.hasActiveLicense()).toBe(true);
    expect(await again.get()).toEqual(license);
  });

  test('a license is `expired` exactly at its end, without any request', async () => {
    const licensing = await start(home);
    await licensing.activate(issuer.issue({ exp: clock.now() / 1000 + 60 }), viewer);

    await clock.advance(59_999);
    expect(licensing.hasActiveLicense()).toBe(true);
    await clock.advance(1);

    expect(licensing.hasActiveLicense()).toBe(false);
    expect(await licensing.get()).toMatchObject({ status: 'expired', limits: { users: 5 } });
  });

  test('a deactivated license is removed, with its limits', async () => {
    const licensing = await start(home);
    await licensing.activate(issuer.issue(), viewer);

    await licensing.deactivate(viewer);
    await licensing.deactivate(viewer);

    expect(licensing.hasActiveLicense()).toBe(false);
    expect(await statusOf(licensing)).toBe('unlicensed');
    expect(await statusOf(await start(home))).toBe('unlicensed');
  });
});

describe('License activation failure: {ok: false, code, message}', () => {
  test.each([
    ['MALFORMED', () => 'hello', {}],
    ['BAD_SIGNATURE', () => createTestIssuer(clock.now()).issue(), {}],
    ['EXPIRED', () => issuer.issue({ iat: 1, exp: clock.now() / 1000 }), {}],
    ['UNKNOWN_ISSUER', () => issuer.issue(), { issuer: null }],
    ['AUTHORITY_UNREACHABLE', () => issuer.issue(), { authority: 'http://127.0.0.1:1' }],
    ['REFUSED', () => issuer.issue(), { plugin: verdict({ status: 'invalid' }) }],
  ])('%s, and the earlier license stays', async (code, keyOf, options: Options) => {
    const first = await start(home);
    await first.activate(issuer.issue({ id: 'before' }), viewer);
    await first.close();
    const licensing = await start(home, options);
    const before = await licensing.get();

    const outcome = await licensing.activate(keyOf(), viewer);

    expect(outcome).toEqual({ ok: false, code, message: expect.stringMatching(/^[A-Z].+\.$/) });
    expect((await licensing.get()).maskedKey).toBe(before.maskedKey);
  });

  test('a refusal of the authority keeps its code', async () => {
    const { url } = await startTestAuthority(createTestIssuer().issuer, { now: clock.now });
    const licensing = await start(home, { authority: url });

    expect(await licensing.activate(issuer.issue(), viewer)).toMatchObject({
      ok: false,
      code: 'BAD_SIGNATURE',
    });
  });

  test('without a license plugin the activation is refused with the reason', async () => {
    const licensing = await start(home, { plugin: null });

    await expect(licensing.activate(issuer.issue(), viewer)).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

describe('License activation conflict (limit reached): current and max', () => {
  test('a license with one seat is used on one server, until that server returns it', async () => {
    const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
    const one = await start(home, { authority: url });
    const other = await start(await createHome('b'.repeat(64)), { authority: url });
    const licenseKey = issuer.issue();
    expect(await one.activate(licenseKey, viewer)).toMatchObject({ ok: true });

    const refused = await other.activate(licenseKey, viewer);

    expect(refused).toEqual({
      ok: false,
      conflict: true,
      current: 1,
      max: 1,
      message: expect.stringContaining('1 of 1 servers'),
    });
    expect(other.hasActiveLicense()).toBe(false);
    expect(await one.activate(licenseKey, viewer)).toMatchObject({ ok: true });
    await one.deactivate(viewer);
    expect(await other.activate(licenseKey, viewer)).toMatchObject({ ok: true });
  });

  test('of two servers that request the last seat at once, one gets it', async () => {
    const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
    const servers = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (letter) =>
        start(await createHome(letter.repeat(64)), { authority: url }),
      ),
    );
    const licenseKey = issuer.issue({ seats: 2 });

    const outcomes = await Promise.all(servers.map((one) => one.activate(licenseKey, viewer)));

    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({ conflict: true, current: 2, max: 2 }),
      expect.objectContaining({ conflict: true, current: 2, max: 2 }),
    ]);
  });

  testByNight(
    'another license returns the seat of the previous one; a renewed one keeps it',
    async () => {
      const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
      const one = await start(home, { authority: url });
      const other = await start(await createHome('b'.repeat(64)), { authority: url });
      await one.activate(issuer.issue({ id: 'old' }), viewer);
      await one.activate(issuer.issue({ id: 'old', tier: 'renewed' }), viewer);
      expect(await other.activate(issuer.issue({ id: 'old' }), viewer)).toMatchObject({
        ok: false,
      });

      await one.activate(issuer.issue({ id: 'new' }), viewer);

      expect(await other.activate(issuer.issue({ id: 'old' }), viewer)).toMatchObject({ ok: true });
    },
  );

  test('a seat that could not be returned is reported', async () => {
    const authority = await startTestAuthority(issuer.issuer, { now: clock.now });
    const licensing = await start(home, { authority: authority.url });
    await licensing.activate(issuer.issue(), viewer);
    await authority.stop();

    await licensing.deactivate(viewer);

    expect(await statusOf(licensing)).toBe('unlicensed');
    expect(home.said).toContainEqual(
      expect.objectContaining({
        kind: 'notice',
        fields: expect.objectContaining({
          title: {
            english: expect.stringContaining('may still be taken') as string,
            german: expect.stringContaining('noch belegt') as string,
          },
        }),
      }),
    );
  });
});

describe('offline grace 14 days', () => {
  testByNight(
    'the license ends after 14 days without the authority, and is active again when it is up',
    async () => {
      let isDown = false;
      const real = await startTestAuthority(issuer.issuer, { now: clock.now });
      const url = await startImpostor((request, reply) => {
        if (isDown) return void request.socket.destroy();
        void forward(request, real.url).then((status) => reply.writeHead(status).end('{}'));
      });
      const licensing = await start(home, { authority: url });
      await licensing.activate(issuer.issue(), viewer);
      isDown = true;

      await pass(13);
      expect(await statusOf(licensing)).toBe('active');
      await pass(1.1);
      expect(await statusOf(licensing)).toBe('invalid');
      expect(licensing.hasActiveLicense()).toBe(false);
      expect((await licensing.get()).limits).toEqual({ users: 5 });
      expect(home.said).toContainEqual(
        expect.objectContaining({
          kind: 'notice',
          fields: expect.objectContaining({
            title: expect.objectContaining({ english: 'The license is invalid.' }) as object,
          }),
        }),
      );

      isDown = false;
      await pass(0.1);
      expect(await statusOf(licensing)).toBe('active');
    },
  );

  testByNight(
    'a license that is confirmed every day stays active, with the time in lastValidatedAt',
    async () => {
      const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
      const licensing = await start(home, { authority: url });
      await licensing.activate(issuer.issue(), viewer);

      await pass(30);

      const { status, lastValidatedAt } = await licensing.get();
      expect(status).toBe('active');
      expect(clock.now() - Date.parse(lastValidatedAt ?? '')).toBeLessThanOrEqual(dayMs);
    },
  );

  test('a license whose seat was taken meanwhile ends at the next confirmation', async () => {
    const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
    const licensing = await start(home, { authority: url });
    const licenseKey = issuer.issue();
    await licensing.activate(licenseKey, viewer);
    await createAuthority({ url, serverId: home.serverId }).deactivate(licenseKey);
    await createAuthority({ url, serverId: 'b'.repeat(64) }).activate(licenseKey);

    await pass(1.1);

    expect(await statusOf(licensing)).toBe('invalid');
  });

  test.each(sampleOf([-400 * dayMs, -dayMs], 1))(
    'a clock set back by %i ms does not prolong it',
    async (off) => {
      const real = await startTestAuthority(issuer.issuer, { now: clock.now });
      const first = await start(home, { authority: real.url });
      await first.activate(issuer.issue(), viewer);
      await real.stop();
      await pass(7);
      home.clockIsOffBy = off;
      await pass(3);
      await first.close();
      const licensing = await start(home, { authority: 'http://127.0.0.1:1' });

      await pass(3);
      expect(await statusOf(licensing)).toBe('active');
      await pass(1.1);
      expect(await statusOf(licensing)).toBe('invalid');
    },
  );

  test('a clock set back does not reactivate an expired license, nor allow entering it again', async () => {
    const licenseKey = issuer.issue({ exp: clock.now() / 1000 + 86_400 });
    const first = await start(home);
    await first.activate(licenseKey, viewer);
    await pass(2);
    await first.close();
    home.clockIsOffBy = -10 * dayMs;

    const licensing = await start(home);

    expect(await statusOf(licensing)).toBe('expired');
    expect(await licensing.activate(licenseKey, viewer)).toMatchObject({ code: 'EXPIRED' });
  });

  test('a clock that was ahead for a while is corrected when the authority confirms', async () => {
    const { url } = await startTestAuthority(issuer.issuer, { now: clock.now });
    const first = await start(home, { authority: url });
    await first.activate(issuer.issue(), viewer);
    home.clockIsOffBy = 4000 * dayMs;
    expect(await statusOf(first)).toBe('expired');
    await first.close();
    home.clockIsOffBy = 0;

    const licensing = await start(home, { authority: url });
    await clock.advance(1);
    await eventually('it is active', async () => (await statusOf(licensing)) === 'active');
  });
});

describe('a false authority', () => {
  const impostors: Readonly<Record<string, Parameters<typeof startImpostor>[0]>> = {
    'answers with a web page': (_, reply) => reply.end('<html>Please sign in</html>'),
    'answers with half of JSON': (_, reply) => reply.end('{"ok":'),
    'answers with a list': (_, reply) => reply.end('[]'),
    'answers that it is not ok': (_, reply) => reply.end('{"ok":false}'),
    'answers with more than anybody needs': (_, reply) => reply.end(`{"a":"${'x'.repeat(9e6)}"}`),
    'never ends its answer': (_, reply) => void reply.write('{'),
    'never answers': () => undefined,
    'sends elsewhere': (_, reply) => reply.writeHead(307, { location: '/elsewhere' }).end('{}'),
    fails: (_, reply) => reply.writeHead(500).end('{"code":"EXPIRED"}'),
    'does not know the way': (_, reply) => reply.writeHead(404).end('{}'),
    'refuses without a reason': (_, reply) => reply.writeHead(403).end('{}'),
    'says a conflict without numbers': (_, reply) => reply.writeHead(409).end('{"current":"1"}'),
    'says a conflict with odd numbers': (_, reply) =>
      reply.writeHead(409).end('{"current":-1,"max":1e99}'),
    'hangs up': (request) => void request.socket.destroy(),
  };

  test.each(Object.entries(impostors))(
    'one that %s activates nothing, and ends no license',
    async (name, answer) => {
      let answers = answer;
      const url = await startImpostor((request, reply) => answers(request, reply));
      const timeoutMs = name.startsWith('never') ? 1000 : 10_000;
      const licensing = await start(home, { authority: url, timeoutMs });
      expect(await licensing.activate(issuer.issue(), viewer)).toMatchObject({
        code: 'AUTHORITY_UNREACHABLE',
      });

      answers = (_, reply) => reply.end('{}');
      await licensing.activate(issuer.issue(), viewer);
      answers = answer;
      const before = (await licensing.get()).lastValidatedAt;
      await pass(1.1);
      expect(await licensing.get()).toMatchObject({ status: 'active', lastValidatedAt: before });
    },
  );

  test('a redirect is not followed, so no other host gets the key', async () => {
    const heard: string[] = [];
    const url = await startImpostor((request, reply) => {
      heard.push(request.url ?? '');
      reply.writeHead(308, { location: '/elsewhere' }).end();
    });
    const licensing = await start(home, { authority: url });

    await licensing.activate(issuer.issue(), viewer);

    expect(heard).toEqual(['/api/licenses/activate']);
  });
});

describe('manipulation of the database', () => {
  const rowOf = (at: Home) => at.database.read<{ sealed: string }>('license').first('sealed');
  const setRow = (at: Home, sealed: string) =>
    at.database.write((trx) => trx('license').update({ sealed }));

  test('a changed value makes the license invalid, and entering the key repairs it', async () => {
    const first = await start(home);
    await first.activate(issuer.issue(), viewer);
    await first.close();
    const { sealed = '' } = (await rowOf(home)) ?? {};
    for (const changed of ['', 'x', sealed.slice(0, -2), sealed.replace(/.{4}$/, 'AAAA')]) {
      await setRow(home, changed);
      const licensing = await start(home);
      expect(await licensing.get()).toMatchObject({
        status: 'invalid',
        maskedKey: null,
        limits: {},
      });
      await licensing.close();
    }

    const licensing = await start(home);
    expect(await licensing.activate(issuer.issue(), viewer)).toMatchObject({ ok: true });
  });

  test('the license of another server cannot be decrypted here', async () => {
    const other = await createHome('b'.repeat(64));
    await (await start(other)).activate(issuer.issue(), viewer);
    await (await start(home)).activate(issuer.issue(), viewer);
    await setRow(home, (await rowOf(other))?.sealed ?? '');

    expect(await statusOf(await start(home))).toBe('invalid');
  });

  test("with the server's key lost, the license is entered again and nothing else breaks", async () => {
    await (await start(home)).activate(issuer.issue(), viewer);
    home.serverKey = randomBytes(32);

    const licensing = await start(home);

    expect(await statusOf(licensing)).toBe('invalid');
    await licensing.deactivate(viewer);
    expect(await statusOf(licensing)).toBe('unlicensed');
  });

  test('another issuer makes the license invalid', async () => {
    await (await start(home)).activate(issuer.issue(), viewer);

    const licensing = await start(home, { issuer: createTestIssuer().issuer });

    expect(await licensing.get()).toMatchObject({ status: 'invalid', limits: {} });
    expect(licensing.hasActiveLicense()).toBe(false);
  });
});

describe('a license plugin', () => {
  test('may allow less than the issuer signed, and never more', async () => {
    const licensing = await start(home, {
      plugin: verdict({ limits: { users: 500, libraries: 2 }, until: 8e15 }),
    });
    await licensing.activate(issuer.issue({ limits: { users: 5, libraries: 9 } }), viewer);
    expect((await licensing.get()).limits).toEqual({ users: 5, libraries: 2 });

    await clock.advance(366 * dayMs);

    expect(licensing.hasActiveLicense()).toBe(false);
    expect(await statusOf(licensing)).toBe('expired');
  });

  test.each([
    ['nothing', undefined],
    ['a word', 'active'],
    ['an unknown status', { status: 'unlicensed', tier: '', limits: {}, until: 1 }],
    ['malformed limits', { status: 'active', tier: '', limits: { users: -1 }, until: 1 }],
    ['no moment', { status: 'active', tier: '', limits: {}, until: Infinity }],
  ])('that returns %s leaves its last verdict in force, for its period', async (_, answer) => {
    let answers: (state: LicenseState) => unknown = (state) => ({
      ...judge(state),
      until: state.now + 1000,
    });
    const licensing = await start(home, { plugin: (state) => answers(state) });
    await licensing.activate(issuer.issue(), viewer);
    answers = () => answer;

    expect(await statusOf(licensing)).toBe('active');
    await clock.advance(1000);
    expect(await statusOf(licensing)).toBe('invalid');
  });

  test('that is missing after a start makes the license inactive, and the limits stay', async () => {
    await (await start(home)).activate(issuer.issue(), viewer);

    const licensing = await start(home, { plugin: null });

    expect(licensing.hasActiveLicense()).toBe(false);
    expect(await licensing.get()).toMatchObject({ status: 'invalid', limits: { users: 5 } });
  });
});

test('the key is not in any plugin call, audit entry, notice, log line or file', async () => {
  const licenseKey = issuer.issue();
  const authority = await startTestAuthority(issuer.issuer, { now: clock.now });
  const licensing = await start(home, { authority: authority.url });
  await licensing.activate(licenseKey, viewer);
  await pass(1.1);
  await authority.stop();
  await pass(1.1);
  await licensing.activate(`${licenseKey}x`, viewer);
  await licensing.activate(licenseKey, viewer);
  await licensing.deactivate(viewer);

  const parts = [licenseKey, ...licenseKey.split('.').slice(1)];
  const said = JSON.stringify(home.said);
  expect(home.said.length).toBeGreaterThan(20);
  expect(parts.filter((part) => said.includes(part))).toEqual([]);
  for (const name of readdirSync(home.folder)) {
    const file = readFileSync(path.join(home.folder, name), 'latin1');
    expect(parts.filter((part) => file.includes(part))).toEqual([]);
  }
});

test('a stopped server leaves no timer, and sends no requests', async () => {
  const licensing = await start(home);
  await licensing.activate(issuer.issue(), viewer);

  await licensing.close();

  expect(clock.timers()).toBe(0);
});

/** A plugin that returns the default verdict with changes. */
const verdict =
  (changes: Partial<LicenseVerdict>) =>
  (state: LicenseState): LicenseVerdict => ({ ...judge(state), ...changes });

async function forward(
  request: AsyncIterable<Buffer> & { readonly url?: string | undefined },
  to: string,
): Promise<number> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const reply = await fetch(`${to}${request.url ?? ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.concat(parts),
  });
  return reply.status;
}
