import type { Database } from '../../storage/index.ts';
import { listPackages, type PackageRecord } from '../packages/package-store.ts';

/** The current packages, as of the last read of the database. */
export interface PackageList {
  readonly all: () => readonly PackageRecord[];
  readonly find: (pluginId: string) => PackageRecord | undefined;
  readonly has: (pluginId: string) => boolean;
  /** Reads the database again. */
  readonly refresh: () => Promise<void>;
  readonly drop: (pluginId: string) => void;
}

/** Creates the list, empty until it is refreshed. */
export function createPackageList(database: Database): PackageList {
  const records = new Map<string, PackageRecord>();
  return {
    all: () => [...records.values()],
    find: (pluginId) => records.get(pluginId),
    has: (pluginId) => records.has(pluginId),
    refresh: async () => {
      const found = await listPackages(database.read);
      records.clear();
      for (const record of found) records.set(record.pluginId, record);
    },
    drop: (pluginId) => void records.delete(pluginId),
  };
}
