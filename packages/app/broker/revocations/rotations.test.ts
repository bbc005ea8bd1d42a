import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { verdictOf } from '../../../../test/support/identity/ask.ts';
import { claimsOf } from '../../../../test/support/identity/device.ts';
import type { Person } from '../../../../test/support/identity/person.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import { rotate, sortClients } from '../signing/index.ts';
import type { FeedRecord, RotateBody } from '../service/web-api.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const newPerson = (): Promise<Person> => scene.register(`user-${randomUUID()}`);

/** The body with which the page rotates a key. */
async function bodyFor(person: Person): Promise<RotateBody> {
  const { identity } = person.opened();
  const records = (await person.web('records')).body['records'] as readonly FeedRecord[];
  const clients = await sortClients(identity, await person.clients(), records);
  const now = Math.floor(scene.clock.now() / 1000);
  const parts = { clients, servers: await person.servers(), records, now };
  return (await rotate(person.opened(), parts)).body;
}
const send = async (person: Person, body: object): Promise<string> =>
  verdictOf(await person.web('rotate', { body }));

describe('POST /web/rotate', () => {
  test('replaces the key, and every device learns of it through a record that both keys signed', async () => {
    const eve = await newPerson();
    await scene.link(await scene.newServer(), eve);
    const { device, cert } = await scene.pair(undefined, eve);
    const before = eve.account().userPubKey;
    const since = Number((await scene.feed()).body['next']);

    expect(verdictOf(await eve.rotate())).toBe('204');

    await scene.clock.advance(1000);
    // Immediately, and not only from the thirtieth day on.
    const renewed = await device.renew(cert);
    expect(renewed.status).toBe(200);
    const { userPubKey, userId } = claimsOf(renewed.body['cert'] as SignedObject);
    expect([userPubKey, userId]).toEqual([eve.account().userPubKey, eve.account().userId]);
    expect(userPubKey).not.toBe(before);
    const [record] = (await scene.feed(since)).body['records'] as readonly FeedRecord[];
    expect(renewed.body['rotation']).toEqual({
      ...{ payload: record?.payload, sig: record?.sig, newSig: record?.newSig },
    });
    expect(claimsOf(record as SignedObject)).toMatchObject({
      kind: 'key-rotation',
      userPubKey: before,
      newPubKey: userPubKey,
    });
    expect(claimsOf(renewed.body['serverList'] as SignedObject)['userPubKey']).toBe(userPubKey);
  });

  test('is all or nothing', async () => {
    const eve = await newPerson();
    const { device, cert } = await scene.pair(undefined, eve);
    const other = await newPerson();
    await scene.pair(undefined, other);
    const [good, foreign] = [await bodyFor(eve), await bodyFor(other)];
    const feed = (await scene.feed()).body;

    expect(await send(eve, foreign)).toBe('400 record_invalid');
    const { newSig, ...half } = good.record;
    expect(await send(eve, { ...good, record: half })).toBe('400 record_invalid');
    expect(await send(eve, { ...good, record: { ...half, newSig: half.sig } })).toBe(
      '400 record_invalid',
    );
    expect(await send(eve, { ...good, vault: eve.opened().vault })).toBe('400 vault_invalid');
    expect(await send(eve, { ...good, passes: foreign.passes })).toBe('400 cert_mismatch');
    expect(await send(eve, { ...good, lists: foreign.lists })).toBe('400 servers_mismatch');
    expect(newSig).toBeDefined();

    expect((await scene.feed()).body).toEqual(feed);
    await scene.clock.advance(1000);
    expect(verdictOf(await device.renew(cert))).toBe('409 renewal_too_early');
    expect(await send(eve, good)).toBe('204');
    expect(await send(eve, good)).toBe('400 record_invalid');
  });

  test('of two concurrent rotations one succeeds', async () => {
    const eve = await newPerson();
    const bodies = [await bodyFor(eve), await bodyFor(eve)];

    const verdicts = await Promise.all(bodies.map((body) => send(eve, body)));
    expect(verdicts.filter((one) => one === '204')).toHaveLength(1);
  });

  test('an old key that was declared compromised cannot renew', async () => {
    const eve = await newPerson();
    const { device, cert } = await scene.pair(undefined, eve);
    expect(verdictOf(await eve.revokeKey())).toBe('204');
    expect(verdictOf(await eve.rotate())).toBe('204');

    await scene.clock.advance(1000);
    expect(verdictOf(await device.renew(cert))).toBe('401 cert_bad_signature');
    // The user continues with the new key.
    const again = await scene.pair(undefined, eve);
    expect(again.poll.body['status']).toBe('completed');
  });

  test('needs a recent use of the passkey', async () => {
    const eve = await newPerson();
    const body = await bodyFor(eve);
    await scene.clock.advance(5 * 60_000);

    expect(await send(eve, body)).toBe('401 assertion_required');
  });
});
