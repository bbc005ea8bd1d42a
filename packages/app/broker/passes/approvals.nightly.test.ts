import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  appId,
  callbackUrl,
  openBrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import type { BrokerScene } from '../../../../test/support/identity/broker-scene.ts';
import { ask, verdictOf } from '../../../../test/support/identity/ask.ts';
import { claimsOf, createDevice, type Device } from '../../../../test/support/identity/device.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import { signPass, signPairing, signServerList } from '../signing/index.ts';
import type { ApproveBody, ApproveOptions, PairView, SignedIn } from '../service/web-api.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const minuteMs = 60_000;

/** The data of an approval page, and the correct body, for tests to alter. */
async function openApproval(device: Device, changes: Readonly<Record<string, unknown>> = {}) {
  await scene.ada.signIn();
  const requestId = await scene.begin(device, changes);
  const { body } = await scene.ada.web(`pair/${requestId}`);
  const view = body as unknown as PairView;
  const asked = (await scene.ada.web(`pair/${requestId}/options`, { body: {} })).body;
  const { options } = asked as unknown as ApproveOptions;
  const { identity } = scene.ada.opened();
  const now = Math.floor(scene.clock.now() / 1000);
  const { clientPubKey, deviceName, existingClientId } = view;
  const client = {
    ...{ appId, clientPubKey, deviceName },
    clientId: existingClientId ?? randomUUID(),
  };
  const ticked = new Set(view.servers.map(({ serverId }) => serverId));
  const sign = (changed: object = {}) =>
    signPairing(
      identity,
      { client: { ...client, ...changed }, servers: view.servers, ticked },
      now,
    );
  const good = { credential: scene.ada.passkey.sign(options), ...(await sign()) } as ApproveBody;
  const send = (wanted: object = {}, headers: Record<string, string> = {}) =>
    scene.ada.web(`pair/${requestId}/approve`, { body: { ...good, ...wanted }, headers });
  return { requestId, view, options, client, identity, now, sign, good, send };
}

describe('approving', () => {
  test('shows the app, its network, and that the app is not verified', async () => {
    const device = await scene.newDevice('Küche');
    const { view } = await openApproval(device);

    expect(view).toMatchObject({
      app: { appId, name: 'Telly', isVerified: false, domain: null, icon: null },
      deviceName: 'Küche',
      platform: 'tv',
      clientPubKey: device.publicKey,
      existingClientId: null,
      network: '127.0.0.x',
      isSameNetwork: true,
      callbackUrl: null,
    });
  });

  test('needs a session, and is available only to a page of the broker', async () => {
    const { requestId, good, send } = await openApproval(await scene.newDevice());
    const url = `${scene.broker.identityUrl}/web/pair/${requestId}/approve`;
    const origin = scene.broker.identityUrl;

    expect(verdictOf(await ask(url, { body: good, headers: { origin } }))).toBe('401 signed_out');
    expect(verdictOf(await send({}, { origin: 'https://evil.example' }))).toBe('403 bad_origin');
    expect(verdictOf(await send({}, { origin: 'null' }))).toBe('403 bad_origin');
    // None of these requests consumed anything.
    expect(verdictOf(await send())).toBe('200');
  });

  test('checks that the request exists before it checks the origin', async () => {
    const { requestId, good } = await openApproval(await scene.newDevice());
    await scene.ada.deny(requestId);

    const late = await scene.ada.web(`pair/${requestId}/approve`, {
      body: good,
      headers: { origin: 'https://evil.example' },
    });
    expect(verdictOf(late)).toBe('410 pairing_gone');
  });

  test('refuses an assertion of a sign-in, of another approval, and a used one', async () => {
    const other = await openApproval(await scene.newDevice());
    const one = await openApproval(await scene.newDevice());
    const asked = (await scene.ada.web('login/options', { body: {} })).body as {
      readonly options: ApproveOptions['options'];
    };
    const ofSignIn = scene.ada.passkey.sign(asked.options);

    expect(verdictOf(await one.send({ credential: ofSignIn }))).toBe('401 assertion_invalid');
    expect(verdictOf(await one.send({ credential: other.good.credential }))).toBe(
      '401 approve_mismatch',
    );
    expect(verdictOf(await one.send({ cert: other.good.cert }))).toBe('400 cert_mismatch');
    // The challenge is consumed also by a failure.
    expect(verdictOf(await one.send())).toBe('401 assertion_invalid');
  });

  test('refuses an assertion without user verification, of another origin or key, or too late', async () => {
    const device = await scene.newDevice();
    for (const lie of [
      { isUserVerified: false },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { userHandle: 'somebody' },
      { type: 'webauthn.create' },
    ]) {
      const { options, send } = await openApproval(device);
      const credential = scene.ada.passkey.sign(options, lie);
      expect(verdictOf(await send({ credential }))).toBe('401 assertion_invalid');
    }
    const { send } = await openApproval(device);
    await scene.clock.advance(2 * minuteMs);
    expect(verdictOf(await send())).toBe('401 assertion_invalid');
  });

  test("refuses the passkey of a user other than the session's", async () => {
    const eve = await scene.register(`eve-${randomUUID()}`);
    const { options, send } = await openApproval(await scene.newDevice());

    expect(verdictOf(await send({ credential: eve.passkey.sign(options) }))).toBe(
      '401 assertion_invalid',
    );
  });

  test.each([
    ['another app', { appId: 'app_other' }],
    ['another key', { clientPubKey: '11'.repeat(32) }],
    ['another device', { deviceName: 'Bedroom' }],
  ])('refuses passes for %s than that shown', async (_, changed) => {
    const { sign, send } = await openApproval(await scene.newDevice());

    expect(verdictOf(await send(await sign(changed)))).toBe('400 cert_mismatch');
  });

  test('refuses passes with another signer, too long a lifetime, or another start', async () => {
    const device = await scene.newDevice();
    const eve = await scene.register(`eve-${randomUUID()}`);
    const made: ((parts: Awaited<ReturnType<typeof openApproval>>) => Promise<object>)[] = [
      async ({ client, now }) => ({ cert: await signPass(eve.opened().identity, client, now) }),
      async ({ identity, client, now }) => ({
        cert: await signPass({ ...identity, sign: eve.opened().identity.sign }, client, now),
      }),
      async ({ identity, client, now }) => ({ cert: await signPass(identity, client, now - 700) }),
      async ({ identity, client, now }) => ({ cert: await signPass(identity, client, now + 700) }),
      async ({ good }) => ({ batch: [...good.batch].reverse() }),
      async ({ good }) => ({ batch: [good.cert] }),
      async ({ identity, client, now }) => ({
        batch: [await signPass(identity, client, now + 200 * 86_400)],
      }),
      async ({ identity, client, now }) => ({
        batch: [await signPass(identity, { ...client, clientId: randomUUID() }, now + 9)],
      }),
      async () => ({ cert: { payload: 'e30', sig: 'x' } }),
    ];
    for (const change of made) {
      const parts = await openApproval(device);
      expect(verdictOf(await parts.send(await change(parts)))).toBe('400 cert_mismatch');
    }
  });

  test('refuses a list of other servers, or for another client', async () => {
    const server = await scene.newServer('Shed');
    await scene.link(server);
    const device = await scene.newDevice();
    const lists: ((parts: Awaited<ReturnType<typeof openApproval>>) => Promise<object>)[] = [
      // An unticked server must be refused with a signed revocation.
      async ({ identity, client, now }) => ({
        serverList: await signServerList(identity, { ...client, servers: [] }, now),
      }),
      async ({ identity, client, view, now }) => ({
        serverList: await signServerList(
          identity,
          {
            ...client,
            servers: view.servers.map((one) => ({ ...one, baseUrl: 'https://evil.example' })),
          },
          now,
        ),
      }),
      async ({ identity, view, now }) => ({
        serverList: await signServerList(
          identity,
          { clientId: randomUUID(), servers: view.servers },
          now,
        ),
      }),
      async ({ identity, client, view, now }) => ({
        serverList: await signServerList(
          identity,
          { ...client, servers: [...view.servers, ...view.servers] },
          now,
        ),
      }),
    ];
    for (const change of lists) {
      const parts = await openApproval(device);
      expect(verdictOf(await parts.send(await change(parts)))).toBe('400 servers_mismatch');
    }
    await scene.ada.signIn();
    await scene.ada.unlink(server.serverId);
  });

  test('an unticked server is refused in the feed, and is not in the list', async () => {
    const [one, other] = [await scene.newServer('One'), await scene.newServer('Other')];
    await scene.link(one);
    await scene.link(other);
    const { body: before } = await scene.feed();

    const { poll, clientId } = await scene.pair(undefined, scene.ada, { ticked: [one.serverId] });

    expect(poll.body['servers']).toMatchObject([{ serverId: one.serverId }]);
    const { body: after } = await scene.feed(Number(before['next']));
    const [record] = after['records'] as readonly SignedObject[];
    expect(record && claimsOf(record)).toMatchObject({
      kind: 'revocation',
      clientId,
      serverIds: [other.serverId],
    });
    for (const { serverId } of [one, other]) await scene.ada.unlink(serverId);
  });

  test('happens once: a second or late approval is refused', async () => {
    const parts = await openApproval(await scene.newDevice());
    expect(verdictOf(await parts.send())).toBe('200');
    expect(verdictOf(await parts.send())).toBe('410 pairing_gone');

    const late = await openApproval(await scene.newDevice());
    await scene.clock.advance(10 * minuteMs);
    expect(verdictOf(await late.send())).toBe('410 pairing_gone');
    expect(verdictOf(await scene.ada.web(`pair/${late.requestId}`))).toBe('410 pairing_gone');
  });

  test('of many concurrent ones one succeeds', async () => {
    const parts = await openApproval(await scene.newDevice());
    const before = (await scene.ada.clients()).length;

    const verdicts = await Promise.all(Array.from({ length: 8 }, () => parts.send()));

    expect(verdicts.map(verdictOf).filter((one) => one === '200')).toHaveLength(1);
    expect((await scene.ada.clients()).length).toBe(before + 1);
  });

  test('an approval that fails stores nothing', async () => {
    const parts = await openApproval(await scene.newDevice());
    const before = await scene.ada.clients();
    const { body: feed } = await scene.feed();
    const twice = parts.good.batch.map((pass, index) => (index === 5 ? parts.good.cert : pass));

    expect(verdictOf(await parts.send({ batch: twice }))).toBe('400 cert_mismatch');

    expect(await scene.ada.clients()).toEqual(before);
    expect((await scene.feed()).body).toEqual(feed);
    expect((await scene.ada.web(`pair/${parts.requestId}`)).status).toBe(200);
  });

  test('redirects the browser, with the result', async () => {
    await scene.ada.signIn();
    const device = await scene.newDevice();
    const requestId = await scene.begin(device, { callbackUrl });
    expect((await scene.ada.approve(requestId)).body).toEqual({
      redirect: `${callbackUrl}?requestId=${requestId}&result=ok`,
    });

    const denied = await scene.begin(device, { callbackUrl: 'org.example.telly:/paired' });
    expect((await scene.ada.deny(denied)).body).toEqual({
      redirect: `org.example.telly:/paired?requestId=${denied}&result=denied`,
    });

    const expired = await scene.begin(device, { callbackUrl });
    await scene.clock.advance(10 * minuteMs);
    expect((await scene.ada.web(`pair/${expired}`)).body).toMatchObject({
      error: 'pairing_gone',
      redirect: `${callbackUrl}?requestId=${expired}&result=expired`,
    });
  });

  test('a device that pairs again keeps its client id, and gets new passes', async () => {
    const first = await scene.pair();
    const second = await scene.pair(first.device);

    expect(second.clientId).toBe(first.clientId);
    const same = (await scene.ada.clients()).filter((one) => one.clientId === first.clientId);
    expect(same).toHaveLength(1);
    expect(same[0]?.iats).toHaveLength(7);
  });

  test('a revoked key is not paired again, and the device learns the reason', async () => {
    const { device, clientId, requestId } = await scene.pair();
    await scene.ada.signIn();
    await scene.ada.revoke(clientId);
    await scene.clock.advance(2000);
    // Results that were not read yet are no longer available.
    expect((await device.poll(requestId)).body).toMatchObject({
      error: { code: 'client_key_revoked' },
    });

    const again = await openApproval(device);
    expect(verdictOf(await again.send())).toBe('409 client_key_revoked');
    expect((await device.poll(again.requestId)).body).toEqual({
      status: 'error',
      error: { code: 'client_key_revoked' },
    });
  });

  test('two devices of one user, and one device of two users, are separate clients', async () => {
    const bob = await scene.register(`bob-${randomUUID()}`);
    const device = await createDevice({
      identityUrl: scene.broker.identityUrl,
      appId,
      clock: scene.clock,
    });

    const [ofAda, ofBob] = [await scene.pair(device), await scene.pair(device, bob)];

    expect(ofAda.clientId).not.toBe(ofBob.clientId);
    expect((await bob.clients()).map(({ clientId }) => clientId)).toEqual([ofBob.clientId]);
  });
});

test('the vault is returned only after an assertion', async () => {
  const { identityUrl } = scene.broker;
  expect(verdictOf(await ask(`${identityUrl}/web/vault`))).toBe('401 signed_out');
  const signedIn = (await scene.ada.signIn()).body as unknown as SignedIn;
  expect(signedIn.vault.wraps).toHaveLength(2);
});
