import type { Database } from '../../store/index.ts';
import { listPackages, type PackageRecord } from '../packages/package-store.ts';

/** The current packages, as of the last read of the database. */
export type PackageList = ReturnType<typeof createPackageList>;

/** Creates the list, empty until it is refreshed. */
export function createPackageList(database: Database) {
  const records = new Map<string, PackageRecord>();
  return {
    all: (): readonly PackageRecord[] => [...records.values()],
    find: (pluginId: string): PackageRecord | undefined => records.get(pluginId),
    has: (pluginId: string): boolean => records.has(pluginId),
    /** Reads the database again. */
    refresh: async (): Promise<void> => {
      const found = await listPackages(database.read);
      records.clear();
      for (const record of found) records.set(record.pluginId, record);
    },
    drop: (pluginId: string): void => void records.delete(pluginId),
  };
}
