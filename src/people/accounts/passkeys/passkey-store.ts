import type { Knex } from 'knex';
import type { Passkey } from '../../../contract/resources/accounts/passkeys.ts';

/** A passkey with the data that verifies its signatures. */
export interface StoredPasskey extends Passkey {
  readonly userId: string;
  /** The credential id of the authenticator, base64url. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  /** The signature counter of the authenticator; always 0 where it does not count. */
  readonly counter: number;
  readonly transports: readonly string[];
}

interface PasskeyRow {
  readonly id: string;
  readonly user_id: string;
  readonly credential_id: string;
  readonly public_key: string;
  readonly counter: number;
  readonly transports: string;
  readonly name: string;
  readonly is_synced: number;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const passkeys = (trx: Knex) => trx<PasskeyRow>('passkeys');

/** Rejects with a unique violation when a user has registered the passkey already. */
export async function insertPasskey(trx: Knex, passkey: StoredPasskey): Promise<void> {
  await passkeys(trx).insert({
    id: passkey.id,
    user_id: passkey.userId,
    credential_id: passkey.credentialId,
    public_key: Buffer.from(passkey.publicKey).toString('base64url'),
    counter: passkey.counter,
    transports: JSON.stringify(passkey.transports),
    name: passkey.name,
    is_synced: Number(passkey.isSynced),
    created_at: passkey.createdAt,
    last_used_at: passkey.lastUsedAt,
  });
}

export async function findPasskey(
  trx: Knex,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await passkeys(trx).where('credential_id', credentialId).first();
  return row && toPasskey(row);
}

export async function passkeysOf(trx: Knex, userId: string): Promise<readonly StoredPasskey[]> {
  return (await passkeys(trx).where('user_id', userId).orderBy('id')).map(toPasskey);
}

export async function countPasskeysOf(trx: Knex, userId: string): Promise<number> {
  return (await passkeys(trx).where('user_id', userId).select('id')).length;
}

/** Succeeds only with the counter that was read: of two concurrent uses one is refused. */
export async function notePasskeyUse(
  trx: Knex,
  { id, from, to, at }: Readonly<Record<'id' | 'at', string> & Record<'from' | 'to', number>>,
): Promise<boolean> {
  const query = passkeys(trx).where({ id, counter: from });
  return (await query.update({ counter: to, last_used_at: at })) > 0;
}

export async function renamePasskey(
  trx: Knex,
  { id, userId, name }: Readonly<Record<'id' | 'userId' | 'name', string>>,
): Promise<boolean> {
  return (await passkeys(trx).where({ id, user_id: userId }).update({ name })) > 0;
}

export async function removePasskey(
  trx: Knex,
  { id, userId }: Readonly<Record<'id' | 'userId', string>>,
): Promise<boolean> {
  return (await passkeys(trx).where({ id, user_id: userId }).delete()) > 0;
}

export async function removePasskeysOf(trx: Knex, userId: string): Promise<void> {
  await passkeys(trx).where('user_id', userId).delete();
}

/** The values were validated before they were written. */
function toPasskey(row: PasskeyRow): StoredPasskey {
  return {
    id: row.id,
    userId: row.user_id,
    credentialId: row.credential_id,
    publicKey: Uint8Array.from(Buffer.from(row.public_key, 'base64url')),
    counter: row.counter,
    transports: JSON.parse(row.transports) as readonly string[],
    name: row.name,
    isSynced: row.is_synced !== 0,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
