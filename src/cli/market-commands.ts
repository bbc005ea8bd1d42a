/** `vitrine plugin list`, `install` and so on: the plugins of a server that runs. */
import type { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { createConsentPrompt } from './consent-prompt.ts';
import {
  listPlugins,
  removePlugin,
  rescanPlugins,
  rollBackPlugin,
  searchOffers,
} from './market-tasks.ts';
import type { MarketTask } from './market-tasks.ts';
import { installPlugin, upgradePlugins } from './market-upgrades.ts';
import { createServerClient, ServerRefusal, usualServer } from './server-client.ts';
import type { ServerFlags } from './server-client.ts';
import {
  dryRunPlugin,
  listPluginSecrets,
  removePluginSecret,
  setPluginSecret,
  type DryRunFlags,
  type SecretFlags,
} from './power-tasks.ts';
import {
  grantPermissions,
  showPermissions,
  type GrantFlags,
  type LibraryFlags,
} from './permission-tasks.ts';
import { chooseProvider, listProviders } from './provider-tasks.ts';
import { showPlugin } from './plugin-info.ts';
import { addSource, listSources, refreshSources, removeSource } from './source-tasks.ts';

/** What the commands need of the program. */
export interface MarketCommandParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Where consent is given; a terminal, or nobody is asked. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

type Ask = (run: () => Promise<number>) => void;

interface Flags extends ServerFlags {
  readonly yes?: true;
  readonly all?: true;
  readonly source?: string;
  readonly publisherKey?: string;
}

/** Adds them to `vitrine plugin`. Exit codes: 0 done, 1 refused, 2 bad use. */
export function addMarketCommands(plugin: Command, parts: MarketCommandParts, ask: Ask): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option('--server <url>', `where the server is (${usualServer})`)
      .option('--token-file <file>', 'file with the key of an admin; else VITRINE_TOKEN has it')
      .exitOverride();

  /** What is wrong with the use is told before anything is sent. */
  function run(flags: Flags, work: (task: MarketTask) => Promise<number>): void {
    const client = createServerClient(flags, parts);
    const prompt = createConsentPrompt({
      stdin: parts.stdin ?? process.stdin,
      write: parts.write,
      agreesToAll: flags.yes === true,
      offersAll: flags.all === true,
    });
    ask(async () => {
      try {
        return await work({ ...parts, client, prompt });
      } catch (error) {
        if (!(error instanceof ServerRefusal || error instanceof ConfigError)) throw error;
        parts.complain(`vitrine: ${error.message}\n`);
        return error instanceof ServerRefusal ? 1 : 2;
      } finally {
        prompt.close();
      }
    });
  }

  add(plugin, 'list', 'list the plugins of a server, and what newer versions there are').action(
    (flags: Flags) => run(flags, listPlugins),
  );

  add(plugin, 'rescan', 'take what is new, changed or gone in the folder of local plugins').action(
    (flags: Flags) => run(flags, rescanPlugins),
  );

  add(plugin, 'search', 'list what the sources of a server offer')
    .argument('[words...]', 'words of id, name and description; all must fit')
    .action((words: readonly string[], flags: Flags) =>
      run(flags, (task) => searchOffers(task, words)),
    );

  add(plugin, 'info', 'say all that a source says of a plugin, before it is installed')
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version; the latest when absent')
    .option('--source <id>', 'the source, where several offer it')
    .action((id: string, version: string | undefined, flags: Flags) =>
      run(flags, (task) => showPlugin(task, { id, version, source: flags.source })),
    );

  withLibraries(add(plugin, 'install', 'install a plugin, after saying what it asks for'))
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version; the latest when absent')
    .option('--source <id>', 'the source, where several offer it')
    .option('--yes', 'grant what it asks for without being asked')
    .action((id: string, version: string | undefined, flags: Flags & LibraryFlags) =>
      run(flags, (task) => installPlugin(task, { id, version, source: flags.source }, flags)),
    );

  add(plugin, 'upgrade', 'upgrade a plugin, or all, after saying what they ask for')
    .argument('[id]', 'the plugin')
    .argument('[version]', 'the version; the latest when absent')
    .option('--all', 'upgrade every plugin of which there is a newer version')
    .option('--source <id>', 'the source; the one it came from when absent')
    .option('--yes', 'grant what they ask for without being asked')
    .action((id: string | undefined, version: string | undefined, flags: Flags) => {
      if ((id === undefined) === (flags.all === undefined))
        throw new ConfigError('upgrade: name a plugin, or say --all.');
      const { source } = flags;
      run(flags, (task) =>
        upgradePlugins(task, id === undefined ? { source } : { id, version, source }),
      );
    });

  add(plugin, 'rollback', 'go back to the version before, with its settings and data')
    .argument('<id>', 'the plugin')
    .action((id: string, flags: Flags) => run(flags, (task) => rollBackPlugin(task, id)));

  add(plugin, 'remove', 'remove a plugin with its settings, its data and its code')
    .argument('<id>', 'the plugin')
    .action((id: string, flags: Flags) => run(flags, (task) => removePlugin(task, id)));

  add(plugin, 'permissions', 'say in plain words what a plugin may do, and in which libraries')
    .argument('<id>', 'the plugin')
    .action((id: string, flags: Flags) => run(flags, (task) => showPermissions(task, id)));

  withLibraries(add(plugin, 'grant', 'decide what a plugin may do, and in which libraries'))
    .argument('<id>', 'the plugin')
    .option('--granted <json>', 'the grant, in the form of the manifest; as it is when absent')
    .option('--yes', 'grant it without being asked')
    .action((id: string, flags: Flags & GrantFlags) =>
      run(flags, (task) => grantPermissions(task, id, flags)),
    );

  add(plugin, 'providers', 'say which plugin answers for what, or choose another one')
    .argument('[key]', 'what it is to answer for, such as search or filesystem:s3')
    .argument('[id]', 'the plugin')
    .option('--yes', 'choose it without being asked')
    .action((key: string | undefined, id: string | undefined, flags: Flags) => {
      if (key !== undefined && id === undefined)
        throw new ConfigError(`providers: name the plugin that is to answer for ${key}.`);
      run(flags, (task) =>
        key === undefined || id === undefined
          ? listProviders(task)
          : chooseProvider(task, { key, pluginId: id }),
      );
    });

  add(plugin, 'dry-run', 'say what of its last run another grant would have refused')
    .argument('<id>', 'the plugin')
    .argument('[version]', 'one that a source offers: what it asks for, in place of what runs')
    .option('--granted <json>', 'the grant, in the form of the manifest')
    .option('--libraries <json>', 'what it may touch: all, or a list such as [{"id": "…"}]')
    .action((id: string, version: string | undefined, flags: Flags & DryRunFlags) =>
      run(flags, (task) => dryRunPlugin(task, id, { ...flags, version })),
    );

  addSecretCommands(
    add(plugin, 'secrets', 'list the secrets that are kept for a plugin'),
    add,
    (flags, work) => run(flags, (task) => work({ ...task, cwd: parts.cwd })),
  );
  addSourceCommands(add(plugin, 'sources', 'list the marketplace sources of a server'), add, run);
}

const withLibraries = (command: Command): Command =>
  command
    .option('--library <name...>', 'a library that it may touch; Films=Kids for a folder of it')
    .option('--all-libraries', 'it may touch all of them, those to come too');

function addSecretCommands(
  secrets: Command,
  add: (parent: Command, name: string, description: string) => Command,
  run: (
    flags: Flags,
    work: (task: MarketTask & { readonly cwd: string }) => Promise<number>,
  ) => void,
): void {
  const scoped = (command: Command): Command =>
    command
      .argument('<id>', 'the plugin')
      .argument('<name>', 'the secret')
      .option('--library <id>', 'for what the plugin does in this library')
      .option('--user <id>', 'for what it does on behalf of this user')
      .option('--profile <id>', 'for what it does on behalf of this profile');
  const all = (flags: Flags & SecretFlags) => ({ ...secrets.opts<Flags>(), ...flags });

  secrets.argument('[id]', 'the plugin').action((id: string | undefined, flags: Flags) => {
    if (id === undefined) throw new ConfigError('secrets: name a plugin.');
    run(flags, (task) => listPluginSecrets(task, id));
  });

  scoped(add(secrets, 'set', 'set a secret; nobody sees it again'))
    .option('--value-file <file>', 'file with the value')
    .option('--base64', 'the value is base64 of what is meant')
    .option('--host <host...>', 'where it may be sent; nowhere when absent')
    .action((id: string, name: string, flags: Flags & SecretFlags) =>
      run(all(flags), (task) => setPluginSecret(task, { id, name, cwd: task.cwd }, all(flags))),
    );

  scoped(add(secrets, 'remove', 'forget a secret')).action(
    (id: string, name: string, flags: Flags & SecretFlags) =>
      run(all(flags), (task) => removePluginSecret(task, { id, name }, all(flags))),
  );
}

function addSourceCommands(
  sources: Command,
  add: (parent: Command, name: string, description: string) => Command,
  run: (flags: Flags, work: (task: MarketTask) => Promise<number>) => void,
): void {
  // The options of `sources` itself may have been taken by it, as they stand before the name.
  const all = (flags: Flags): Flags => ({ ...sources.opts<Flags>(), ...flags });

  sources.action((flags: Flags) => run(flags, listSources));

  add(sources, 'add', 'add a source; its key is pinned')
    .argument('<url>', 'the address of its index.json')
    .option('--publisher-key <hex>', 'the key that it must have')
    .action((url: string, flags: Flags) =>
      run(all(flags), (task) => addSource(task, url, flags.publisherKey)),
    );

  add(sources, 'remove', 'remove a source; what was installed from it stays')
    .argument('<id>', 'the source, as the list names it')
    .action((id: string, flags: Flags) => run(all(flags), (task) => removeSource(task, id)));

  add(sources, 'refresh', 'ask all sources now what is new').action((flags: Flags) =>
    run(all(flags), refreshSources),
  );
}
