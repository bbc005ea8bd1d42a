import type { Knex } from 'knex';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { StoredServer } from './linked-server.ts';

interface ServerRow {
  readonly user_id: string;
  readonly server_id: string;
  readonly position: number;
  readonly base_url: string;
  readonly name: string;
  readonly linked_at: number | string;
  readonly grant_object: string;
  readonly told_at: number | string;
  readonly next_base_url: string | null;
  readonly next_name: string | null;
}

const servers = (db: Knex) => db<ServerRow>('linked_servers');

/** In the user's order. */
export async function serversOfUser(db: Knex, userId: string): Promise<readonly StoredServer[]> {
  return (await servers(db).where('user_id', userId).orderBy('position')).map(toServer);
}

export async function insertServer(trx: Knex, server: StoredServer): Promise<void> {
  await servers(trx).insert({
    user_id: server.userId,
    server_id: server.serverId,
    position: server.position,
    base_url: server.baseUrl,
    name: server.name,
    linked_at: server.linkedAt,
    grant_object: JSON.stringify(server.grant),
    told_at: server.toldAt,
    next_base_url: server.update?.baseUrl ?? null,
    next_name: server.update?.name ?? null,
  });
}

/** Returns whether it was linked. */
export async function removeServer(trx: Knex, userId: string, serverId: string): Promise<boolean> {
  return (await servers(trx).where({ user_id: userId, server_id: serverId }).delete()) > 0;
}

export async function updateServer(trx: Knex, server: StoredServer): Promise<void> {
  await servers(trx)
    .where({ user_id: server.userId, server_id: server.serverId })
    .update({
      position: server.position,
      base_url: server.baseUrl,
      name: server.name,
      next_base_url: server.update?.baseUrl ?? null,
      next_name: server.update?.name ?? null,
    });
}

/**
 * Stores the update of a server for all users who have linked it; an update that is not newer is
 * ignored. Returns the number of links.
 */
export async function storeUpdate(
  trx: Knex,
  news: { readonly serverId: string; readonly baseUrl: string; readonly name: string },
  iat: number,
): Promise<number> {
  const { serverId, baseUrl, name } = news;
  const rows = await servers(trx).where('server_id', serverId);
  for (const row of rows.filter((one) => Number(one.told_at) < iat)) {
    const isNew = row.base_url !== baseUrl || row.name !== name;
    await servers(trx)
      .where({ user_id: row.user_id, server_id: serverId })
      .update({
        told_at: iat,
        next_base_url: isNew ? baseUrl : null,
        next_name: isNew ? name : null,
      });
  }
  return rows.length;
}

const toServer = (row: ServerRow): StoredServer => ({
  userId: row.user_id,
  serverId: row.server_id,
  position: row.position,
  baseUrl: row.base_url,
  name: row.name,
  linkedAt: Number(row.linked_at),
  // Only verified objects are written.
  grant: JSON.parse(row.grant_object) as SignedObject,
  toldAt: Number(row.told_at),
  update:
    row.next_base_url === null || row.next_name === null
      ? null
      : { baseUrl: row.next_base_url, name: row.next_name },
});
