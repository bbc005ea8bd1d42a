/** `vitrine backup`: for the operator of the machine, whether the server runs or not. */
import type { Command } from 'commander';
import { statSync } from 'node:fs';
import path from 'node:path';
import { guestWords } from '../../../kernel/index.ts';
import { openReadOnly } from '../../../kernel/store/index.ts';
import {
  acceptRestore,
  BackupError,
  carryOver,
  copiedDatabase,
  type CarryOverParts,
  makeBackup,
  restorePostgres,
  settleRestore,
  stageRestore,
  swapIn,
  verifyBackup,
  type WantedRestore,
} from '../../../src/operations/backups/index.ts';
import { carryOvers, migrations } from '../../../src/compose/index.ts';
import { readConfig, type Config } from '../../../src/platform/config.ts';
import { openDataFolder } from '../../../src/platform/data-folder/index.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readPassphrase } from '../../../src/platform/secrets/index.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import { addSettings } from './setting-options.ts';

export interface BackupCommandParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Ask = (run: () => Promise<number>) => void;

const places = ['data', 'database', 'databaseSession', 'backupFolder'];

/** Adds the commands; `ask` receives the task that was asked for. */
export function addBackupCommands(program: Command, parts: BackupCommandParts, ask: Ask): void {
  const { env, cwd } = parts;
  const backup = program.command('backup').description('make, check and restore backups');
  backup.exitOverride();
  const withPlaces = (command: Command, ...more: readonly string[]): Command =>
    addSettings(command, new Set([...places, ...more]));
  const configOf = (flags: Readonly<Record<string, string>>): Config =>
    readConfig({ flags, env, cwd });

  withPlaces(backup.command('create'), 'backupPassphraseFile')
    .description('make a backup now; the server may run meanwhile')
    .option('--label <text>', 'a few words for its file name')
    .option('--keys', 'with the keys of the server as they are, for a move to another machine')
    .action(({ label, keys, ...flags }: Flags) =>
      ask(() =>
        reportingFailure(parts, () =>
          create(configOf(flags), { label, keys: keys === true }, parts),
        ),
      ),
    );

  backup
    .command('verify')
    .description('read a whole backup and check every byte; exit code 1 = it is damaged')
    .argument('<file>', 'the .vbackup file')
    .exitOverride()
    .action((file: string) =>
      ask(() => reportingFailure(parts, () => verify(path.resolve(cwd, file), parts))),
    );

  withPlaces(backup.command('restore'))
    .description('restore a backup in place of the current data; the server must not run')
    .argument('<file>', 'the .vbackup file')
    .option('--passphrase-file <file>', 'file with the passphrase of its keys')
    .action((file: string, { passphraseFile, ...flags }: Flags) =>
      ask(() =>
        reportingFailure(parts, () => {
          const passphrase = passphraseFile && readPassphrase(path.resolve(cwd, passphraseFile));
          return restore({ file: path.resolve(cwd, file), passphrase }, configOf(flags), parts);
        }),
      ),
    );
}

type Flags = Readonly<Record<string, string>> & {
  readonly label?: string;
  readonly keys?: true;
  readonly passphraseFile?: string;
};

async function reportingFailure(
  { complain }: BackupCommandParts,
  work: () => Promise<void>,
): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    complain(`vitrine: ${error.message}\n`);
    return 1;
  }
}

const quietLog = (write: (text: string) => void) =>
  createLog({ level: 'warn', format: 'text', write });

const fileOf = ({ database }: Config): string | null =>
  database.startsWith('sqlite:') ? database.slice('sqlite:'.length) : null;

async function create(
  config: Config,
  { label, keys }: { readonly label: string | undefined; readonly keys: boolean },
  { version, write, complain }: BackupCommandParts,
): Promise<void> {
  const log = quietLog(complain);
  const databaseFile = fileOf(config);
  if (databaseFile !== null && (statSync(databaseFile, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new BackupError(
      `There is no database at ${databaseFile}: give the data folder of the server with --data.`,
    );
  const storage = await openReadOnly({ url: config.database, log });
  try {
    const file = config.backupPassphraseFile;
    const sealed = file === null ? 'none' : { passphrase: readPassphrase(file) };
    const name = await makeBackup(label ?? null, keys ? 'plain' : sealed, {
      database: copiedDatabase({
        url: config.databaseSession ?? config.database,
        read: storage.read,
        searchPath: config.searchPath,
        log,
      }),
      dataFolder: config.data,
      folder: config.backupFolder,
      serverVersion: version,
      nowMs: Date.now(),
    });
    write(`${path.join(config.backupFolder, name)}\n`);
  } finally {
    await storage.close();
  }
}

async function verify(file: string, { write }: BackupCommandParts): Promise<void> {
  const { createdAt, serverVersion, label, parts } = await verifyBackup(file);
  const bytes = parts.reduce((sum, { size }) => sum + size, 0);
  const names = new Set(parts.map(({ path: part }) => part));
  const isSealed = names.has('keys/sealed.json');
  const hasKeys = [...names].some((part) => part.startsWith('keys/'));
  const keys = isSealed ? ', with keys under a passphrase' : hasKeys ? ', with keys' : '';
  write(
    `Intact: made ${createdAt} by Vitrine ${serverVersion}${label === null ? '' : ` (${guestWords(label)})`}, ` +
      `${parts.length} files, ${Math.ceil(bytes / 1024)} KiB${keys}.\n`,
  );
}

async function swapped(
  wanted: WantedRestore,
  parts: CarryOverParts & { readonly dataFolder: string },
): Promise<string | null> {
  await carryOver(wanted, parts);
  const aside = await swapIn(wanted.staged, { ...parts, nowMs: Date.now() });
  await acceptRestore(parts.dataFolder);
  return aside;
}

async function restore(
  { file, passphrase }: { readonly file: string; readonly passphrase: string | undefined },
  config: Config,
  parts: BackupCommandParts,
): Promise<void> {
  const { data: dataFolder, database: databaseUrl } = config;
  const databaseFile = fileOf(config);
  const held = await openDataFolder(dataFolder);
  try {
    await settleRestore(dataFolder);
    const log = quietLog(parts.complain);
    const staging = {
      dataFolder,
      databaseUrl,
      migrations,
      appVersion: parts.version,
      passphrase,
      log,
    };
    const staged = await stageRestore(file, staging);
    const by = 'vitrine backup restore';
    const wanted = {
      staged,
      filename: path.basename(file),
      actor: 'server',
      by,
      address: null,
    } as const;
    const [now, newId] = [Date.now, createUuidV7({ now: Date.now })];
    const carry = { migrations, carryOvers, now, newId, log };
    const { searchPath } = config;
    const aside =
      databaseFile === null
        ? await restorePostgres(wanted, {
            ...carry,
            dataFolder,
            place: { url: config.databaseSession ?? databaseUrl, searchPath },
          })
        : await swapped(wanted, { ...carry, dataFolder, databaseFile });
    const replaced = aside === null ? '' : ` The data that it replaced is in ${aside}.`;
    parts.write(`The backup of ${staged.createdAt} is in place.${replaced}\n`);
    if (databaseFile === null)
      parts.write(
        'Who was removed, disabled or given another password since the backup is as in the backup: look through Manage, Users before you start the servers. All sessions ended.\n',
      );
    if (staged.hasKeys === false)
      parts.write(
        'It has no keys. Secrets that were sealed with keys other than those of this data folder cannot be opened: put the keys of the server there (docs/backups.md), or set these secrets again.\n',
      );
    if (staged.hasSealedKeys === true)
      parts.write(
        'Its keys are under a passphrase and were not restored. On another machine restore it again with --passphrase-file.\n',
      );
  } finally {
    held.release();
  }
}
