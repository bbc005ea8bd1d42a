import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { ask, verdictOf, type Answer } from '../../../../test/support/identity/ask.ts';
import { claimsOf } from '../../../../test/support/identity/device.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import { signPass } from '../signing/index.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const dayMs = 86_400_000;
const days = (count: number): Promise<void> => scene.clock.advance(count * dayMs);
const certOf = ({ body }: Answer): SignedObject => body['cert'] as SignedObject;

describe('POST /api/identity/clients/{clientId}/renew', () => {
  test('returns the pass that the page signed for this time, and the same one on a retry', async () => {
    const { device, cert } = await scene.pair();
    await days(30);

    const first = await device.renew(cert);
    expect(first.status).toBe(200);
    expect(Object.keys(first.body).sort()).toEqual(['cert', 'serverList', 'servers']);
    expect(Number(claimsOf(certOf(first))['iat'])).toBe(
      Number(claimsOf(cert)['iat']) + 30 * 86_400,
    );
    await scene.clock.advance(1000);
    expect(certOf(await device.renew(cert))).toEqual(certOf(first));
  });

  test('works for 240 days without a visit of the user to the broker', async () => {
    const { device, cert } = await scene.pair();
    let current = cert;
    const verdicts: string[] = [];
    for (let month = 1; month <= 7; month += 1) {
      await days(31);
      const answer = await device.renew(current);
      verdicts.push(verdictOf(answer));
      if (answer.status === 200) current = certOf(answer);
    }

    expect(verdicts).toEqual([...Array<string>(6).fill('200'), '202']);
    expect((Number(claimsOf(current)['exp']) - Number(claimsOf(cert)['iat'])) / 86_400).toBe(240);
  });

  test('works again immediately after a visit of the user to the broker', async () => {
    const { device, cert } = await scene.pair();
    let current = cert;
    for (let month = 0; month < 6; month += 1) {
      await days(30);
      current = certOf(await device.renew(current));
    }
    await days(31);
    expect(verdictOf(await device.renew(current))).toBe('202');

    await scene.ada.signIn();
    expect(verdictOf(await scene.ada.topUp())).toBe('204');
    const before = await scene.ada.clients();
    expect(verdictOf(await scene.ada.topUp())).toBe('204');

    expect(await scene.ada.clients()).toEqual(before);
    await scene.clock.advance(1000);
    expect(verdictOf(await device.renew(current))).toBe('200');
  });

  test('checks in a fixed order, and reports the first fault', async () => {
    const { device, cert, clientId } = await scene.pair();
    const other = await scene.pair();
    const now = scene.clock.now();
    const url = (id: string) => `${scene.broker.identityUrl}/api/identity/clients/${id}/renew`;
    const send = async (id: string, body: object) => verdictOf(await ask(url(id), { body }));
    const { identity } = scene.ada.opened();
    const claims = claimsOf(cert);
    const signed = (changes: object) =>
      signPass(identity, { ...claims, ...changes } as never, Number(claims['iat']));
    const bad = { payload: cert.payload, sig: other.cert.sig };

    // Each body also has every fault that is checked later.
    expect(await send('x', { currentCert: {}, ts: 'now', sig: '' })).toBe('400 invalid_request');
    expect(await send('x', { currentCert: {}, ts: 0, sig: 'x' })).toBe('400 cert_malformed');
    expect(await send('x', { currentCert: { ...bad, more: 1 }, ts: 0, sig: 'x' })).toBe(
      '400 cert_malformed',
    );
    expect(await send(other.clientId, { currentCert: bad, ts: 0, sig: 'x' })).toBe(
      '400 client_mismatch',
    );
    const nobody = randomUUID();
    const stray = await signed({ clientId: nobody });
    expect(await send(nobody, { currentCert: stray, ts: 0, sig: 'x' })).toBe('404 unknown_client');
    expect(await send(clientId, { currentCert: bad, ts: 0, sig: 'x' })).toBe(
      '401 cert_bad_signature',
    );
    const foreignKey = await signed({ clientPubKey: other.device.publicKey });
    expect(await send(clientId, { currentCert: foreignKey, ts: 0, sig: 'x' })).toBe(
      '401 cert_bad_signature',
    );
    const skewed = await device.renew(cert, { ts: now - 300_001 });
    expect(verdictOf(skewed)).toBe('401 clock_skew');
    expect(skewed.body['serverTime']).toBe(scene.clock.now());
    expect(skewed.headers.get('www-authenticate')).toBe('Bearer');
    expect(await send(clientId, { currentCert: cert, ts: now, sig: 'x' })).toBe(
      '401 bad_signature',
    );
    expect(verdictOf(await device.renew(cert, { ts: now }))).toBe('409 renewal_too_early');
    expect(verdictOf(await device.renew(cert, { ts: now }))).toBe('409 replayed');
  });

  test('refuses a signature of another device, or over another time', async () => {
    const { device, cert, clientId } = await scene.pair();
    const other = await scene.newDevice();
    const ts = scene.clock.now();
    const told = { kind: 'cert-renewal', clientId, currentCertExp: claimsOf(cert)['exp'], ts };

    for (const sig of [
      await other.sign(told),
      await device.sign({ ...told, ts: ts + 1 }),
      await device.sign({ ...told, currentCertExp: 1 }),
    ])
      expect(verdictOf(await device.renew(cert, { ts, sig }))).toBe('401 bad_signature');
  });

  test('says when it will be possible, in seconds', async () => {
    const { device, cert } = await scene.pair();
    await days(29);

    const early = await device.renew(cert);
    expect(verdictOf(early)).toBe('409 renewal_too_early');
    expect(early.body['renewableAt']).toBe(Number(claimsOf(cert)['iat']) + 30 * 86_400);
  });

  test('tolerates a clock that was set back', async () => {
    const { device, cert } = await scene.pair();
    await days(30);
    const ts = scene.clock.now();
    expect(verdictOf(await device.renew(cert, { ts }))).toBe('200');

    expect(verdictOf(await device.renew(cert, { ts: ts - 60_000 }))).toBe('200');
    await scene.clock.advance(9 * 60_000);
    // A replay is detected for ten minutes; later its time is out of range.
    expect(verdictOf(await device.renew(cert, { ts }))).toBe('401 clock_skew');
  });

  test('refuses an expired pass', async () => {
    const { device, cert } = await scene.pair();
    await days(60);

    expect(verdictOf(await device.renew(cert))).toBe('401 cert_expired');
  });

  test('a revoked device is refused first, and has no passes left', async () => {
    const { device, cert, clientId } = await scene.pair();
    await scene.ada.signIn();
    await scene.ada.revoke(clientId);

    expect(verdictOf(await device.renew(cert))).toBe('403 revoked');
    const mine = (await scene.ada.clients()).find((one) => one.clientId === clientId);
    expect(mine).toMatchObject({ revokedAt: scene.clock.now(), iats: [] });
    await days(61);
    expect(verdictOf(await device.renew(cert))).toBe('403 revoked');
  });

  test('a revocation for one server keeps the passes of the device', async () => {
    const server = await scene.newServer('Barn');
    await scene.link(server);
    const { device, cert, clientId } = await scene.pair();
    expect(verdictOf(await scene.ada.revoke(clientId, server.serverId))).toBe('204');
    await days(30);

    expect(verdictOf(await device.renew(cert))).toBe('200');
  });

  test('stores the last use of a device', async () => {
    const { device, cert, clientId } = await scene.pair();
    await days(30);
    await device.renew(cert);
    await scene.ada.signIn();

    const mine = (await scene.ada.clients()).find((one) => one.clientId === clientId);
    expect(mine?.lastSeenAt).toBe(scene.clock.now());
  });
});

describe('POST /web/batch', () => {
  test('stores nothing when one pass is invalid', async () => {
    const { clientId, cert } = await scene.pair();
    const { identity } = scene.ada.opened();
    const claims = claimsOf(cert) as never;
    const now = Math.floor(scene.clock.now() / 1000);
    const good = await signPass(identity, claims, now + 86_400);
    const before = await scene.ada.clients();
    const bob = await scene.register(`bob-${randomUUID()}`);
    const bobs = await scene.pair(undefined, bob);
    const send = async (passes: readonly unknown[]) =>
      verdictOf(await scene.ada.web('batch', { body: { passes, lists: [] } }));

    for (const bad of [
      await signPass(identity, { ...claimsOf(bobs.cert), clientId: bobs.clientId } as never, now),
      await signPass(identity, { ...claimsOf(cert), deviceName: 'Other' } as never, now),
      await signPass(identity, claims, now + 182 * 86_400),
      await signPass(identity, claims, now - 3600),
      { payload: good.payload, sig: cert.sig },
    ])
      expect(await send([good, bad])).toBe('400 cert_mismatch');
    expect(await scene.ada.clients()).toEqual(before);

    expect(await send([good])).toBe('204');
    const mine = (await scene.ada.clients()).find((one) => one.clientId === clientId);
    expect(mine?.iats).toContain(now + 86_400);
  });

  test('refuses passes for a device that was revoked meanwhile', async () => {
    const { clientId, cert } = await scene.pair();
    await scene.ada.signIn();
    await scene.ada.revoke(clientId);
    const now = Math.floor(scene.clock.now() / 1000);
    const pass = await signPass(scene.ada.opened().identity, claimsOf(cert) as never, now + 60);

    const answer = await scene.ada.web('batch', { body: { passes: [pass], lists: [] } });
    expect(verdictOf(answer)).toBe('409 client_key_revoked');
  });

  test('limits the number of stored passes', async () => {
    const { cert } = await scene.pair();
    const now = Math.floor(scene.clock.now() / 1000);
    const { identity } = scene.ada.opened();
    const passes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => signPass(identity, claimsOf(cert) as never, now + at)),
    );

    const answer = await scene.ada.web('batch', { body: { passes, lists: [] } });
    expect(verdictOf(answer)).toBe('409 too_many');
  });
});
