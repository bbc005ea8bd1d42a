import type { ConfigField } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { Transaction } from '../../store/index.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { DecidedPlugins } from './decided-plugins.ts';
import {
  effectiveValues,
  enteredHosts,
  grantedHosts,
  maskedValues,
  parseConfiguration,
  type ConfigValues,
} from './form-values.ts';
import type { PluginSecrets } from './plugin-secrets.ts';
import type { AlongsideChange } from './plugin-store.ts';

/** What an admin enters in the forms of plugins. Unknown ids throw `not_found`. */
export interface Configuration {
  /** The form's values, secrets masked. */
  readonly get: (id: string) => ConfigValues;
  /** Replaces the values; `***` keeps a secret. Throws `invalid_config`. Returns the plugin. */
  readonly set: (id: string, values: unknown, alongside?: AlongsideChange) => Promise<Plugin>;
  /**
   * Hosts of the local network that an admin lets the plugin reach, in its form; none for an unknown
   * plugin.
   */
  readonly privateHostsOf: (id: string) => readonly string[];
  /**
   * Hosts of the addresses that an admin entered in place of public ones; none for an unknown plugin.
   */
  readonly enteredHostsOf: (id: string) => readonly string[];
}

export interface ConfiguredPlugin {
  readonly form: readonly ConfigField[];
  readonly keptConfiguration: ConfigValues;
  readonly secrets: PluginSecrets;
  readonly resource: () => Plugin;
}

export interface ConfigurationParts<P extends ConfiguredPlugin> {
  readonly plugins: DecidedPlugins<P>;
  /** The plugin, if it may be changed now; else throws `conflict`. */
  readonly free: (id: string) => P;
  /** Why no plugin may reach a host, after its name; `null` = an admin decides. */
  readonly hostFault?: ((host: string) => string | null) | undefined;
}

/** Creates the configuration over the installed plugins. */
export function createConfiguration<P extends ConfiguredPlugin>({
  plugins,
  free,
  hostFault = () => null,
}: ConfigurationParts<P>): Configuration {
  return {
    get: (id) => {
      const { form, keptConfiguration } = plugins.get(id);
      return maskedValues(form, keptConfiguration);
    },
    set: async (id, values, alongside) => {
      const plugin = free(id);
      const parsed = parseConfiguration(plugin.form, values, plugin.keptConfiguration);
      if (!parsed.ok) throw new KernelError('invalid_config', parsed.faults.join(' '));
      for (const host of grantedHosts(plugin.form, parsed.value)) {
        const fault = hostFault(host);
        if (fault !== null) throw new KernelError('invalid_config', `${host} ${fault}`);
      }
      const seen = (kept: ConfigValues): ConfigValues => effectiveValues(plugin.form, kept);
      const change = { before: seen(plugin.keptConfiguration), after: seen(parsed.value) };
      // A secret is sealed in another form each time, so its plain values are compared.
      const told = alongside && ((trx: Transaction) => alongside(trx, change));
      await plugins.decide(plugin, plugin.secrets.split(plugin.form, parsed.value), told);
      return plugin.resource();
    },
    privateHostsOf: (id) => {
      const plugin = plugins.find(id);
      return plugin ? grantedHosts(plugin.form, plugin.keptConfiguration) : [];
    },
    enteredHostsOf: (id) => {
      const plugin = plugins.find(id);
      return plugin ? enteredHosts(plugin.form, plugin.keptConfiguration) : [];
    },
  };
}
