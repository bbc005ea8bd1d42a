/**
 * The stored choice of each key follows the plugins: a removed plugin loses its choices, so that a
 * later one with its id does not inherit them, and a key without a provider goes to the first plugin
 * that was granted it.
 */
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import type { Log } from '../../log.ts';
import { isExclusiveKey } from '../powers/powers-asked.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { ProviderChoices } from './provider-choices.ts';
import type { ProviderFinder } from './provider-finder.ts';
import type { ProvidedKey, Providers } from './providers.ts';

/** Stores choices, and keeps them true. */
export interface ProviderSettlement {
  readonly choose: Providers['choose'];
  /** Settles all keys. */
  readonly settleAll: () => Promise<void>;
  /**
   * The same after a package was added or removed. Never rejects: what was not written is written at
   * the next decision or start.
   */
  readonly resettle: () => Promise<void>;
  /** Settles the keys of a plugin after a grant. Never rejects. */
  readonly settle: (plugin: InstalledPlugin) => Promise<void>;
}

export interface ProviderSettlementParts {
  readonly installed: {
    readonly all: () => readonly InstalledPlugin[];
    readonly find: (id: string) => InstalledPlugin | undefined;
  };
  readonly choices: Pick<ProviderChoices, 'all' | 'choose' | 'claim' | 'drop'>;
  readonly finder: Pick<ProviderFinder, 'list' | 'refresh' | 'unserved'>;
  readonly log: Log;
}

/** Creates the settlement; nothing is written yet. */
export function createProviderSettlement(parts: ProviderSettlementParts): ProviderSettlement {
  const { installed, choices, finder, log } = parts;

  async function settleAll(): Promise<void> {
    finder.refresh();
    const gone = [...choices.all()].filter(
      ([, pluginId]) => installed.find(pluginId) === undefined,
    );
    await choices.drop(gone.map(([key]) => key));
    finder.refresh();
    for (const plugin of installed.all()) await claimFor(plugin);
  }

  async function claimFor(plugin: InstalledPlugin): Promise<void> {
    if (plugin.package.type === 'builtin') return;
    const keys = (plugin.granted.serves ?? []).filter(isExclusiveKey);
    await choices.claim(finder.unserved(keys), plugin.id);
    finder.refresh();
  }

  async function evenIfItFails(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      log.error({ err: error }, 'The providers could not be settled.');
    }
  }

  async function choose(
    key: string,
    pluginId: string,
    alongside?: Parameters<Providers['choose']>[2],
  ): Promise<ProvidedKey> {
    const known = finder.list().find((one) => one.key === key);
    if (!known) throw new KernelError('not_found', `A plugin that serves ${quoted(key)}`);
    if (!known.candidates.includes(pluginId)) {
      const who = known.candidates.join(', ');
      const what = `pluginId: ${quoted(pluginId)} was not granted ${key}; right is ${who}.`;
      throw new KernelError('invalid_argument', what);
    }
    await choices.choose(key, pluginId, alongside);
    finder.refresh();
    return finder.list().find((one) => one.key === key) ?? known;
  }

  return {
    choose,
    settleAll,
    resettle: () => evenIfItFails(settleAll()),
    settle: (plugin) => evenIfItFails(claimFor(plugin)),
  };
}
