import type { Log } from '../../../kernel/index.ts';
import { openReadOnly, openStorage } from '../../../kernel/store/index.ts';
import { setEnabled } from './apps/app-store.ts';
import { brokerMigrations } from './broker-migrations.ts';

/**
 * Disables or enables an app, whether the broker runs or not; `false` = there is no such app.
 * Paired devices keep their passes.
 */
export async function switchApp(
  { database: url, log }: { readonly database: string; readonly log: Log },
  appId: string,
  isEnabled: boolean,
): Promise<boolean> {
  // Checked first, because opening for writing would create a missing file.
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
