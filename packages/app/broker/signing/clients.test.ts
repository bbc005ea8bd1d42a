/** The signatures for clients, with a broker that lies. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  isForServer,
  isPassSigned,
  isSignedObjectBy,
  openPass,
  openRecord,
  timeFault,
  type SignedObject,
} from '../../../lib/identity-protocol/index.ts';
import type { ClientView, FeedRecord, LinkedServer } from '../service/web-api.ts';
import { keysOf, sortClients } from './own-clients.ts';
import { refusedServers } from './refused-servers.ts';
import { relist } from './relist.ts';
import { rotate } from './rotation.ts';
import { signPairing, type PassClient } from './sign-pairing.ts';
import { signKeyRevoked, signLink, signRevocation, signUnlink } from './sign-records.ts';
import { topUp } from './top-up.ts';
import { passkeySecret } from './vault-secret.ts';
import { createVault, type OpenedVault } from './vault.ts';

const now = 1_800_000_000;
const day = 86_400;
const secret = passkeySecret('cGFzc2tleQ', new Uint8Array(32).fill(1));

const server = (digit: string): LinkedServer => ({
  serverId: digit.repeat(64),
  baseUrl: `https://${digit}.example.org`,
  name: `Server ${digit}`,
  linkedAt: 1_790_000_000_000,
});
const [one, two, three] = [server('1'), server('2'), server('3')];

const client: PassClient = {
  appId: 'app_example',
  clientId: '9b2f1c4e-5a6d-4e7f-8a9b-0c1d2e3f4a5b',
  clientPubKey: 'ed4928c628d1c2c6eae90338905995612959273a5c63f93636c14614ac8737d1',
  deviceName: 'Küche 📺',
};

let vault: OpenedVault;
let stranger: OpenedVault;
beforeAll(async () => {
  vault = await createVault('user-one', [secret]);
  stranger = await createVault('user-one', [secret]);
});

const pair = (by: OpenedVault = vault, ticked: readonly LinkedServer[] = [one, two]) =>
  signPairing(
    by.identity,
    { client, servers: [one, two], ticked: new Set(ticked.map(({ serverId }) => serverId)) },
    now,
  );

async function view(by: OpenedVault = vault, changes: Partial<ClientView> = {}) {
  const { cert, serverList } = await pair(by);
  const app = { appId: client.appId, name: 'Example', isVerified: false, domain: null, icon: null };
  const { clientId, deviceName } = client;
  return {
    ...{ clientId, app, deviceName, platform: 'tv', pairedAt: now * 1000, lastSeenAt: null },
    ...{ revokedAt: null, cert, iats: [now], serverList },
    ...changes,
  } satisfies ClientView;
}

const claimsOf = (cert: SignedObject) => {
  const pass = openPass(cert);
  if (typeof pass === 'string') throw new Error(pass);
  return pass;
};

describe('An approval', () => {
  test('signs a pass that is valid now, and six that follow', async () => {
    const { cert, batch } = await pair();

    const passes = [cert, ...batch].map(claimsOf);
    expect(passes.map(({ claims }) => (claims.iat - now) / day)).toEqual([
      0, 30, 60, 90, 120, 150, 180,
    ]);
    for (const pass of passes) {
      expect(await isPassSigned(pass)).toBe(true);
      expect(pass.claims).toMatchObject({ ...client, userId: 'user-one', scope: ['servers:*'] });
      expect(timeFault(pass.claims, pass.claims.iat)).toBeNull();
      expect(isForServer(pass.claims, one.serverId)).toBe(true);
    }
  });

  test('signs the ticked servers in the user’s order, and a refusal for each other one', async () => {
    const { serverList, revocations } = await pair(vault, [two]);

    const list = openRecord('server-list', serverList);
    expect(list?.record).toMatchObject({ clientId: client.clientId, servers: [two] });
    const refusals = revocations.map((record) => openRecord('revocation', record)?.record);
    expect(refusals).toMatchObject([{ clientId: client.clientId, serverIds: [one.serverId] }]);
    const { userPubKey } = vault.identity;
    expect(list && (await isSignedObjectBy(userPubKey, list.opened))).toBe(true);
  });
});

describe('Filling up passes', () => {
  test('adds missing passes, and none the second time', async () => {
    const had = await view();
    const { own } = await sortClients(vault.identity, [had], []);

    const { passes } = await topUp(vault.identity, own, now + 40 * day);
    const iats = passes.map((pass) => claimsOf(pass).claims.iat);
    const again = await sortClients(vault.identity, [{ ...had, iats: [...had.iats, ...iats] }], []);

    expect(iats[0]).toBe(now + 40 * day);
    expect(passes).toHaveLength(7);
    expect((await topUp(vault.identity, again.own, now + 40 * day)).passes).toEqual([]);
  });

  test('signs nothing for a client that the broker invented', async () => {
    const injected = await view(stranger);

    const { own, strange } = await sortClients(vault.identity, [injected], []);

    expect(own).toEqual([]);
    expect(strange).toEqual([client.clientId]);
  });

  test('uses the data of the user’s pass, not the data of the broker', async () => {
    const renamed = await view(vault, {
      deviceName: 'Bank',
      app: { ...(await view()).app, name: 'X' },
    });
    const moved = await view(vault, { clientId: '00000000-0000-4000-8000-000000000000' });

    const { own, strange } = await sortClients(vault.identity, [renamed, moved], []);
    const { passes } = await topUp(vault.identity, own, now + 40 * day);

    expect(strange).toEqual([moved.clientId]);
    expect(passes.map((pass) => claimsOf(pass).claims.deviceName)).toEqual(
      Array.from(passes, () => client.deviceName),
    );
  });

  test('signs nothing for a client whose pass was changed', async () => {
    const good = await view();
    const bad = { ...good, cert: { ...good.cert, sig: (await view(stranger)).cert.sig } };

    expect((await sortClients(vault.identity, [bad], [])).own).toEqual([]);
  });

  test('signs nothing for a client that the user revoked, even when the broker hides the revocation', async () => {
    const { clientId } = client;
    const record = await signRevocation(vault.identity, { clientId }, now);

    expect((await sortClients(vault.identity, [await view()], [record])).own).toEqual([]);
  });

  test('signs for a client that was refused one server, or that another key revoked', async () => {
    const { clientId } = client;
    const records = [
      await signRevocation(vault.identity, { clientId, serverId: one.serverId }, now),
      await signRevocation(stranger.identity, { clientId }, now),
    ];

    expect((await sortClients(vault.identity, [await view()], records)).own).toHaveLength(1);
    expect(await refusedServers(vault.identity, clientId, records)).toEqual(
      new Set([one.serverId]),
    );
  });
});

describe('A new list of servers', () => {
  test('has the servers of the client, in the new order, and the new server', async () => {
    const { own } = await sortClients(vault.identity, [await view()], []);

    const servers = [three, two, one];
    const lists = await relist(vault.identity, own, { servers, added: three.serverId, now });
    const without = await relist(vault.identity, own, { servers: [three, two], now });

    const read = [...lists, ...without].map((list) => openRecord('server-list', list)?.record);
    expect(read.map((record) => record?.servers)).toEqual([[three, two, one], [two]]);
  });

  test('is not created from a list that the user did not sign', async () => {
    const { serverList } = await view(stranger);
    const { own } = await sortClients(vault.identity, [await view(vault, { serverList })], []);

    expect(await relist(vault.identity, own, { servers: [one], now })).toEqual([]);
  });
});

describe('A rotation', () => {
  test('is signed by both keys, and signs again for every active client', async () => {
    const clients = await sortClients(vault.identity, [await view()], []);

    const { body, opened } = await rotate(vault, {
      ...{ clients, servers: [one, two], records: [], now: now + 100 },
    });

    const { userPubKey } = opened.identity;
    expect(await keysOf(opened.identity, [body.record])).toEqual(
      new Set([userPubKey, vault.identity.userPubKey]),
    );
    const passes = body.passes.map(claimsOf);
    expect(passes).toHaveLength(7);
    expect(passes[0]?.claims).toMatchObject({ ...client, iat: now + 100, userPubKey });
    for (const pass of passes) expect(await isPassSigned(pass)).toBe(true);
    expect(openRecord('server-list', body.lists[0])?.record.servers).toEqual([one, two]);
    expect(body.vault).toBe(opened.vault);
  });

  test('is ignored unless both keys signed it', async () => {
    const clients = { own: [], strange: [] };
    const parts = { clients, servers: [], records: [], now };
    const { body, opened } = await rotate(vault, parts);
    const other = await rotate(stranger, parts);
    const forged: FeedRecord = { ...body.record, newSig: other.body.record.newSig ?? '' };

    expect((await keysOf(opened.identity, [forged])).size).toBe(1);
    expect((await keysOf(opened.identity, [other.body.record])).size).toBe(1);
  });

  test('keeps the revocations of the previous key', async () => {
    const { clientId } = client;
    const revocation = await signRevocation(vault.identity, { clientId }, now);
    const clients = { own: [], strange: [] };
    const { body, opened } = await rotate(vault, { clients, servers: [], records: [], now });

    const records = [revocation, body.record];
    expect((await sortClients(opened.identity, [await view()], records)).own).toEqual([]);
    expect((await sortClients(opened.identity, [await view()], [body.record])).own).toHaveLength(1);
  });
});

describe('A key that is compromised', () => {
  test('has no clients, because a thief may have added them', async () => {
    const parts = { clients: { own: [], strange: [] }, servers: [], records: [], now };
    const revoked = await signKeyRevoked(vault.identity, now);
    const { body, opened } = await rotate(vault, parts);

    const { own, strange } = await sortClients(
      opened.identity,
      [await view()],
      [revoked, body.record],
    );

    expect(own).toEqual([]);
    expect(strange).toEqual([client.clientId]);
  });
});

describe('Records of the user', () => {
  test('have a kind each, with exactly its keys', async () => {
    const { identity } = vault;
    const nonce = 'cd'.repeat(32);
    const { baseUrl, name, serverId } = one;

    const link = await signLink(identity, { baseUrl, name, serverId, nonce }, now);
    const unlink = await signUnlink(identity, serverId, now);
    const revoked = await signKeyRevoked(identity, now);

    const user = { userId: identity.userId, userPubKey: identity.userPubKey, v: 1, iat: now };
    expect(openRecord('server-link', link)?.record).toEqual({
      ...{ kind: 'server-link', ...user, baseUrl, name, nonce, serverId },
    });
    expect(openRecord('server-unlink', unlink)?.record).toEqual({
      ...{ kind: 'server-unlink', ...user, serverId },
    });
    expect(openRecord('key-revoked', revoked)?.record).toEqual({ kind: 'key-revoked', ...user });
    expect(openRecord('revocation', unlink)).toBeNull();
  });
});
