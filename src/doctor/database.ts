/** The database as the server will find it, and the folders of the libraries in it. */
import { accessSync, constants } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openReadOnly, silentLog } from '../../kernel/index.ts';
import type { Config } from '../config.ts';
import { lookThrough } from '../integrity/index.ts';
import { bad, good, type Finding } from './finding.ts';

/** Opens the database without changing a byte, and looks through it. A server may be running. */
export async function examineDatabase(config: Config): Promise<readonly Finding[]> {
  const { database: url, storageDriver } = config;
  const driver = storageDriver === 'auto' ? {} : { driver: storageDriver };
  try {
    const storage = await openReadOnly({ url, log: silentLog, ...driver });
    try {
      const faults = await lookThrough(storage.read);
      const rows: readonly unknown[] = await storage.read('libraries').select('name', 'roots');
      return [whole(faults), ...rows.flatMap(examineRoots)];
    } finally {
      await storage.close();
    }
  } catch (error) {
    return [
      bad('database', {
        what: `It cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        remedy:
          'Put a backup in its place (vitrine backup restore), or mend what the message names.',
      }),
    ];
  }
}

function whole(faults: readonly { readonly message: string }[]): Finding {
  if (faults.length === 0) return good('database', 'It is whole.');
  return bad('database', {
    what: faults.map(({ message }) => message).join(' '),
    remedy: 'Put a backup in its place: vitrine backup restore <file>.',
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
      remedy: 'Mount it, or let the user of the server read it; its items stay until then.',
    });
  }
}
