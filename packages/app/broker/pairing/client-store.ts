import type { Knex } from 'knex';
import type { SignedObject } from '../../../lib/identity-protocol/index.ts';
import type { Client, StoredPass } from './client.ts';

interface ClientRow {
  readonly client_id: string;
  readonly user_id: string;
  readonly app_id: string;
  readonly client_pub_key: string;
  readonly device_name: string;
  readonly platform: string;
  readonly cert: string;
  readonly server_list: string;
  readonly paired_at: number | string;
  readonly last_seen_at: number | string | null;
  readonly revoked_at: number | string | null;
}

interface PassRow {
  readonly client_id: string;
  readonly iat: number | string;
  readonly exp: number | string;
  readonly cert: string;
}

const clients = (db: Knex) => db<ClientRow>('clients');
const passes = (db: Knex) => db<PassRow>('passes');

const moment = (value: number | string | null): number | null =>
  value === null ? null : Number(value);

/** Only verified objects are written. */
const signed = (text: string): SignedObject => JSON.parse(text) as SignedObject;

export async function insertClient(trx: Knex, client: Client): Promise<void> {
  await clients(trx).insert({
    client_id: client.clientId,
    user_id: client.userId,
    app_id: client.appId,
    client_pub_key: client.clientPubKey,
    device_name: client.deviceName,
    platform: client.platform,
    cert: JSON.stringify(client.cert),
    server_list: JSON.stringify(client.serverList),
    paired_at: client.pairedAt,
    last_seen_at: client.lastSeenAt,
    revoked_at: client.revokedAt,
  });
}

export async function findClient(db: Knex, clientId: string): Promise<Client | undefined> {
  const row = await clients(db).where('client_id', clientId).first();
  return row && toClient(row);
}

/** Newest first. */
export async function clientsOf(db: Knex, userId: string): Promise<readonly Client[]> {
  const query = clients(db).where('user_id', userId);
  return (await query.orderBy('paired_at', 'desc').orderBy('client_id')).map(toClient);
}

/** All clients of a user that have this key, newest first. */
export async function clientsWithKey(
  db: Knex,
  userId: string,
  clientPubKey: string,
): Promise<readonly Client[]> {
  const query = clients(db).where({ user_id: userId, client_pub_key: clientPubKey });
  return (await query.orderBy('paired_at', 'desc').orderBy('client_id')).map(toClient);
}

export async function removeClient(trx: Knex, clientId: string): Promise<void> {
  await passes(trx).where('client_id', clientId).delete();
  await clients(trx).where('client_id', clientId).delete();
}

export async function markRevoked(trx: Knex, clientId: string, at: number): Promise<void> {
  await clients(trx)
    .where('client_id', clientId)
    .whereNull('revoked_at')
    .update({ revoked_at: at });
}

export async function noteSeen(trx: Knex, clientId: string, at: number): Promise<void> {
  await clients(trx).where('client_id', clientId).update({ last_seen_at: at });
}

export async function setCert(trx: Knex, clientId: string, cert: SignedObject): Promise<void> {
  await clients(trx)
    .where('client_id', clientId)
    .update({ cert: JSON.stringify(cert) });
}

export async function setServerList(
  trx: Knex,
  clientId: string,
  list: SignedObject,
): Promise<void> {
  await clients(trx)
    .where('client_id', clientId)
    .update({ server_list: JSON.stringify(list) });
}

/** Stores one pass for each start time; the first one stays. */
export async function insertPasses(trx: Knex, stored: readonly StoredPass[]): Promise<void> {
  const rows = stored.map(({ clientId, iat, exp, cert }) => ({
    client_id: clientId,
    iat,
    exp,
    cert: JSON.stringify(cert),
  }));
  for (const row of rows) await passes(trx).insert(row).onConflict(['client_id', 'iat']).ignore();
}

export async function removePasses(trx: Knex, clientId: string): Promise<void> {
  await passes(trx).where('client_id', clientId).delete();
}

/** Oldest first. */
export async function passesOf(
  db: Knex,
  clientIds: readonly string[],
): Promise<readonly StoredPass[]> {
  const rows = await passes(db)
    .whereIn('client_id', [...clientIds])
    .orderBy('iat');
  return rows.map(toPass);
}

/** The newest pass that is valid already. */
export async function newestPass(
  db: Knex,
  clientId: string,
  nowSeconds: number,
): Promise<StoredPass | undefined> {
  const query = passes(db).where('client_id', clientId).where('iat', '<=', nowSeconds);
  const row = await query.orderBy('iat', 'desc').first();
  return row && toPass(row);
}

export async function removePassesBefore(trx: Knex, seconds: number): Promise<void> {
  await passes(trx).where('exp', '<=', seconds).delete();
}

/** Rejects with a unique violation for a replayed request. */
export async function noteRenewal(
  trx: Knex,
  { clientId, ts, at }: { readonly clientId: string; readonly ts: number; readonly at: number },
): Promise<void> {
  await trx('renew_seen').insert({ client_id: clientId, ts, seen_at: at });
}

export async function removeRenewalsBefore(trx: Knex, at: number): Promise<void> {
  await trx('renew_seen').where('seen_at', '<=', at).delete();
}

const toPass = (row: PassRow): StoredPass => ({
  clientId: row.client_id,
  iat: Number(row.iat),
  exp: Number(row.exp),
  cert: signed(row.cert),
});

const toClient = (row: ClientRow): Client => ({
  clientId: row.client_id,
  userId: row.user_id,
  appId: row.app_id,
  clientPubKey: row.client_pub_key,
  deviceName: row.device_name,
  platform: row.platform,
  cert: signed(row.cert),
  serverList: signed(row.server_list),
  pairedAt: Number(row.paired_at),
  lastSeenAt: moment(row.last_seen_at),
  revokedAt: moment(row.revoked_at),
});
