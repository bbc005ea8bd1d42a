import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openBrokerScene,
  type BrokerScene,
} from '../../../../test/support/identity/broker-scene.ts';
import { ask, textOf, verdictOf } from '../../../../test/support/identity/ask.ts';
import { claimsOf } from '../../../../test/support/identity/device.ts';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import { signLink, signServerList } from '../signing/index.ts';
import type { LinkView, ServersView } from '../service/web-api.ts';

let scene: BrokerScene;
beforeAll(async () => {
  scene = await openBrokerScene();
});
afterAll(() => scene.stop());

const poll = (requestId: string) =>
  ask(`${scene.broker.identityUrl}/api/identity/servers/link/${requestId}`);
const seconds = (): number => Math.floor(scene.clock.now() / 1000);
const view = async (): Promise<ServersView> =>
  (await scene.ada.web('servers')).body as unknown as ServersView;

describe('POST /api/identity/servers/link/begin', () => {
  test('returns the address of the approval page', async () => {
    const server = await scene.newServer();

    const { status, body } = await scene.beginLink(await server.request());

    expect(status).toBe(200);
    expect(body).toEqual({
      requestId: expect.stringMatching(/^[\w-]{32}$/),
      linkUrl: `${scene.broker.identityUrl}/link/${String(body['requestId'])}`,
      expiresAt: scene.clock.now() + 600_000,
    });
  });

  test.each([
    ['an address without https', { baseUrl: 'http://films.example.org' }, '400 base_url_invalid'],
    ['an address with a slash', { baseUrl: 'https://films.example.org/' }, '400 base_url_invalid'],
    ['an address with a user', { baseUrl: 'https://a@films.example.org' }, '400 base_url_invalid'],
    ['an invalid address', { baseUrl: 'films' }, '400 base_url_invalid'],
    ['an extra key', { more: 1 }, '400 invalid_request'],
    ['another kind', { kind: 'server-link' }, '400 invalid_request'],
    ['a name with a bidi character', { name: 'a\u202eb' }, '400 invalid_request'],
    ['a time that is not now', { iat: 1_700_000_000 }, '400 invalid_request'],
    ['a key of small order', { serverId: '00'.repeat(32) }, '400 bad_signature'],
    ['the key of another', { serverId: 'ab'.repeat(32) }, '400 bad_signature'],
  ])('refuses %s', async (_, changes, verdict) => {
    const server = await scene.newServer();

    expect(verdictOf(await scene.beginLink(await server.request(changes)))).toBe(verdict);
  });

  test('accepts plain http on a home network', async () => {
    const server = await scene.newServer();
    const signed = await server.request({ baseUrl: 'http://192.168.1.4:8360' });

    expect(verdictOf(await scene.beginLink(signed))).toBe('200');
  });
});

describe('linking', () => {
  test('gives the server its grant, and adds it at the end of the user’s servers', async () => {
    const [one, other] = [await scene.newServer('One'), await scene.newServer('Other')];
    const { clientId } = await scene.pair();
    await scene.link(one);
    const requestId = textOf(await scene.beginLink(await other.request()), 'requestId');
    expect((await poll(requestId)).body).toEqual({ status: 'pending' });
    expect(verdictOf(await poll(requestId))).toBe('429 slow_down');

    expect(verdictOf(await scene.ada.link(requestId))).toBe('204');

    await scene.clock.advance(2000);
    const { body } = await poll(requestId);
    expect(body).toEqual({ status: 'completed', grant: expect.any(Object) });
    expect(claimsOf(body['grant'] as SignedObject)).toMatchObject({
      kind: 'server-link',
      serverId: other.serverId,
      userPubKey: scene.ada.account().userPubKey,
    });
    const ids = (await view()).servers.map(({ serverId }) => serverId);
    expect(ids.slice(-2)).toEqual([one.serverId, other.serverId]);
    const client = (await scene.ada.clients()).find((found) => found.clientId === clientId);
    expect(JSON.stringify(client && claimsOf(client.serverList))).toContain(other.serverId);
  });

  test('shows name, address and nonce, and needs a recent use of the passkey', async () => {
    const server = await scene.newServer('Cabin');
    const signed = await server.request();
    const requestId = textOf(await scene.beginLink(signed), 'requestId');
    await scene.ada.signIn();
    const { nonce } = claimsOf(signed);

    expect((await scene.ada.web(`link/${requestId}`)).body).toEqual({
      ...{ requestId, serverId: server.serverId, name: 'Cabin', nonce },
      baseUrl: 'https://cabin.example.org',
      expiresAt: scene.clock.now() + 600_000,
      now: scene.clock.now(),
    });
    await scene.clock.advance(5 * 60_000);
    expect(verdictOf(await scene.ada.link(requestId))).toBe('401 assertion_required');
  });

  test('refuses a grant that does not match the request, and a key that is not the user’s', async () => {
    const server = await scene.newServer();
    const requestId = textOf(await scene.beginLink(await server.request()), 'requestId');
    await scene.ada.signIn();
    const asked = (await scene.ada.web(`link/${requestId}`)).body as unknown as LinkView;
    const { identity } = scene.ada.opened();
    const eve = await scene.register(`eve-${randomUUID()}`);
    const approve = async (grant: SignedObject) =>
      verdictOf(await scene.ada.web(`link/${requestId}/approve`, { body: { grant, lists: [] } }));

    for (const grant of [
      await signLink(identity, { ...asked, nonce: randomBytes(32).toString('hex') }, seconds()),
      await signLink(identity, { ...asked, baseUrl: 'https://evil.example' }, seconds()),
      await signLink(identity, { ...asked, name: 'Other' }, seconds()),
      await signLink(identity, { ...asked, serverId: 'ab'.repeat(32) }, seconds()),
      await signLink(identity, asked, seconds() - 700),
      await signLink(eve.opened().identity, asked, seconds()),
      await signLink({ ...identity, sign: eve.opened().identity.sign }, asked, seconds()),
      await signServerList(identity, { clientId: randomUUID(), servers: [] }, seconds()),
    ])
      expect(await approve(grant)).toBe('409 grant_mismatch');
    expect(await approve(await signLink(identity, asked, seconds()))).toBe('204');
    expect(await approve(await signLink(identity, asked, seconds()))).toBe('410 link_gone');
  });

  test('a list that does not match undoes the link as well', async () => {
    const server = await scene.newServer();
    const { clientId } = await scene.pair();
    const requestId = textOf(await scene.beginLink(await server.request()), 'requestId');
    const asked = (await scene.ada.web(`link/${requestId}`)).body as unknown as LinkView;
    const { identity } = scene.ada.opened();
    const before = await view();
    const wrong = { ...asked, linkedAt: 1_700_000_000_000 };

    const body = {
      grant: await signLink(identity, asked, seconds()),
      lists: [await signServerList(identity, { clientId, servers: [wrong] }, seconds())],
    };
    expect(verdictOf(await scene.ada.web(`link/${requestId}/approve`, { body }))).toBe(
      '400 servers_mismatch',
    );
    expect((await view()).servers).toEqual(before.servers);
    expect((await scene.ada.web(`link/${requestId}`)).status).toBe(200);
  });

  test('ends when it is denied, and when it expires; an unknown one is not found', async () => {
    const server = await scene.newServer();
    await scene.ada.signIn();
    const denied = textOf(await scene.beginLink(await server.request()), 'requestId');
    expect(verdictOf(await scene.ada.web(`link/${denied}/deny`, { body: {} }))).toBe('204');
    expect((await poll(denied)).body).toEqual({ status: 'error', error: { code: 'denied' } });
    expect(verdictOf(await scene.ada.web(`link/${denied}`))).toBe('410 link_gone');

    const late = textOf(await scene.beginLink(await server.request()), 'requestId');
    await scene.clock.advance(600_000);
    expect((await poll(late)).body).toEqual({ status: 'error', error: { code: 'expired' } });
    await scene.ada.signIn();
    expect(verdictOf(await scene.ada.link('nothing').catch(() => poll('nothing')))).toBe(
      '404 not_found',
    );
    expect(verdictOf(await scene.ada.web(`link/${late}`))).toBe('410 link_gone');
  });

  test('unlinking removes it from the lists, and is recorded in the feed', async () => {
    const server = await scene.newServer('Gone');
    await scene.link(server);

    expect(verdictOf(await scene.ada.unlink(server.serverId))).toBe('204');

    expect(JSON.stringify((await view()).servers)).not.toContain(server.serverId);
    const records = (await scene.feed()).body['records'] as readonly SignedObject[];
    expect(records.map(claimsOf)).toContainEqual(
      expect.objectContaining({ kind: 'server-unlink', serverId: server.serverId }),
    );
  });
});

describe('updates from a server', () => {
  test('wait for the user, and change nothing until then', async () => {
    const server = await scene.newServer('Home');
    await scene.link(server);
    await scene.clock.advance(1000);
    const news = { baseUrl: 'https://new.example.org', name: 'New home', update: true };

    expect((await scene.beginLink(await server.request(news))).body).toEqual({ status: 'noted' });
    const before = await view();
    expect(before.servers.find((one) => one.serverId === server.serverId)?.name).toBe('Home');
    expect(before.updates).toEqual([
      { serverId: server.serverId, baseUrl: 'https://new.example.org', name: 'New home' },
    ]);

    const order = before.servers.map(({ serverId }) => serverId).reverse();
    const body = { order, accepted: [server.serverId], refused: [], lists: [] };
    expect(verdictOf(await scene.ada.web('servers', { method: 'PUT', body }))).toBe('204');
    const after = await view();
    expect(after.servers.map(({ serverId }) => serverId)).toEqual(order);
    expect(after.servers.find((one) => one.serverId === server.serverId)).toMatchObject({
      baseUrl: 'https://new.example.org',
      name: 'New home',
    });
    expect(after.updates).toEqual([]);
  });

  test('are refused from an unknown server, and an older one is ignored', async () => {
    const server = await scene.newServer('Lake');
    const news = { baseUrl: 'https://new.example.org', update: true };
    expect(verdictOf(await scene.beginLink(await server.request(news)))).toBe('404 not_found');

    await scene.link(server);
    await scene.clock.advance(1000);
    const old = await server.request({ ...news, name: 'Old' });
    await scene.clock.advance(1000);
    await scene.beginLink(await server.request({ ...news, name: 'Newer' }));
    await scene.beginLink(old);

    expect((await view()).updates).toMatchObject([{ name: 'Newer' }]);
  });

  test('an order that omits a server is refused', async () => {
    const { servers } = await view();
    const ids = servers.map(({ serverId }) => serverId);
    const put = async (order: readonly string[]) => {
      const body = { order, accepted: [], refused: [], lists: [] };
      return verdictOf(await scene.ada.web('servers', { method: 'PUT', body }));
    };

    expect(await put(ids.slice(1))).toBe('400 servers_mismatch');
    expect(await put([...ids.slice(1), 'ab'.repeat(32)])).toBe('400 servers_mismatch');
    expect(await put([...ids.slice(1), ...ids.slice(1, 2)])).toBe('400 invalid_request');
    expect(await put(ids)).toBe('204');
  });
});
