/** `vitrine plugin list`, `install` and so on: the plugins of a running server. */
import type { Command } from 'commander';
import { ConfigError } from '../../../src/platform/config.ts';
import { createConsentPrompt } from './consent-prompt.ts';
import {
  listEarlierVersions,
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
import { showPlugin } from './plugins/plugin-info.ts';
import { addSource, listSources, refreshSources, removeSource } from './source-tasks.ts';

export interface MarketCommandParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** The terminal for questions about consent; without one no question is asked. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

type Ask = (run: () => Promise<number>) => void;

interface Flags extends ServerFlags {
  readonly yes?: true;
  readonly all?: true;
  readonly list?: true;
  readonly source?: string;
  readonly publisherKey?: string;
}

/** Adds them to `vitrine plugin`. Exit codes: 0 done, 1 refused, 2 bad use. */
export function addMarketCommands(plugin: Command, parts: MarketCommandParts, ask: Ask): void {
  const add = (parent: Command, name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option('--server <url>', `address of the server (${usualServer})`)
      .option('--token-file <file>', 'file with the API key of an admin, in place of VITRINE_TOKEN')
      .exitOverride();

  /** Bad use is reported before any request is sent. */
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

  add(plugin, 'list', 'list the plugins of a server, and their newer versions').action(
    (flags: Flags) => run(flags, listPlugins),
  );

  add(plugin, 'rescan', 'load the changes in the folder of local plugins').action((flags: Flags) =>
    run(flags, rescanPlugins),
  );

  add(plugin, 'search', 'list the plugins that the sources of a server offer')
    .argument('[words...]', 'words of the id, name or description; all must match')
    .action((words: readonly string[], flags: Flags) =>
      run(flags, (task) => searchOffers(task, words)),
    );

  add(plugin, 'info', 'show the details that a source gives of a plugin')
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version (the latest)')
    .option('--source <id>', 'the source, needed when several offer the plugin')
    .action((id: string, version: string | undefined, flags: Flags) =>
      run(flags, (task) => showPlugin(task, { id, version, source: flags.source })),
    );

  withLibraries(
    add(plugin, 'install', 'show the permissions that a plugin asks for, and install it'),
  )
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version (the latest)')
    .option('--source <id>', 'the source, needed when several offer the plugin')
    .option('--yes', 'grant all that it asks for, without a question')
    .action((id: string, version: string | undefined, flags: Flags & LibraryFlags) =>
      run(flags, (task) => installPlugin(task, { id, version, source: flags.source }, flags)),
    );

  add(
    plugin,
    'upgrade',
    'show the permissions that newer versions ask for, and upgrade one plugin or all',
  )
    .argument('[id]', 'the plugin')
    .argument('[version]', 'the version (the latest)')
    .option('--all', 'upgrade every plugin that has a newer version')
    .option('--source <id>', 'the source (the one that it came from)')
    .option('--yes', 'grant all that they ask for, without a question')
    .action((id: string | undefined, version: string | undefined, flags: Flags) => {
      if ((id === undefined) === (flags.all === undefined))
        throw new ConfigError('upgrade: name a plugin, or use --all.');
      const { source } = flags;
      run(flags, (task) =>
        upgradePlugins(task, id === undefined ? { source } : { id, version, source }),
      );
    });

  add(plugin, 'rollback', 'go back to a version that was installed before, with its settings')
    .argument('<id>', 'the plugin')
    .argument('[version]', 'the version (the newest that is older and not revoked)')
    .option('--list', 'list the versions that were installed before')
    .action((id: string, version: string | undefined, flags: Flags) =>
      run(flags, (task) =>
        flags.list === true ? listEarlierVersions(task, id) : rollBackPlugin(task, id, version),
      ),
    );

  add(plugin, 'remove', 'remove a plugin with its settings, its data and its code')
    .argument('<id>', 'the plugin')
    .action((id: string, flags: Flags) => run(flags, (task) => removePlugin(task, id)));

  add(plugin, 'permissions', 'list what a plugin may do, and in which libraries')
    .argument('<id>', 'the plugin')
    .action((id: string, flags: Flags) => run(flags, (task) => showPermissions(task, id)));

  withLibraries(add(plugin, 'grant', 'set the permissions of a plugin, and their libraries'))
    .argument('<id>', 'the plugin')
    .option('--granted <json>', 'the permissions, in the form of the manifest (as they are)')
    .option('--yes', 'grant them without a question')
    .action((id: string, flags: Flags & GrantFlags) =>
      run(flags, (task) => grantPermissions(task, id, flags)),
    );

  add(plugin, 'providers', 'list the provider of each capability, or choose another one')
    .argument('[key]', 'the capability, such as search or filesystem:s3')
    .argument('[id]', 'the plugin')
    .option('--yes', 'choose it without a question')
    .action((key: string | undefined, id: string | undefined, flags: Flags) => {
      if (key !== undefined && id === undefined)
        throw new ConfigError(`providers: name the plugin that is to provide ${key}.`);
      run(flags, (task) =>
        key === undefined || id === undefined
          ? listProviders(task)
          : chooseProvider(task, { key, pluginId: id }),
      );
    });

  add(
    plugin,
    'dry-run',
    'list the calls of a plugin’s last run that another grant would have refused',
  )
    .argument('<id>', 'the plugin')
    .argument('[version]', 'a version that a source offers: use the permissions that it asks for')
    .option('--granted <json>', 'the permissions, in the form of the manifest')
    .option('--libraries <json>', 'its libraries: all, or a list such as [{"id": "…"}]')
    .action((id: string, version: string | undefined, flags: Flags & DryRunFlags) =>
      run(flags, (task) => dryRunPlugin(task, id, { ...flags, version })),
    );

  addSecretCommands(
    add(plugin, 'secrets', 'list the stored secrets of a plugin'),
    add,
    (flags, work) => run(flags, (task) => work({ ...task, cwd: parts.cwd })),
  );
  addSourceCommands(add(plugin, 'sources', 'list the marketplace sources of a server'), add, run);
}

const withLibraries = (command: Command): Command =>
  command
    .option('--library <name...>', 'a library that it may access; Films=Kids for a folder of it')
    .option('--all-libraries', 'it may access all libraries, and those added later');

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
      .option('--library <id>', 'use the secret for work in this library')
      .option('--user <id>', 'use the secret for work on behalf of this user')
      .option('--profile <id>', 'use the secret for work on behalf of this profile');
  const all = (flags: Flags & SecretFlags) => ({ ...secrets.opts<Flags>(), ...flags });

  secrets.argument('[id]', 'the plugin').action((id: string | undefined, flags: Flags) => {
    if (id === undefined) throw new ConfigError('secrets: name a plugin.');
    run(flags, (task) => listPluginSecrets(task, id));
  });

  scoped(add(secrets, 'set', 'set a secret; its value is never shown again'))
    .option('--value-file <file>', 'file with the value')
    .option('--base64', 'the file holds the value in base64')
    .option('--host <host...>', 'a host that it may be sent to (none)')
    .action((id: string, name: string, flags: Flags & SecretFlags) =>
      run(all(flags), (task) => setPluginSecret(task, { id, name, cwd: task.cwd }, all(flags))),
    );

  scoped(add(secrets, 'remove', 'remove a secret')).action(
    (id: string, name: string, flags: Flags & SecretFlags) =>
      run(all(flags), (task) => removePluginSecret(task, { id, name }, all(flags))),
  );
}

function addSourceCommands(
  sources: Command,
  add: (parent: Command, name: string, description: string) => Command,
  run: (flags: Flags, work: (task: MarketTask) => Promise<number>) => void,
): void {
  // `sources` itself may have parsed these options, because they stand before the name of the
  // subcommand.
  const all = (flags: Flags): Flags => ({ ...sources.opts<Flags>(), ...flags });

  sources.action((flags: Flags) => run(flags, listSources));

  add(sources, 'add', 'add a source, and pin its key')
    .argument('<url>', 'the address of its index.json')
    .option('--publisher-key <hex>', 'the public key that it must have')
    .action((url: string, flags: Flags) =>
      run(all(flags), (task) => addSource(task, url, flags.publisherKey)),
    );

  add(sources, 'remove', 'remove a source; plugins that were installed from it stay')
    .argument('<id>', 'the source, as in the list')
    .action((id: string, flags: Flags) => run(all(flags), (task) => removeSource(task, id)));

  add(sources, 'refresh', 'download the indexes of all sources now').action((flags: Flags) =>
    run(all(flags), refreshSources),
  );
}
