import type { Knex } from 'knex';
import type { StoredApp } from './app.ts';

interface AppRow {
  readonly app_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly domain: string | null;
  readonly verified_at: number | string | null;
  readonly checked_at: number | string | null;
  readonly is_enabled: number;
  readonly created_at: number | string;
  readonly deleted_at: number | string | null;
}

interface CallbackRow {
  readonly app_id: string;
  readonly position: number;
  readonly url: string;
}

const apps = (db: Knex) => db<AppRow>('apps');
const callbacks = (db: Knex) => db<CallbackRow>('app_callbacks');

const moment = (value: number | string | null): number | null =>
  value === null ? null : Number(value);

const columnsOf = (app: StoredApp) => ({
  name: app.name,
  icon: app.icon,
  domain: app.domain,
  verified_at: app.verifiedAt,
  checked_at: app.checkedAt,
});

/** Rejects with a unique violation when the id was ever used. */
export async function insertApp(trx: Knex, app: StoredApp): Promise<void> {
  await apps(trx).insert({
    app_id: app.appId,
    user_id: app.userId,
    is_enabled: Number(app.isEnabled),
    created_at: app.createdAt,
    deleted_at: null,
    ...columnsOf(app),
  });
  await insertCallbacks(trx, app);
}

export async function updateApp(trx: Knex, app: StoredApp): Promise<void> {
  await apps(trx).where('app_id', app.appId).update(columnsOf(app));
  await callbacks(trx).where('app_id', app.appId).delete();
  await insertCallbacks(trx, app);
}

async function insertCallbacks(trx: Knex, { appId, callbacks: urls }: StoredApp): Promise<void> {
  const rows = urls.map((url, position) => ({ app_id: appId, position, url }));
  if (rows.length > 0) await callbacks(trx).insert(rows);
}

/** Succeeds only if domain and callbacks are unchanged since the check began. */
export async function noteDomainCheck(
  trx: Knex,
  { appId, domain }: Pick<StoredApp, 'appId' | 'domain'>,
  { verifiedAt, checkedAt }: Pick<StoredApp, 'verifiedAt' | 'checkedAt'>,
): Promise<boolean> {
  const query = apps(trx).where({ app_id: appId, domain });
  return (await query.update({ verified_at: verifiedAt, checked_at: checkedAt })) > 0;
}

export async function markDeleted(trx: Knex, appId: string, at: number): Promise<void> {
  await apps(trx).where('app_id', appId).update({ deleted_at: at });
}

/** Returns whether there is such an app. */
export async function setEnabled(trx: Knex, appId: string, isEnabled: boolean): Promise<boolean> {
  const query = apps(trx).where('app_id', appId).whereNull('deleted_at');
  return (await query.update({ is_enabled: Number(isEnabled) })) > 0;
}

export async function findApp(db: Knex, appId: string): Promise<StoredApp | undefined> {
  const row = await apps(db).where('app_id', appId).whereNull('deleted_at').first();
  return row && (await withCallbacks(db, [row]))[0];
}

export async function appsOf(db: Knex, userId: string): Promise<readonly StoredApp[]> {
  const query = apps(db).where('user_id', userId).whereNull('deleted_at');
  return withCallbacks(db, await query.orderBy('created_at').orderBy('app_id'));
}

/** The apps with these ids, with deleted ones: their paired devices still show the app's name. */
export async function appsNamed(db: Knex, ids: readonly string[]): Promise<readonly StoredApp[]> {
  return withCallbacks(db, await apps(db).whereIn('app_id', [...ids]));
}

/** Verified apps whose domain was last checked before that time. */
export async function appsToCheck(db: Knex, before: number): Promise<readonly StoredApp[]> {
  const query = apps(db).whereNotNull('verified_at').whereNull('deleted_at');
  return withCallbacks(db, await query.where('checked_at', '<=', before).limit(20));
}

async function withCallbacks(db: Knex, rows: readonly AppRow[]): Promise<readonly StoredApp[]> {
  const ids = rows.map(({ app_id: id }) => id);
  const found = await callbacks(db).whereIn('app_id', ids).orderBy('position');
  return rows.map((row) => ({
    appId: row.app_id,
    userId: row.user_id,
    name: row.name,
    icon: row.icon,
    domain: row.domain,
    verifiedAt: moment(row.verified_at),
    checkedAt: moment(row.checked_at),
    isEnabled: row.is_enabled === 1,
    createdAt: Number(row.created_at),
    callbacks: found.filter((one) => one.app_id === row.app_id).map(({ url }) => url),
  }));
}
