/** Checks the database, and the folders of the libraries in it. */
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../../kernel/index.ts';
import { openReadOnly } from '../../../kernel/storage/index.ts';
import type { Config } from '../../platform/config.ts';
import { checkIntegrity } from '../integrity/index.ts';
import { bad, good, type Finding } from './finding.ts';

/** Opens the database read-only and checks it. A server may be running. */
export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const { database: url, storageDriver: driver } = config;
  try {
    const storage = await openReadOnly({ url, log: silentLog, driver });
    try {
      const faults = await checkIntegrity(storage.read);
      const rows: readonly unknown[] = await storage.read('libraries').select('name', 'roots');
      return [whole(faults), ...rows.flatMap(examineRoots)];
    } finally {
      await storage.close();
    }
  } catch (error) {
    return [
      bad('database', {
        what: `It cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        remedy: 'Restore a backup (vitrine backup restore), or fix the cause in the message.',
      }),
    ];
  }
}

function whole(faults: readonly { readonly message: string }[]): Finding {
  if (faults.length === 0) return good('database', 'It is intact.');
  return bad('database', {
    what: faults.map(({ message }) => message).join(' '),
    remedy: 'Restore a backup: vitrine backup restore <file>.',
  });
}

function examineRoots(row: unknown): readonly Finding[] {
  if (typeof row !== 'object' || row === null || !('roots' in row) || !('name' in row)) return [];
  const check = `library ${String(row.name)}`;
  const roots: unknown = JSON.parse(String(row.roots));
  if (!Array.isArray(roots)) return [];
  return roots
    .filter((root) => typeof root === 'string' && root.startsWith('file:'))
    .map((root) => examineRoot(check, String(root)));
}

function examineRoot(check: string, uri: string): Finding {
  try {
    const folder = fileURLToPath(uri);
    accessSync(folder, constants.R_OK | constants.X_OK);
    return good(check, `${folder} can be read.`);
  } catch {
    return bad(check, {
      what: `${uri} cannot be read.`,
      remedy:
        'Mount it, or give the user of the server read access; its items are kept until then.',
    });
  }
}
