/**
 * The providers of keys. A key has one provider at a time: the plugin that an admin chose, or else
 * the built-in that serves it. The server waits for a chosen plugin that is restarting. One that is
 * disabled, removed, revoked or has failed is replaced by the built-in. A plugin counts only for keys
 * that it was granted.
 */
import { reachesAllOf } from '../../call/reach.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { LostProvider } from './lost-provider.ts';
import { capabilityOfKey, isExclusiveKey } from '../powers/powers-asked.ts';
import type { ProviderChoices } from './provider-choices.ts';
import type { Providers } from './providers.ts';

/** Finds the providers among the running plugins. */
export interface ProviderFinder extends Omit<Providers, 'expected' | 'choose'> {
  /** Recomputes the providers after a change, and reports lost ones. */
  readonly refresh: () => void;
  /** The plugin that was chosen for a key and granted it, then the built-ins that serve it. */
  readonly wantedFor: (key: string) => readonly InstalledPlugin[];
  /** Those of the keys without a server and without a choice. */
  readonly unserved: (keys: readonly string[]) => readonly string[];
}

interface Found {
  readonly running: readonly InstalledPlugin[];
  /** By key, the plugins that were granted it, in order; running or not. */
  readonly granted: ReadonlyMap<string, readonly InstalledPlugin[]>;
}

export interface ProviderFinderParts {
  readonly all: () => readonly InstalledPlugin[];
  readonly choices: Pick<ProviderChoices, 'of' | 'all'>;
  readonly onLost: (lost: LostProvider) => void;
  /** Called when a plugin answers again for all keys for which it was chosen, or lost the choice. */
  readonly onSettled: (pluginId: string) => void;
  /** Whether a version that failed is about to be replaced by another. */
  readonly isProvisional: (plugin: InstalledPlugin) => boolean;
}

class GrantedProviders implements ProviderFinder {
  readonly #parts: ProviderFinderParts;
  #found: Found | undefined;
  #answers = new Map<string, readonly InstalledPlugin[]>();
  /** Keys whose chosen provider is gone, with its id. */
  #lost: ReadonlyMap<string, string> = new Map();
  /** Plugins that were reported as settled. */
  readonly #settled = new Set<string>();

  constructor(parts: ProviderFinderParts) {
    this.#parts = parts;
  }

  #look(): Found {
    if (this.#found) return this.#found;
    const plugins = [...this.#parts.all()].sort(byPrecedence);
    const granted = new Map<string, InstalledPlugin[]>();
    for (const plugin of plugins)
      for (const key of plugin.granted.serves ?? [])
        granted.set(key, [...(granted.get(key) ?? []), plugin]);
    return (this.#found = { running: plugins.filter((plugin) => plugin.isRunning), granted });
  }

  readonly #holders = (key: string): readonly InstalledPlugin[] =>
    this.#look().granted.get(key) ?? [];

  /** The plugins for a key, running or not: the chosen one while it is not gone, then built-ins. */
  #order(key: string): readonly InstalledPlugin[] {
    const chosen = this.#chosenFor(key);
    const builtins = this.#holders(key).filter(isBuiltin);
    if (!chosen || goneBecause(chosen, key) !== null) return builtins;
    return [chosen, ...builtins.filter((other) => other !== chosen)];
  }

  #chosenFor(key: string): InstalledPlugin | undefined {
    const id = this.#parts.choices.of(key);
    return id === undefined ? undefined : this.#parts.all().find((plugin) => plugin.id === id);
  }

  /** A plugin that names no part of its capability serves each part that no other plugin serves. */
  readonly #namedBy = (key: string): string =>
    this.#holders(key).length > 0 ? key : capabilityOfKey(key);

  readonly wantedFor = (key: string): readonly InstalledPlugin[] => {
    const named = this.#namedBy(key);
    const chosen = this.#chosenFor(named);
    const builtins = this.#holders(named).filter(
      (plugin) => isBuiltin(plugin) && plugin !== chosen,
    );
    return chosen?.granted.serves?.includes(named) === true ? [chosen, ...builtins] : builtins;
  };

  #answering(key: string): readonly InstalledPlugin[] {
    const known = this.#answers.get(key);
    if (known) return known;
    const wanted = this.#order(this.#namedBy(key));
    // The server waits for a restarting provider: the built-in does not replace it.
    const isAway = wanted[0]?.isRunning === false && !isBuiltin(wanted[0]);
    const result = isAway ? [] : wanted.filter((plugin) => plugin.isRunning);
    this.#answers.set(key, result);
    return result;
  }

  readonly refresh = (): void => {
    const { choices, isProvisional, onLost } = this.#parts;
    this.#found = undefined;
    this.#answers = new Map();
    const now = new Map<string, string>();
    const fresh = new Map<string, { keys: string[]; why: LostProvider['why'] }>();
    for (const [key, pluginId] of choices.all()) {
      const chosen = this.#chosenFor(key);
      const why = chosen ? goneBecause(chosen, key) : 'removed';
      if (why === null || (why === 'failed' && chosen && isProvisional(chosen))) continue;
      now.set(key, pluginId);
      if (this.#lost.get(key) === pluginId) continue;
      const of = fresh.get(pluginId) ?? { keys: [], why };
      of.keys.push(key);
      fresh.set(pluginId, of);
    }
    this.#settle(new Set(now.values()));
    this.#lost = now;
    for (const [pluginId, { keys, why }] of fresh) onLost({ pluginId, keys, why });
  };

  /** A plugin that is starting is not settled yet. */
  #settle(gone: ReadonlySet<string>): void {
    const { choices, all, onSettled } = this.#parts;
    const chosen = new Set(choices.all().values());
    for (const id of gone) this.#settled.delete(id);
    for (const id of new Set([...this.#lost.values(), ...chosen])) {
      const isThere = all().some((plugin) => plugin.id === id && plugin.isRunning);
      if (gone.has(id) || this.#settled.has(id) || (chosen.has(id) && !isThere)) continue;
      this.#settled.add(id);
      onSettled(id);
    }
  }

  readonly of: ProviderFinder['of'] = (key) => this.#answering(key)[0]?.id;

  readonly allOf: ProviderFinder['allOf'] = (key) => {
    const asked = isForOne(key)
      ? this.#answering(key)
      : this.#look().running.filter((plugin) => serves(plugin, key));
    return asked.map(({ id }) => id);
  };

  readonly filesystemFor: ProviderFinder['filesystemFor'] = (scheme) =>
    this.#answering(`filesystem:${scheme}`)[0]?.id;

  readonly jobRunner: ProviderFinder['jobRunner'] = (type, scope = null) =>
    this.#answering(`job:${type}`).find(({ reach }) => scope === null || reachesAllOf(reach, scope))
      ?.id;

  readonly jobTypes: ProviderFinder['jobTypes'] = () =>
    [...this.#look().granted]
      .filter(([key, plugins]) => key.startsWith('job:') && plugins.some(isEnabled))
      .map(([key]) => key.slice('job:'.length))
      .sort();

  readonly list: ProviderFinder['list'] = () =>
    [...this.#look().granted.keys()]
      .filter(isExclusiveKey)
      .sort()
      .map((key) => ({
        key,
        pluginId: this.#answering(key)[0]?.id ?? null,
        isChosen: this.#parts.choices.of(key) !== undefined,
        candidates: this.#holders(key).map(({ id }) => id),
      }));

  readonly unserved: ProviderFinder['unserved'] = (keys) =>
    keys.filter(
      (key) => this.#parts.choices.of(key) === undefined && !this.#holders(key).some(isBuiltin),
    );
}

/** Creates the finder. Results are cached until `refresh`. */
export const createProviderFinder = (parts: ProviderFinderParts): ProviderFinder =>
  new GrantedProviders(parts);

const isBuiltin = ({ package: { type } }: InstalledPlugin): boolean => type === 'builtin';

const isEnabled = ({ settings }: InstalledPlugin): boolean => settings.isEnabled;

const divided: ReadonlySet<string> = new Set(['filesystem', 'library', 'probe', 'job']);

/** Whether one plugin answers for exactly this key. */
const isForOne = (key: string): boolean => isExclusiveKey(key) && !divided.has(key);

const serves = ({ granted }: InstalledPlugin, capability: string): boolean =>
  granted.serves?.some((key) => capabilityOfKey(key) === capability) ?? false;

/**
 * Why the plugin no longer answers for the key and will not return by itself; `null` = it does or
 * will.
 */
function goneBecause(plugin: InstalledPlugin, key: string): LostProvider['why'] | null {
  if (plugin.revocation !== null) return 'revoked';
  if (!isEnabled(plugin)) return 'disabled';
  if (plugin.awaitsGrant || plugin.granted.serves?.includes(key) !== true) return 'not granted';
  return plugin.supervisor.state === 'failed' ? 'failed' : null;
}

function byPrecedence(one: InstalledPlugin, other: InstalledPlugin): number {
  const rank = (plugin: InstalledPlugin) => (isBuiltin(plugin) ? 1 : 0);
  return rank(one) - rank(other) || (one.id < other.id ? -1 : 1);
}
