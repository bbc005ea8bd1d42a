import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { SignedInUser } from '../accounts/account.ts';
import { findUser } from '../accounts/account-store.ts';
import { viewOfApp } from '../apps/app.ts';
import { appsNamed } from '../apps/app-store.ts';
import type { Client, StoredPass } from '../pairing/client.ts';
import * as store from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import { storeLists } from '../servers/lists.ts';
import { toSeconds, type Core } from '../service/parts.ts';
import { serversOfUser } from '../servers/server-store.ts';
import { assertPassIsFor, checkPass, inTurn } from '../servers/signed-checks.ts';
import type { AppView, BatchBody, ClientView } from '../service/web-api.ts';

export type Devices = ReturnType<typeof createDevices>;

/** Six future ones, the current one, and a margin for clocks and two concurrent pages. */
const mostPasses = 16;

export function createDevices({ database, clock }: Core) {
  const list = async ({ user }: SignedInUser): Promise<readonly ClientView[]> => {
    const clients = await store.clientsOf(database.read, user.userId);
    const passes = await store.passesOf(
      database.read,
      clients.map(({ clientId }) => clientId),
    );
    const apps = await appsNamed(
      database.read,
      clients.map(({ appId }) => appId),
    );
    const views = new Map(apps.map((app) => [app.appId, viewOfApp(app)]));
    const now = toSeconds(clock.now());
    return clients.map((client) => {
      const own = passes.filter(({ clientId }) => clientId === client.clientId);
      return viewOf(client, own, views.get(client.appId) ?? unknownApp(client.appId), now);
    });
  };

  /** Stores further signed passes and lists, all or nothing. */
  const keep = async ({ user }: SignedInUser, { passes, lists }: BatchBody): Promise<void> => {
    const now = toSeconds(clock.now());
    const checked = await inTurn(passes, (cert) => checkPass(cert, user, now));
    await database.write(async (trx) => {
      const current = await findUser(trx, user.userId);
      if (current?.userPubKey !== user.userPubKey || current.keyRevokedAt !== null)
        throw new Refusal('key_mismatch');
      const clients = new Map(
        (await store.clientsOf(trx, user.userId)).map((one) => [one.clientId, one]),
      );
      for (const pass of checked) {
        const client = clients.get(pass.clientId);
        if (!client) throw new Refusal('cert_mismatch');
        assertPassIsFor(pass, client);
        if (client.revokedAt !== null) throw new Refusal('client_key_revoked');
      }
      await store.insertPasses(trx, checked);
      const ids = [...new Set(checked.map(({ clientId }) => clientId))];
      const stored = await store.passesOf(trx, ids);
      if (ids.some((id) => stored.filter((one) => one.clientId === id).length > mostPasses))
        throw new Refusal('too_many');
      for (const id of ids) await updateCert(trx, id);
      const linked = await serversOfUser(trx, user.userId);
      await storeLists(trx, { user, lists, linked, now });
    });
  };

  /** The newest valid pass is stored with the client, because expired passes are removed. */
  const updateCert = async (trx: Parameters<typeof store.setCert>[0], clientId: string) => {
    const newest = await store.newestPass(trx, clientId, toSeconds(clock.now()));
    if (newest) await store.setCert(trx, clientId, newest.cert);
  };

  return { list, keep };
}

function viewOf(
  client: Client,
  passes: readonly StoredPass[],
  app: AppView,
  now: number,
): ClientView {
  const { clientId, deviceName, platform, pairedAt, lastSeenAt, revokedAt, serverList } = client;
  const newest: SignedObject | undefined = passes.filter(({ iat }) => iat <= now).at(-1)?.cert;
  return {
    clientId,
    app,
    deviceName,
    platform,
    pairedAt,
    lastSeenAt,
    revokedAt,
    cert: newest ?? client.cert,
    iats: passes.map(({ iat }) => iat),
    serverList,
  };
}

const unknownApp = (appId: string): AppView => ({
  appId,
  name: appId,
  isVerified: false,
  domain: null,
  icon: null,
});
