import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { verdictOf } from '../../../../test/support/identity/ask.ts';
import { claimsOf } from '../../../../test/support/identity/device.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import { signRevocation, signUnlink } from '../signing/index.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

interface Page {
  readonly epoch: string;
  readonly records: readonly (SignedObject & { readonly publishedAt: number })[];
  readonly next: number;
  readonly more: boolean;
}
const page = async (since?: number): Promise<Page> =>
  (await scene.feed(since)).body as unknown as Page;
/** The time of the newest record. */
async function end(since = 0): Promise<number> {
  const { next, more } = await page(since);
  return more ? end(next) : next;
}
const seconds = (): number => Math.floor(scene.clock.now() / 1000);

/** Publishes so many records, signed with Ada's key. */
async function revokeMany(count: number): Promise<void> {
  const { clientId } = await scene.pair();
  await scene.ada.signIn();
  const { identity } = scene.ada.opened();
  const records = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      signRevocation(
        identity,
        { clientId, serverId: index.toString(16).padStart(64, '0') },
        seconds(),
      ),
    ),
  );
  for (let at = 0; at < count; at += 200) {
    const body = { records: records.slice(at, at + 200), lists: [] };
    expect(verdictOf(await scene.ada.web('records', { body }))).toBe('204');
  }
}

describe('GET /api/identity/revocations', () => {
  test('returns the records after a time, which grows even when the clock stands still', async () => {
    const before = await page(await end());
    await revokeMany(5);

    const { records, next, more, epoch } = await page(before.next);
    expect(epoch).toBe(before.epoch);
    expect(more).toBe(false);
    expect(records).toHaveLength(5);
    const moments = records.map(({ publishedAt }) => publishedAt);
    expect(moments).toEqual([...new Set(moments)].sort((a, b) => a - b));
    expect(next).toBe(moments.at(-1));
    expect(Object.keys(records[0] ?? {}).sort()).toEqual(['payload', 'publishedAt', 'sig']);
    expect(await page(next)).toEqual({ epoch, records: [], next, more: false });
  });

  testByNight('returns at most 500 at once, and whether there are more', async () => {
    const since = await end();
    await revokeMany(620);

    const first = await page(since);
    const second = await page(first.next);

    expect([first.records.length, first.more]).toEqual([500, true]);
    expect([second.records.length, second.more]).toEqual([120, false]);
    const payloads = [...first.records, ...second.records].map(({ payload }) => payload);
    expect(new Set(payloads).size).toBe(620);
  });

  test.each(['-1', '1.5', 'x', '', '1e3', '99999999999999999', '0x10'])(
    'refuses since=%s',
    async (since) => {
      expect(verdictOf(await scene.feed(since))).toBe('400 invalid_request');
    },
  );

  test('allows any origin, without credentials, and replies 304 when nothing is new', async () => {
    const since = await end();
    const { headers } = await scene.feed(since);
    const etag = headers.get('etag') ?? '';

    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect((await scene.feed(since, { 'if-none-match': etag })).status).toBe(304);
    await revokeMany(1);
    expect((await scene.feed(since, { 'if-none-match': etag })).status).toBe(200);
  });

  testByNight(
    'keeps the epoch over a restart, and starts another when the database was restored',
    async () => {
      await revokeMany(1);
      const before = await page(await end());
      await scene.broker.pause();
      await scene.broker.resume();
      expect((await page()).epoch).toBe(before.epoch);

      // The file has a record that the database has lost.
      await scene.broker.pause();
      const mark = { epoch: before.epoch, last: before.next + 5000 };
      writeFileSync(path.join(scene.broker.data, 'feed.json'), JSON.stringify(mark));
      await scene.broker.resume();

      const after = await page();
      expect(after.epoch).not.toBe(before.epoch);
      const next = await end();
      await scene.ada.signIn();
      await revokeMany(1);
      expect((await page(next)).records[0]?.publishedAt).toBeGreaterThan(mark.last);
      await scene.broker.pause();
      await scene.broker.resume();
      expect((await page()).epoch).toBe(after.epoch);
    },
  );

  test('keeps a revocation for 400 days, and an unlinked server permanently', async () => {
    const since = await end();
    await revokeMany(1);
    await scene.ada.signIn();
    const gone = await signUnlink(scene.ada.opened().identity, 'ab'.repeat(32), seconds());
    await scene.ada.web('records', { body: { records: [gone], lists: [] } });
    const kinds = async () => (await page(since)).records.map((record) => claimsOf(record)['kind']);

    await scene.clock.advance(399 * 86_400_000);
    expect(await kinds()).toEqual(['revocation', 'server-unlink']);
    await scene.clock.advance(86_400_000);
    // A sweep runs every five minutes.
    const later = async () => {
      await scene.clock.advance(300_000);
      return kinds();
    };
    await expect.poll(later, { timeout: 20_000 }).toEqual(['server-unlink']);
  });
});

describe('POST /web/records', () => {
  test('accepts recent records of the user’s own key, and nothing else', async () => {
    const { clientId } = await scene.pair();
    await scene.ada.signIn();
    const bob = await scene.register('bob');
    const bobs = await scene.pair(undefined, bob);
    const { identity } = scene.ada.opened();
    const newest = await end();
    const good = await signRevocation(identity, { clientId }, seconds());
    const send = async (...records: readonly object[]) =>
      verdictOf(await scene.ada.web('records', { body: { records, lists: [] } }));

    for (const bad of [
      await signRevocation(bob.opened().identity, { clientId }, seconds()),
      await signRevocation(
        { ...identity, sign: bob.opened().identity.sign },
        { clientId },
        seconds(),
      ),
      await signRevocation(identity, { clientId }, seconds() - 601),
      await signRevocation(identity, { clientId }, seconds() + 601),
      { ...good, newSig: good.sig },
      { payload: good.payload, sig: 'x' },
    ])
      expect(await send(good, bad)).toBe('400 record_invalid');
    const foreign = await signRevocation(identity, { clientId: bobs.clientId }, seconds());
    expect(await send(good, foreign)).toBe('404 unknown_client');
    // The records beside an invalid one were not applied.
    expect(await end()).toBe(newest);
    const mine = (await scene.ada.clients()).find((one) => one.clientId === clientId);
    expect(mine?.revokedAt).toBeNull();
  });

  test('the same record sent twice is once in the feed', async () => {
    const { clientId } = await scene.pair();
    await scene.ada.signIn();
    const next = await end();
    const record = await signRevocation(scene.ada.opened().identity, { clientId }, seconds());
    const body = { records: [record], lists: [] };

    await scene.ada.web('records', { body });
    expect(verdictOf(await scene.ada.web('records', { body }))).toBe('204');

    expect((await page(next)).records).toHaveLength(1);
  });

  test('needs the passkey to have been used in the last five minutes', async () => {
    const { clientId } = await scene.pair();
    await scene.ada.signIn();
    await scene.clock.advance(5 * 60_000);

    expect(verdictOf(await scene.ada.revoke(clientId))).toBe('401 assertion_required');
    await scene.ada.signIn();
    expect(verdictOf(await scene.ada.revoke(clientId))).toBe('204');
  });

  test('a key that was declared compromised can no longer approve or renew', async () => {
    const eve = await scene.register('eve');
    const { device, cert } = await scene.pair(undefined, eve);
    expect(verdictOf(await eve.revokeKey())).toBe('204');

    await scene.clock.advance(30 * 86_400_000);
    expect(verdictOf(await device.renew(cert))).toBe('401 cert_bad_signature');
    await eve.signIn();
    const requestId = await scene.begin(await scene.newDevice());
    expect(verdictOf(await eve.approve(requestId))).toBe('409 key_mismatch');
  });
});
