/** Checks the database, and the folders of the libraries in it. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../../kernel/index.ts';
import { openReadOnly, type ReadOnlyStorage } from '../../../kernel/store/index.ts';
import type { Config } from '../../platform/config.ts';
import { readMembers } from '../../platform/cluster/index.ts';
import type { probeFolder } from '../../platform/folder-probe.ts';
import { readProblems } from '../../platform/problems/index.ts';
import { checkIntegrity } from '../integrity/index.ts';
import { faultOf } from '../health/index.ts';
import { quoted, type Text, say } from '../../platform/text.ts';
import { bad, good, hint, type Finding } from './finding.ts';

const restore: Text = say('doctor.restoreBackupVitrineBackupRestore');

/** Opens the database read-only and checks it. A server may be running. */
export async function examineDatabase(
  config: Config,
  isRunning: boolean,
  probe: typeof probeFolder,
): Promise<readonly Finding[]> {
  const { database: url, storageDriver: driver } = config;
  try {
    const storage = await openReadOnly({ url, log: silentLog, driver });
    try {
      const faults = await checkIntegrity(storage.read);
      const rows: readonly unknown[] = await storage.read('libraries').select('name', 'roots');
      const problems = isRunning ? await knownProblems(storage.read) : [];
      const servers = url.startsWith('sqlite:') ? [] : [await examineServers(storage.read)];
      return [whole(faults), ...servers, ...rows.flatMap(examineRoots), ...problems];
    } finally {
      await storage.close();
    }
  } catch (error) {
    return [await unreadable(error, config, probe)];
  }
}

/** A backup is restored only in place of a damaged file: on a disk that fails, the file may be whole. */
async function unreadable(
  error: unknown,
  config: Config,
  probe: typeof probeFolder,
): Promise<Finding> {
  const cause = error instanceof Error ? error.message : String(error);
  const what: Text = say('doctor.databaseCannotBeRead', { cause });
  if (!config.database.startsWith('sqlite:'))
    return bad('database', {
      what,
      remedy: say('doctor.fixCauseMessage'),
    });
  const fault = await probe(path.dirname(config.database.slice('sqlite:'.length)));
  if (fault !== null)
    return bad('database', { what, remedy: faultOf('folder of the database', fault).action });
  return bad('database', {
    what,
    remedy: isDamage(error) ? restore : say('doctor.fixCauseMessageDatabaseItself'),
  });
}

function isDamage(error: unknown): boolean {
  const origin = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = origin instanceof Error && 'code' in origin ? String(origin.code) : '';
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code);
}

/** Those that share the database; what is wrong with one is a problem of its own. */
async function examineServers(read: ReadOnlyStorage['read']): Promise<Finding> {
  const members = await readMembers(read);
  const missing = members.filter(({ state }) => state === 'missing').length;
  const leader = members.find(({ isLeader, state }) => isLeader && state === 'present')?.address;
  const what = say('servers.listed', {
    count: members.length,
    missing,
    leader: leader ?? '-',
  });
  const hasLeader = leader !== undefined || members.length === 0;
  if (missing === 0 && hasLeader) return good('servers', what);
  return hint('servers', { what, remedy: say('servers.startItAgain') });
}

/** Doctor looks at these itself. */
const examined: ReadonlySet<string> = new Set(['cannot_write', 'disk_nearly_full']);

/** The problems that the running server has; an older version has no table of them. */
async function knownProblems(read: ReadOnlyStorage['read']): Promise<readonly Finding[]> {
  const rows = await readProblems(read).catch(() => []);
  return rows
    .filter(({ code }) => !examined.has(code))
    .map(({ code, severity, ...row }) =>
      (severity === 'warning' ? hint : bad)(`problem ${code}`, {
        what: { english: row.message, german: row.message_german ?? row.message },
        remedy: { english: row.action, german: row.action_german ?? row.action },
      }),
    );
}

function whole(faults: readonly { readonly message: string }[]): Finding {
  if (faults.length === 0) return good('database', say('doctor.databaseIsIntact'));
  return bad('database', {
    what: quoted(faults.map(({ message }) => message).join(' ')),
    remedy: restore,
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
    return good(check, say('doctor.folderCanBeRead', { folder }));
  } catch {
    return bad(check, {
      what: say('doctor.placeCannotBeRead', { uri }),
      remedy: say('doctor.mountGiveUserServerRead'),
    });
  }
}
