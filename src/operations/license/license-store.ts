/**
 * The stored license: one row, encrypted as a whole with the server's key. The database reveals no
 * license key, and a change of the row is detected, because it no longer decrypts.
 */
import type { Knex } from 'knex';
import type { SecretBox } from '../../platform/secrets/index.ts';
import type { StoredLicense } from './license.ts';

interface LicenseRow {
  readonly id: number;
  readonly sealed: string;
}

/** The content of the row: nothing, a license, or a text that this server did not write. */
export type FoundLicense = StoredLicense | 'none' | 'unreadable';

const context = 'license';
const onlyId = 1;

const rows = (db: Knex) => db<LicenseRow>('license');

export async function findLicense(db: Knex, secrets: SecretBox): Promise<FoundLicense> {
  const row = await rows(db).where({ id: onlyId }).first();
  if (row === undefined) return 'none';
  const text = secrets.open(row.sealed, context);
  // A text that decrypts was written by `saveLicense`.
  return text === null ? 'unreadable' : (JSON.parse(text) as StoredLicense);
}

export async function saveLicense(
  trx: Knex.Transaction,
  license: StoredLicense,
  secrets: SecretBox,
): Promise<void> {
  const row = { id: onlyId, sealed: secrets.seal(JSON.stringify(license), context) };
  await rows(trx).insert(row).onConflict('id').merge();
}

export async function deleteLicense(trx: Knex.Transaction): Promise<void> {
  await rows(trx).where({ id: onlyId }).delete();
}
