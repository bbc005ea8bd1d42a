/**
 * The providers of keys. A key has one provider at a time: the plugin that an admin chose, or else
 * the built-in that serves it. The server waits for a chosen plugin that is restarting. One that is
 * disabled, removed, revoked or has failed is replaced by the built-in. A plugin counts only for keys
 * that it was granted.
 */
import { reachesAllOf } from '../../reach.ts';
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

/** Creates the finder. Results are cached until `refresh`. */
export function createProviderFinder(parts: ProviderFinderParts): ProviderFinder {
  const { all, choices, onLost, onSettled, isProvisional } = parts;
  let found: Found | undefined;
  let answers = new Map<string, readonly InstalledPlugin[]>();
  /** Keys whose chosen provider is gone, with its id. */
  let lost: ReadonlyMap<string, string> = new Map();
  /** Plugins that were reported as settled. */
  const settled = new Set<string>();

  function look(): Found {
    if (found) return found;
    const plugins = [...all()].sort(byPrecedence);
    const granted = new Map<string, InstalledPlugin[]>();
    for (const plugin of plugins)
      for (const key of plugin.granted.serves ?? [])
        granted.set(key, [...(granted.get(key) ?? []), plugin]);
    return (found = { running: plugins.filter((plugin) => plugin.isRunning), granted });
  }

  const holders = (key: string): readonly InstalledPlugin[] => look().granted.get(key) ?? [];

  /** The plugins for a key, running or not: the chosen one while it is not gone, then built-ins. */
  function order(key: string): readonly InstalledPlugin[] {
    const chosen = chosenFor(key);
    const builtins = holders(key).filter(isBuiltin);
    if (!chosen || goneBecause(chosen, key) !== null) return builtins;
    return [chosen, ...builtins.filter((other) => other !== chosen)];
  }

  function chosenFor(key: string): InstalledPlugin | undefined {
    const id = choices.of(key);
    return id === undefined ? undefined : all().find((plugin) => plugin.id === id);
  }

  /** A plugin that names no part of its capability serves each part that no other plugin serves. */
  const namedBy = (key: string): string => (holders(key).length > 0 ? key : capabilityOfKey(key));

  function wantedFor(key: string): readonly InstalledPlugin[] {
    const named = namedBy(key);
    const chosen = chosenFor(named);
    const builtins = holders(named).filter((plugin) => isBuiltin(plugin) && plugin !== chosen);
    return chosen?.granted.serves?.includes(named) === true ? [chosen, ...builtins] : builtins;
  }

  function answering(key: string): readonly InstalledPlugin[] {
    const known = answers.get(key);
    if (known) return known;
    const wanted = order(namedBy(key));
    // The server waits for a restarting provider: the built-in does not replace it.
    const isAway = wanted[0]?.isRunning === false && !isBuiltin(wanted[0]);
    const result = isAway ? [] : wanted.filter((plugin) => plugin.isRunning);
    answers.set(key, result);
    return result;
  }

  function refresh(): void {
    found = undefined;
    answers = new Map();
    const now = new Map<string, string>();
    const fresh = new Map<string, { keys: string[]; why: LostProvider['why'] }>();
    for (const [key, pluginId] of choices.all()) {
      const chosen = chosenFor(key);
      const why = chosen ? goneBecause(chosen, key) : 'removed';
      if (why === null || (why === 'failed' && chosen && isProvisional(chosen))) continue;
      now.set(key, pluginId);
      if (lost.get(key) === pluginId) continue;
      const of = fresh.get(pluginId) ?? { keys: [], why };
      of.keys.push(key);
      fresh.set(pluginId, of);
    }
    settle(new Set(now.values()));
    lost = now;
    for (const [pluginId, { keys, why }] of fresh) onLost({ pluginId, keys, why });
  }

  /** A plugin that is starting is not settled yet. */
  function settle(gone: ReadonlySet<string>): void {
    const chosen = new Set(choices.all().values());
    for (const id of gone) settled.delete(id);
    for (const id of new Set([...lost.values(), ...chosen])) {
      const isThere = all().some((plugin) => plugin.id === id && plugin.isRunning);
      if (gone.has(id) || settled.has(id) || (chosen.has(id) && !isThere)) continue;
      settled.add(id);
      onSettled(id);
    }
  }

  return {
    refresh,
    wantedFor,
    of: (key) => answering(key)[0]?.id,
    allOf: (key) => {
      const asked = isForOne(key)
        ? answering(key)
        : look().running.filter((plugin) => serves(plugin, key));
      return asked.map(({ id }) => id);
    },
    filesystemFor: (scheme) => answering(`filesystem:${scheme}`)[0]?.id,
    jobRunner: (type, scope = null) =>
      answering(`job:${type}`).find(({ reach }) => scope === null || reachesAllOf(reach, scope))
        ?.id,
    jobTypes: () =>
      [...look().granted]
        .filter(([key, plugins]) => key.startsWith('job:') && plugins.some(isEnabled))
        .map(([key]) => key.slice('job:'.length))
        .sort(),
    list: () =>
      [...look().granted.keys()]
        .filter(isExclusiveKey)
        .sort()
        .map((key) => ({
          key,
          pluginId: answering(key)[0]?.id ?? null,
          isChosen: choices.of(key) !== undefined,
          candidates: holders(key).map(({ id }) => id),
        })),
    unserved: (keys) =>
      keys.filter((key) => choices.of(key) === undefined && !holders(key).some(isBuiltin)),
  };
}

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
