import type { SignedInUser } from '../accounts/account.ts';
import { findUser, isKeyInUse, passkeysOf, setUserKey } from '../accounts/account-store.ts';
import { putVault } from '../accounts/accounts.ts';
import { clientsOf, insertPasses, removePasses, setCert } from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import type { Feed } from '../feed/feed.ts';
import { storeLists } from '../servers/lists.ts';
import { toSeconds, type Core } from '../service/parts.ts';
import { checkRotation } from './records.ts';
import { insertRotation } from './rotation-store.ts';
import { hashOf } from '../service/secret-hashes.ts';
import { serversOfUser } from '../servers/server-store.ts';
import { assertPassIsFor, checkPass, inTurn } from '../servers/signed-checks.ts';
import { assertVault } from '../accounts/vault-check.ts';
import type { RotateBody } from '../service/web-api.ts';

/** Gives a user a new identity key: record, vault, passes and lists, all or nothing. */
export type Rotate = (caller: SignedInUser, body: RotateBody) => Promise<void>;

/** Creates the rotation over the database and the feed. */
export function createRotate({ database, clock }: Core, feed: Feed): Rotate {
  return async (caller, { record, vault, passes, lists }) => {
    const { user } = caller;
    const { userId } = user;
    const now = toSeconds(clock.now());
    const { newPubKey, published } = await checkRotation(record, user, now);
    const next = { userId, userPubKey: newPubKey };
    const ids = (await passkeysOf(database.read, userId)).map(({ id }) => id);
    const checkedVault = await assertVault(vault, { ...next, passkeys: ids });
    const checked = await inTurn(passes, (cert) => checkPass(cert, next, now));
    await database.write(async (trx) => {
      const current = await findUser(trx, userId);
      if (current?.userPubKey !== user.userPubKey || (await isKeyInUse(trx, newPubKey)))
        throw new Refusal('key_mismatch');
      await setUserKey(trx, userId, newPubKey);
      await insertRotation(trx, {
        oldPubKey: user.userPubKey,
        userId,
        newPubKey,
        payloadHash: hashOf(record.payload),
        rotatedAt: clock.now(),
        revokedAt: current.keyRevokedAt,
      });
      await feed.publish(trx, published);
      await putVault(trx, caller, checkedVault);
      const clients = (await clientsOf(trx, userId)).filter((one) => one.revokedAt === null);
      for (const client of clients) {
        const own = checked.filter((pass) => pass.clientId === client.clientId);
        for (const pass of own) assertPassIsFor(pass, client);
        await removePasses(trx, client.clientId);
        await insertPasses(trx, own);
        const newest = own.filter(({ iat }) => iat <= now).at(-1);
        if (newest) await setCert(trx, client.clientId, newest.cert);
      }
      const known = new Set(clients.map(({ clientId }) => clientId));
      if (checked.some(({ clientId }) => !known.has(clientId))) throw new Refusal('cert_mismatch');
      const linked = await serversOfUser(trx, userId);
      await storeLists(trx, { user: next, lists, linked, now });
    });
  };
}
