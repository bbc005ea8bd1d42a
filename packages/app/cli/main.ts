/** The process: arguments, signals, exit code. */
import { parseProgram, showProgress, type Asked } from './index.ts';
import {
  acceptRestore,
  carryOver,
  discardRestore,
  settleRestore,
  swapIn,
  takeBack,
  type WantedRestore,
} from '../../../src/operations/backups/index.ts';
import {
  carryOvers,
  createVitrine,
  migrations,
  type BuiltParts,
} from '../../../src/compose/index.ts';
import { compileSqlite3 } from '../../../src/platform/compile-sqlite3.ts';
import { ConfigError, type Config } from '../../../src/platform/config.ts';
import { assertNotEmptied, openDataFolder } from '../../../src/platform/data-folder/index.ts';
import { isOutageUnder, type Log } from '../../../kernel/index.ts';
import { createLog, timeStamp } from '../../../src/platform/log.ts';
import { createRecentLog, type RecentLog } from '../../../src/platform/recent-log.ts';
import { untilStopped } from '../../../src/platform/until-stopped.ts';
import { createUuidV7 } from '../../../src/platform/uuid-v7.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const built: BuiltParts = { folder: import.meta.dirname, version: packageJson.version };
const write = (text: string) => void process.stdout.write(text);
const complain = (text: string) => void process.stderr.write(text);
/** The reader of the output may end (`| head`); the server keeps running. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

async function serve(config: Config): Promise<number> {
  const recentLog = createRecentLog();
  const { logLevel: level, logFormat: format } = config;
  const log = createLog({ level, format, write, keep: recentLog.keep });
  const data = await openDataFolder(config.data);
  for (const note of data.notes) log.warn(note);
  process.on('unhandledRejection', (error) => staysUp(error, log));
  let exitCode = 0;
  const lost = data.lost.then((reason) => {
    log.error(`${reason} This server stops.`);
    exitCode = 1;
  });
  const ended = Promise.race([untilStopped(), lost]).then(() => null);
  const { listensAt } = data;
  try {
    if (await settleRestore(config.data))
      log.warn('A restore was interrupted: the earlier data were restored.');
    assertNotEmptied(config.data, config.database);
    let restart = await serveOnce({ config, log, recentLog, ended, listensAt });
    while (restart !== null)
      restart = await serveRestored(restart, { config, log, recentLog, ended, listensAt });
    return exitCode;
  } finally {
    data.release();
  }
}

/**
 * Whether an unhandled error is a failure of the database. Any other is a bug and ends the process.
 */
function staysUp(error: unknown, log: Log): void {
  if (!isOutageUnder(error)) throw error;
  log.error({ err: error }, 'A database operation failed in the background.');
}

interface ServeParts {
  readonly config: Config;
  readonly log: Log;
  readonly recentLog: RecentLog;
  readonly ended: Promise<null>;
  readonly listensAt: (url: string) => void;
}

/** A restore that an admin requested. */
interface Restart {
  readonly wanted: WantedRestore;
  /** Clients find the server again at the same port. */
  readonly port: number;
}

/** Starts with the staged backup; if that fails, with the earlier data. */
async function serveRestored(
  { wanted, port }: Restart,
  { config: { data, database, ...rest }, ...others }: ServeParts,
): Promise<Restart | null> {
  const databaseFile = database.slice('sqlite:'.length);
  const { log } = others;
  const parts = { ...others, config: { ...rest, data, database, port } };
  const { staged } = wanted;
  try {
    const [now, newId] = [Date.now, createUuidV7({ now: Date.now })];
    await carryOver(wanted, { databaseFile, migrations, carryOvers, now, newId, log });
  } catch (error) {
    await discardRestore(data);
    log.error({ err: error }, 'The backup was not restored: nothing was changed.');
    return serveOnce(parts);
  }
  const aside = await swapIn(staged, { dataFolder: data, databaseFile, nowMs: Date.now() });
  try {
    return await serveOnce(parts, async () => {
      await acceptRestore(data);
      log.info({ aside }, `The backup of ${staged.createdAt} was restored.`);
    });
  } catch (error) {
    if (!(await takeBack(data))) throw error;
    log.error(
      { err: error },
      'The restored server failed to start: the earlier data were put back.',
    );
    return serveOnce(parts);
  }
}

/** Runs the server until a signal, or until an admin requests a restore. */
async function serveOnce(
  { config, log, recentLog, ended, listensAt }: ServeParts,
  cameUp: () => Promise<void> = async () => undefined,
): Promise<Restart | null> {
  const vitrine = await createVitrine(config, { ...built, recentLog }, log);
  const isText = config.logFormat === 'text';
  const isTerminal = isText && process.stdout.isTTY;
  const say = isTerminal ? write : (text: string) => write(`${timeStamp(Date.now())} ${text}`);
  const hideProgress = isText
    ? showProgress({ events: vitrine.events, nameOf: vitrine.libraryName, isTerminal, write: say })
    : () => undefined;
  try {
    const { url, setupUrl } = await vitrine.start();
    listensAt(url);
    await cameUp();
    if (setupUrl !== null) (isText ? say : write)(`Set up this server at ${setupUrl}\n`);
    if (isText) say(`Vitrine listening on ${url}\n`);
    else log.info({ url }, `Vitrine listening on ${url}`);
    await vitrine.scanLibraries();
    const wanted = await Promise.race([ended, vitrine.restoreRequested]);
    return wanted && { wanted, port: Number(new URL(url).port) };
  } finally {
    hideProgress();
    await vitrine.stop('signal');
  }
}

async function exitCodeOf(asked: Asked): Promise<number> {
  switch (asked.command) {
    case 'serve': {
      const { storageDriver, database } = asked.config;
      const needs = storageDriver === 'sqlite3' && database.startsWith('sqlite:');
      const parts = { from: import.meta.filename, env: process.env, complain };
      return needs && !compileSqlite3(parts) ? 1 : serve(asked.config);
    }
    case 'task':
      return asked.run();
    case 'none':
      return asked.exitCode;
  }
}

const asked = parseProgram({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  version: packageJson.version,
  folder: built.folder,
  write,
  complain,
});
try {
  process.exit(await exitCodeOf(asked));
} catch (error) {
  const isExpected = error instanceof ConfigError || (error instanceof Error && 'code' in error);
  complain(
    `vitrine: ${isExpected ? error.message : String(error instanceof Error ? error.stack : error)}\n`,
  );
  process.exit(1);
}
