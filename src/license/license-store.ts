/**
 * The license at rest: one row, sealed as a whole with the server's key. Nobody reads the license key
 * from the database, and nobody moves its dates there: what was changed does not open any more.
 */
import type { Knex } from 'knex';
import type { SecretBox } from '../secrets/index.ts';
import type { KeptLicense } from './license.ts';

interface LicenseRow {
  readonly id: number;
  readonly sealed: string;
}

/** What the row says: nothing there, a license, or something that this server did not write. */
export type FoundLicense = KeptLicense | 'none' | 'unreadable';

const context = 'license';
const onlyId = 1;

const rows = (db: Knex) => db<LicenseRow>('license');

export async function findLicense(db: Knex, secrets: SecretBox): Promise<FoundLicense> {
  const row = await rows(db).where({ id: onlyId }).first();
  if (row === undefined) return 'none';
  const text = secrets.open(row.sealed, context);
  // What opens was sealed here, by `saveLicense`.
  return text === null ? 'unreadable' : (JSON.parse(text) as KeptLicense);
}

export async function saveLicense(
  trx: Knex.Transaction,
  license: KeptLicense,
  secrets: SecretBox,
): Promise<void> {
  const row = { id: onlyId, sealed: secrets.seal(JSON.stringify(license), context) };
  await rows(trx).insert(row).onConflict('id').merge();
}

export async function deleteLicense(trx: Knex.Transaction): Promise<void> {
  await rows(trx).where({ id: onlyId }).delete();
}
