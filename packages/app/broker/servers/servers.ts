import type { SignedInUser } from '../accounts/account.ts';
import { findUser } from '../accounts/account-store.ts';
import { Refusal } from '../service/errors.ts';
import { plainServer } from './linked-server.ts';
import { storeLists } from './lists.ts';
import { toSeconds, type Core } from '../service/parts.ts';
import { serversOfUser, updateServer } from './server-store.ts';
import type { PutServers, ServersView } from '../service/web-api.ts';

export type Servers = ReturnType<typeof createServers>;

export function createServers({ database, clock }: Core) {
  return {
    list: async ({ user }: SignedInUser): Promise<ServersView> => {
      const servers = await serversOfUser(database.read, user.userId);
      const updates = servers.flatMap(({ serverId, update }) =>
        update === null ? [] : [{ serverId, ...update }],
      );
      return { servers: servers.map(plainServer), updates, now: clock.now() };
    },
    /** Changes the order, and accepts or refuses pending updates. */
    put: ({ user }: SignedInUser, { order, accepted, refused, lists }: PutServers): Promise<void> =>
      database.write(async (trx) => {
        const current = await findUser(trx, user.userId);
        if (current?.userPubKey !== user.userPubKey) throw new Refusal('key_mismatch');
        const servers = await serversOfUser(trx, user.userId);
        const places = servers.map(({ serverId }) => order.indexOf(serverId));
        if (order.length !== servers.length || places.includes(-1))
          throw new Refusal('servers_mismatch', {
            message: 'order must name each linked server once.',
          });
        for (const server of servers) {
          const { serverId, update } = server;
          const isSettled = accepted.includes(serverId) || refused.includes(serverId);
          await updateServer(trx, {
            ...server,
            ...(accepted.includes(serverId) && update),
            position: order.indexOf(serverId),
            update: isSettled ? null : update,
          });
        }
        const linked = await serversOfUser(trx, user.userId);
        await storeLists(trx, { user, lists, linked, now: toSeconds(clock.now()) });
      }),
  };
}
