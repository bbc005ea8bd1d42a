import { openReadOnly, openStorage, type Log } from '../../kernel/index.ts';
import { setEnabled } from './app-store.ts';
import { brokerMigrations } from './broker-migrations.ts';

/**
 * Switches an app off or on, whether the broker runs or not; `false` = there is no such app. Devices
 * that are paired keep their passes.
 */
export async function switchApp(
  { database: url, log }: { readonly database: string; readonly log: Log },
  appId: string,
  isEnabled: boolean,
): Promise<boolean> {
  // A look first: to open for writing would make the file that is not there.
  await (await openReadOnly({ url, log })).close();
  const storage = await openStorage({
    url,
    migrations: [brokerMigrations],
    isMigrating: false,
    log,
  });
  try {
    return await storage.database.write((trx) => setEnabled(trx, appId, isEnabled));
  } finally {
    await storage.close();
  }
}
