import type { Knex } from 'knex';
import { handleKeyOf, type Session, type StoredPasskey, type User } from './account.ts';
import type { Vault } from '../service/web-api.ts';

interface UserRow {
  readonly user_id: string;
  readonly handle: string;
  readonly handle_key: string;
  readonly user_pub_key: string;
  readonly recovery_hash: string;
  readonly key_revoked_at: number | string | null;
  readonly created_at: number | string;
}

interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly public_key: string;
  readonly counter: number | string;
  readonly transports: string;
  readonly backed_up: number;
  readonly created_at: number | string;
  readonly last_used_at: number | string | null;
}

interface VaultRow {
  readonly user_id: string;
  readonly rev: number | string;
  readonly wraps: string;
  readonly sealed_key: string;
  readonly proof: string;
}

interface SessionRow {
  readonly hash: string;
  readonly user_id: string;
  readonly asserted_at: number | string;
  readonly is_recovery: number;
  readonly expires_at: number | string;
}

const users = (db: Knex) => db<UserRow>('users');
const passkeys = (db: Knex) => db<PasskeyRow>('passkeys');
const vaults = (db: Knex) => db<VaultRow>('vaults');
const sessions = (db: Knex) => db<SessionRow>('sessions');

const moment = (value: number | string | null): number | null =>
  value === null ? null : Number(value);

/** Rejects with a unique violation when another user has that name or that key. */
export async function insertUser(trx: Knex, user: User): Promise<void> {
  await users(trx).insert({
    user_id: user.userId,
    handle: user.handle,
    handle_key: handleKeyOf(user.handle),
    user_pub_key: user.userPubKey,
    recovery_hash: user.recoveryHash,
    key_revoked_at: user.keyRevokedAt,
    created_at: user.createdAt,
  });
}

export async function findUser(db: Knex, userId: string): Promise<User | undefined> {
  const row = await users(db).where('user_id', userId).first();
  return row && toUser(row);
}

export async function findUserByHandle(db: Knex, handle: string): Promise<User | undefined> {
  const row = await users(db).where('handle_key', handleKeyOf(handle)).first();
  return row && toUser(row);
}

export async function isKeyInUse(db: Knex, userPubKey: string): Promise<boolean> {
  if (await users(db).where('user_pub_key', userPubKey).first()) return true;
  return (await db('rotations').where('old_pub_key', userPubKey).first()) !== undefined;
}

export async function setRecovery(trx: Knex, userId: string, hash: string): Promise<void> {
  await users(trx).where('user_id', userId).update({ recovery_hash: hash });
}

export async function setUserKey(trx: Knex, userId: string, userPubKey: string): Promise<void> {
  await users(trx)
    .where('user_id', userId)
    .update({ user_pub_key: userPubKey, key_revoked_at: null });
}

export async function markKeyRevoked(trx: Knex, userPubKey: string, at: number): Promise<void> {
  await users(trx).where('user_pub_key', userPubKey).update({ key_revoked_at: at });
  await trx('rotations').where('old_pub_key', userPubKey).update({ revoked_at: at });
}

const toUser = (row: UserRow): User => ({
  userId: row.user_id,
  handle: row.handle,
  userPubKey: row.user_pub_key,
  recoveryHash: row.recovery_hash,
  keyRevokedAt: moment(row.key_revoked_at),
  createdAt: Number(row.created_at),
});

/** Rejects with a unique violation when it exists already. */
export async function insertPasskey(trx: Knex, passkey: StoredPasskey): Promise<void> {
  await passkeys(trx).insert({
    id: passkey.id,
    user_id: passkey.userId,
    public_key: Buffer.from(passkey.publicKey).toString('base64url'),
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    backed_up: Number(passkey.backedUp),
    created_at: passkey.createdAt,
    last_used_at: passkey.lastUsedAt,
  });
}

export async function findPasskey(db: Knex, id: string): Promise<StoredPasskey | undefined> {
  const row = await passkeys(db).where('id', id).first();
  return row && toPasskey(row);
}

export async function passkeysOf(db: Knex, userId: string): Promise<readonly StoredPasskey[]> {
  const rows = await passkeys(db).where('user_id', userId).orderBy('created_at').orderBy('id');
  return rows.map(toPasskey);
}

/** Succeeds only with the counter that was read: of two concurrent uses one is refused. */
export async function notePasskeyUse(
  trx: Knex,
  { id, from, to, at }: { readonly id: string } & Readonly<Record<'from' | 'to' | 'at', number>>,
): Promise<boolean> {
  const query = passkeys(trx).where({ id, counter: from });
  return (await query.update({ counter: to, last_used_at: at })) > 0;
}

export async function removePasskey(trx: Knex, userId: string, id: string): Promise<boolean> {
  return (await passkeys(trx).where({ user_id: userId, id }).delete()) > 0;
}

const toPasskey = (row: PasskeyRow): StoredPasskey => ({
  id: row.id,
  userId: row.user_id,
  publicKey: Uint8Array.from(Buffer.from(row.public_key, 'base64url')),
  counter: Number(row.counter),
  transports: JSON.parse(row.transports) as readonly string[],
  backedUp: row.backed_up === 1,
  createdAt: Number(row.created_at),
  lastUsedAt: moment(row.last_used_at),
});

const vaultColumns = ({ rev, wraps, key, proof }: Vault) => ({
  rev,
  wraps: JSON.stringify(wraps),
  sealed_key: JSON.stringify(key),
  proof: JSON.stringify(proof),
});

export async function insertVault(trx: Knex, userId: string, vault: Vault): Promise<void> {
  await vaults(trx).insert({ user_id: userId, ...vaultColumns(vault) });
}

/** Succeeds only with a higher revision. */
export async function replaceVault(trx: Knex, userId: string, vault: Vault): Promise<boolean> {
  const query = vaults(trx).where('user_id', userId).where('rev', '<', vault.rev);
  return (await query.update(vaultColumns(vault))) > 0;
}

export async function findVault(db: Knex, userId: string): Promise<Vault | undefined> {
  const row = await vaults(db).where('user_id', userId).first();
  if (!row) return undefined;
  // Only vaults that vault-check.ts accepted are written.
  return {
    rev: Number(row.rev),
    wraps: JSON.parse(row.wraps) as Vault['wraps'],
    key: JSON.parse(row.sealed_key) as Vault['key'],
    proof: JSON.parse(row.proof) as Vault['proof'],
  };
}

export async function insertSession(trx: Knex, session: Session): Promise<void> {
  await sessions(trx).insert({
    hash: session.hash,
    user_id: session.userId,
    asserted_at: session.assertedAt,
    is_recovery: Number(session.isRecovery),
    expires_at: session.expiresAt,
  });
}

export async function findSession(db: Knex, hash: string): Promise<Session | undefined> {
  const row = await sessions(db).where('hash', hash).first();
  if (!row) return undefined;
  return {
    hash: row.hash,
    userId: row.user_id,
    assertedAt: Number(row.asserted_at),
    isRecovery: row.is_recovery === 1,
    expiresAt: Number(row.expires_at),
  };
}

export async function freshenSession(trx: Knex, hash: string, assertedAt: number): Promise<void> {
  await sessions(trx).where('hash', hash).update({ asserted_at: assertedAt });
}

export async function removeSession(trx: Knex, hash: string): Promise<void> {
  await sessions(trx).where('hash', hash).delete();
}

export async function removeSessionsOf(trx: Knex, userId: string): Promise<void> {
  await sessions(trx).where('user_id', userId).delete();
}

export async function removeSessionsBefore(trx: Knex, at: number): Promise<void> {
  await sessions(trx).where('expires_at', '<=', at).delete();
}
