/** `vitrine plugin dev`, `test` and `build`: the daily commands of an author. */
import type { Command } from 'commander';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ConfigError } from '../../../../src/platform/config.ts';
import type { MarketCommandParts } from '../market-commands.ts';
import { runDevOnServer } from './plugin-dev-server.ts';
import { loadKit } from './plugin-kit.ts';
import { runPluginTests } from './plugin-tests.ts';
import { buildInto } from './plugin-packages.ts';
import { reviewTypes } from './plugin-types.ts';
import { createServerClient } from '../server-client.ts';

type Ask = (run: () => Promise<number>) => void;
type Add = (name: string, description: string) => Command;

interface DevFlags {
  readonly once?: true;
  readonly config?: string;
  readonly grant?: string;
  readonly netAllow?: readonly string[];
  readonly library?: readonly string[];
  readonly server?: string;
  readonly data?: string;
  readonly tokenFile?: string;
}

/** Adds them to `vitrine plugin`. */
export function addTryCommands(add: Add, parts: MarketCommandParts, ask: Ask): void {
  const { cwd, write, complain } = parts;
  const run = (work: () => Promise<number>): void =>
    ask(async () => {
      try {
        return await work();
      } catch (error) {
        if (!isAuthorError(error)) throw error;
        complain(`vitrine: ${error.message}\n`);
        return 1;
      }
    });

  add('dev', 'run a plugin in the sandbox, and restart it when a file is saved')
    .argument('[folder]', 'the folder with manifest.json', '.')
    .option('--once', 'run it once with its samples and exit; exit code 1 = something failed')
    .option('--config <json>', 'values of its configuration')
    .option('--grant <json>', 'the granted permissions (all that the manifest asks for)')
    .option(
      '--library <library...>',
      'a sample library that it may access, or Films=FOLDER for a folder of it (all)',
    )
    .option('--net-allow <host...>', 'a host on your own network that it may reach')
    .option('--server <url>', 'run it on this server, which must be on this machine')
    .option('--data <folder>', 'the data folder of that server')
    .option('--token-file <file>', 'file with the API key of an admin, in place of VITRINE_TOKEN')
    .action((folder: string, flags: DevFlags) =>
      run(async () => {
        const { createFileWatch, createPrinter, readPluginSource, runDev } = await loadKit();
        const ended = new AbortController();
        const end = (): void => ended.abort();
        for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
        const printer = createPrinter({
          write,
          isTerminal: process.stdout.isTTY && parts.env['NO_COLOR'] === undefined,
          now: Date.now,
        });
        if (flags.server !== undefined || flags.data !== undefined)
          return await runDevOnServer({
            folder: path.resolve(cwd, folder),
            data: path.resolve(cwd, dataOf(flags)),
            client: createServerClient(flags, parts),
            printer,
            createFileWatch,
            isOnce: flags.once === true,
            signal: ended.signal,
          });
        const stdin = parts.stdin ?? process.stdin;
        const isOnce = flags.once === true;
        const lines = isOnce ? null : createInterface({ input: stdin });
        const at = path.resolve(cwd, folder);
        try {
          return await runDev({
            folder: at,
            checkTypes: async () => {
              const { entry } = await readPluginSource(at);
              const found = await reviewTypes(at, entry);
              return found.flatMap(({ level, message }) => (level === 'error' ? [message] : []));
            },
            printer,
            configuration: objectOf('--config', flags.config) ?? {},
            ...(flags.grant !== undefined && { granted: objectOf('--grant', flags.grant) ?? {} }),
            ...(flags.library !== undefined && { libraries: flags.library }),
            allowedHosts: flags.netAllow ?? [],
            isOnce,
            lines,
            signal: ended.signal,
            elapsed: () => performance.now(),
          });
        } finally {
          lines?.close();
        }
      }),
    );

  add('test', 'run the tests of a plugin: vitest, with vitrine/plugin-test')
    .argument('[folder]', 'the folder with manifest.json', '.')
    .argument('[vitest...]', 'arguments for vitest')
    .allowUnknownOption()
    .action((folder: string, rest: readonly string[]) =>
      run(() => runPluginTests({ folder: path.resolve(cwd, folder), args: rest, env: parts.env })),
    );

  add('types', 'write configuration.ts beside the source: the types of what host.config gives')
    .argument('[folder]', 'the folder with manifest.json', '.')
    .action((folder: string) =>
      run(async () => {
        const { readPluginSource, writeConfigurationTypes } = await loadKit();
        const { entry, manifest } = await readPluginSource(path.resolve(cwd, folder));
        const file = await writeConfigurationTypes(entry, manifest);
        if (file !== null) write(`${file}\n`);
        return 0;
      }),
    );

  add('build', 'bundle the source of a plugin into the file that its manifest names')
    .argument('[folder]', 'the folder with manifest.json', '.')
    .action((folder: string) =>
      run(async () => {
        write(`${await buildInto(path.resolve(cwd, folder))}\n`);
        return 0;
      }),
    );
}

/** A server has its own configuration, grants and libraries. */
function dataOf(flags: DevFlags): string {
  const own = (['config', 'grant', 'library', 'netAllow'] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (own !== undefined)
    throw new ConfigError(
      `dev --server: --${own} cannot be used, because the server has its own setting for it.`,
    );
  const { server, data } = flags;
  if (server !== undefined && data !== undefined) return data;
  throw new ConfigError('dev: --server <url> and --data <folder> must be given together.');
}

/** Whether the author can fix the error; a bug is not such a mistake. */
const isAuthorError = (error: unknown): error is Error =>
  error instanceof ConfigError || (error instanceof Error && error.name === 'PluginFault');

function objectOf(flag: string, json: string | undefined): Record<string, unknown> | null {
  if (json === undefined) return null;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Refused below, like any value that is not an object.
  }
  throw new ConfigError(`${flag} ${json}: it must be a JSON object.`);
}
