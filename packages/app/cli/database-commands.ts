/** `vitrine database`: check the database, and undo an upgrade. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { KernelError } from '../../../kernel/index.ts';
import {
  listMigrationBackups,
  openReadOnly,
  openStorage,
  type MigrationBackup,
} from '../../../kernel/store/index.ts';
import {
  acceptRestore,
  BackupError,
  settleRestore,
  stageCopy,
  swapIn,
} from '../../../src/operations/backups/index.ts';
import { ConfigError, readConfig, type Config } from '../../../src/platform/config.ts';
import { openDataFolder } from '../../../src/platform/data-folder/index.ts';
import { migrations } from '../../../src/compose/index.ts';
import { copyDatabaseRows } from '../../../src/operations/database-copy/index.ts';
import { AppError } from '../../../src/platform/errors.ts';
import { checkIntegrity } from '../../../src/operations/integrity/index.ts';
import { createLog } from '../../../src/platform/log.ts';
import { addSettings, databaseSettings } from './setting-options.ts';

export interface DatabaseCommandParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Ask = (run: () => Promise<number>) => void;
type Flags = Readonly<Record<string, string>>;

/** Adds the commands; `ask` receives the task that was asked for. */
export function addDatabaseCommands(program: Command, parts: DatabaseCommandParts, ask: Ask): void {
  const { env, cwd } = parts;
  const database = program
    .command('database')
    .description('check the database, or undo its upgrade');
  database.exitOverride();
  const withPlaces = (command: Command): Command => addSettings(command, databaseSettings);
  const configOf = (flags: Flags): Config => readConfig({ flags, env, cwd });

  withPlaces(database.command('check'))
    .description('check the whole database; exit code 0 = intact, 1 = damaged, 2 = cannot be read')
    .action((flags: Flags) => ask(() => check(configOf(flags), parts)));

  withPlaces(database.command('rollback'))
    .description('restore the database from before the last upgrade; the server must not run')
    .action((flags: Flags) => ask(() => rollBack(configOf(flags), parts)));

  database
    .command('copy')
    .description(
      'copy a database of SQLite into an empty one of PostgreSQL; the server must not run',
    )
    .requiredOption('--from <url>', 'sqlite:<file>')
    .requiredOption(
      '--to <url>',
      'postgres://…, or the variable VITRINE_DATABASE',
      env['VITRINE_DATABASE'],
    )
    .exitOverride()
    .action(({ from, to }: { readonly from: string; readonly to: string }) =>
      ask(() => copy({ from, to }, parts)),
    );
}

async function check(config: Config, { write, complain }: DatabaseCommandParts): Promise<number> {
  try {
    const { database: url, storageDriver: driver } = config;
    const log = createLog({ level: 'silent', format: 'text', write });
    const storage = await openReadOnly({ url, log, driver });
    try {
      const faults = await checkIntegrity(storage.read);
      for (const { message } of faults) complain(`vitrine: ${message}\n`);
      if (faults.length === 0) write('The database is intact.\n');
      return faults.length === 0 ? 0 : 1;
    } finally {
      await storage.close();
    }
  } catch (error) {
    complain(`vitrine: the database cannot be read. ${reasonOf(error)}\n`);
    return 2;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof KernelError) return error.message;
  if (/no such (table|column)|(relation|column) .* does not exist/.test(String(error)))
    return 'An older version wrote it.';
  throw error;
}

async function copy(
  { from, to }: { readonly from: string; readonly to: string },
  { cwd, version, write, complain }: DatabaseCommandParts,
): Promise<number> {
  if (!from.startsWith('sqlite:')) throw new ConfigError('--from: it must be sqlite:<file>.');
  if (!/^postgres(ql)?:/.test(to)) throw new ConfigError('--to: it must be postgres://….');
  const file = path.resolve(cwd, from.slice('sqlite:'.length));
  if (!existsSync(file)) throw new ConfigError(`--from: there is no database at ${file}.`);
  const log = createLog({ level: 'warn', format: 'text', write: complain });
  const held = await openDataFolder(path.dirname(file));
  try {
    const source = await openStorage({
      url: `sqlite:${file}`,
      migrations,
      appVersion: version,
      isMigrating: false,
      log,
    });
    const target = await openStorage({ url: to, migrations, appVersion: version, log });
    try {
      const { tables, rows } = await copyDatabaseRows(source.database.read, target.database);
      write(
        `Copied ${rows} rows of ${tables} tables, and checked them and the audit log.\n` +
          'Start the server with --database and that url, and with the same data folder, which has its keys and plugins. Search is complete after some minutes. Then keep the file of SQLite as a backup.\n' +
          'For further servers see docs/several-servers.md.\n',
      );
      return 0;
    } finally {
      await target.close();
      await source.close();
    }
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof KernelError)) throw error;
    complain(`vitrine: ${error.message}\n`);
    return 1;
  } finally {
    held.release();
  }
}

async function rollBack(config: Config, parts: DatabaseCommandParts): Promise<number> {
  const { data: dataFolder, database } = config;
  if (!database.startsWith('sqlite:'))
    throw new ConfigError('--database: only SQLite databases are copied before an upgrade.');
  const databaseFile = database.slice('sqlite:'.length);
  const held = await openDataFolder(dataFolder);
  try {
    await settleRestore(dataFolder);
    const copy = await newestCopy(databaseFile);
    const log = createLog({ level: 'warn', format: 'text', write: parts.complain });
    const staged = await stageCopy(copy, { dataFolder, log });
    const places = { dataFolder, databaseFile, databaseOnly: true };
    const aside = await swapIn(staged, { ...places, nowMs: Date.now() });
    await acceptRestore(dataFolder);
    const replaced = aside === null ? '' : ` The upgraded database is in ${aside}.`;
    parts.write(
      `The database is as it was at ${staged.createdAt}, before the upgrade.${replaced}\n` +
        'Start the older version of the server: this version would upgrade the database again.\n',
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    parts.complain(`vitrine: ${error.message}\n`);
    return 1;
  } finally {
    held.release();
  }
}

async function newestCopy(databaseFile: string): Promise<MigrationBackup> {
  const [newest] = await listMigrationBackups(databaseFile);
  if (newest !== undefined) return newest;
  throw new BackupError(
    'There is no copy of the database: it was never upgraded in this data folder, or the copies were removed.',
  );
}
