/** `vitrine broker`: the identity broker, a service of its own. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import { createBroker, fetchProof, resolveTxt, switchApp } from '../broker/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { ConfigError, type ConfigSources } from '../../../src/platform/config.ts';
import { openDataFolder } from '../../../src/platform/data-folder/index.ts';
import { createLog } from '../../../src/platform/log.ts';
import { createSecretFile, readSecretFile } from '../../../src/platform/secrets/index.ts';
import { brokerSettings, readBrokerSettings, type BrokerSettings } from './broker-settings.ts';
import { untilStopped } from '../../../src/platform/until-stopped.ts';

export interface BrokerCommandParts extends Omit<ConfigSources, 'flags'> {
  readonly version: string;
  /** The output folder of the build, which holds the broker's pages. */
  readonly folder?: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

type Ask = (run: () => Promise<number>) => void;
type Flags = Readonly<Record<string, string>>;

/** The settings that say where the database is. */
const storageKeys: ReadonlySet<string> = new Set(['data', 'database']);

/** Adds the commands; `ask` receives the task that was asked for. */
export function addBrokerCommands(program: Command, parts: BrokerCommandParts, ask: Ask): void {
  const { env, cwd } = parts;
  const settingsOf = (flags: Flags): BrokerSettings => readBrokerSettings({ flags, env, cwd });
  const broker = program
    .command('broker')
    .description('run an identity broker: one passkey for all servers')
    .exitOverride();
  for (const { flag, argument, help } of brokerSettings)
    broker.option(`--${flag} <${argument}>`, help);
  broker.action((flags: Flags) => {
    const settings = settingsOf(flags);
    ask(() => runBroker(settings, parts));
  });

  for (const [name, isEnabled, description] of [
    ['app-disable', false, 'switch an app off: it can start no pairing'],
    ['app-enable', true, 'switch an app on again'],
  ] as const) {
    const command = broker.command(name).argument('<appId>').description(description);
    command.exitOverride();
    for (const { key, flag, argument, help } of brokerSettings)
      if (storageKeys.has(key)) command.option(`--${flag} <${argument}>`, help);
    // `broker` itself may have parsed these options, because they stand before the name of the
    // subcommand.
    command.action((appId: string, flags: Flags) => {
      const settings = settingsOf({ ...broker.opts<Flags>(), ...flags });
      ask(() => runSwitch({ settings, appId, isEnabled }, parts));
    });
  }
}

/** Runs the broker until a signal stops it. */
async function runBroker(
  settings: BrokerSettings,
  { version, folder, write }: BrokerCommandParts,
): Promise<number> {
  const { logLevel, logFormat, ...config } = settings;
  const log = createLog({ level: logLevel, format: logFormat, write });
  const pages = folder === undefined ? null : path.join(folder, 'broker-pages');
  const data = await openDataFolder(config.data);
  for (const note of data.notes) log.warn({}, note);
  const ended = Promise.race([untilStopped(), data.lost]);
  try {
    const broker = await createBroker({
      config: { ...config, pages: pages !== null && existsSync(pages) ? pages : null, version },
      key: openBrokerKey(config.data),
      clock: systemClock,
      log,
      fetchProof,
      resolveTxt,
    });
    const { url, identityUrl } = await broker.start();
    const shown = isOwn(url) && isOwn(identityUrl) ? identityUrl : url;
    if (logFormat === 'text') write(`Vitrine broker listening on ${shown}\n`);
    else log.info({ url: shown, identityUrl }, `Vitrine broker listening on ${shown}`);
    await ended;
    await broker.stop();
    return 0;
  } finally {
    data.release();
  }
}

/** Whether an address is one of this machine. */
const isOwn = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/**
 * Reads `<data>/broker.key`, and creates it if it is missing. Losing it only invalidates the codes
 * that screens show.
 */
function openBrokerKey(data: string): Buffer {
  const file = path.join(data, 'broker.key');
  if (readSecretFile(file) === null) createSecretFile(file, randomBytes(32).toString('hex'));
  const text = readSecretFile(file)?.trim() ?? '';
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new ConfigError(`${file} is damaged: remove it, and the next start creates a new one.`);
}

async function runSwitch(
  {
    settings,
    appId,
    isEnabled,
  }: {
    readonly settings: BrokerSettings;
    readonly appId: string;
    readonly isEnabled: boolean;
  },
  { write, complain }: BrokerCommandParts,
): Promise<number> {
  try {
    const { database } = settings;
    const isThere = await switchApp({ database, log: silentLog }, appId, isEnabled);
    if (!isThere) {
      complain(`vitrine: there is no app ${appId}.\n`);
      return 1;
    }
    write(`${appId} is switched ${isEnabled ? 'on' : 'off'}.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    complain(`vitrine: ${error.message}\n`);
    return 2;
  }
}
