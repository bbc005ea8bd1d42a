import type { Manifest, Permissions } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { Reach, ReachPolicy } from '../../call/reach.ts';
import type { ManifestReader } from '../manifest/manifest.ts';
import type { PluginPackage } from '../packages/discovery.ts';
import { consentTo } from '../powers/consent.ts';
import { interfaceSentence } from '../powers/interface-sentence.ts';
import type { DecidedPlugins } from '../settings/decided-plugins.ts';
import type { AlongsideChange, PluginSettings } from '../settings/plugin-store.ts';
import { judgeLastRun, type DryRun } from '../usage/dry-run.ts';
import type { Meter } from '../usage/meter.ts';
import { parseGrant, type GivenGrant } from './grant.ts';

/** What a plugin asks for, and what was granted; `null` before a decision. */
export interface PluginPermissions {
  readonly asked: Permissions;
  /** Why, in the language of the reader; those of `asked` when absent. */
  readonly reasons?: Readonly<Record<string, string>>;
  readonly granted: Permissions | null;
  /**
   * Before a decision: what consent to this version gives. What an admin held back of an earlier
   * version stays held back.
   */
  readonly proposed?: Permissions;
  /** What it may touch with that; before a decision, what it would be able to touch. */
  readonly reach: Reach;
  /** What it adds to the pages, in plain words; `null` = nothing. It needs no grant. */
  readonly adds: string | null;
}

export interface GrantOptions {
  /** What the plugin may touch, in the form of the reach policy; unchanged when absent. */
  readonly reach?: unknown;
  readonly alongside?: AlongsideChange;
}

/** What plugins ask for and what they may do. */
export interface Grants {
  /** Throws `not_found`. */
  readonly get: (id: string, locale?: string | null) => PluginPermissions;
  /** Takes effect at once, and starts a plugin that waited for it. Throws `invalid_argument`. */
  readonly set: (
    id: string,
    granted: unknown,
    options?: GrantOptions,
  ) => Promise<PluginPermissions>;
  /**
   * What the plugin could not have done in its last run with another grant, in the manifest's form;
   * for a version that asks for something else, with what that asks for. Changes nothing. Throws
   * `invalid_argument` for a grant beyond what is asked for.
   */
  readonly dryRun: (
    id: string,
    what: Partial<GivenGrant> & {
      readonly asked?: Permissions;
      /** The language of the reader; English when absent. */
      readonly locale?: string | null;
    },
  ) => Promise<DryRun>;
  /** What the plugin was granted; empty for an unknown one. */
  readonly powersOf: (id: string) => Permissions;
  /** What the plugin may touch; nothing for an unknown one. */
  readonly reachOf: (id: string) => Reach;
  /** Whether the plugin may receive events of this name. */
  readonly canReceive: (id: string, type: string) => boolean;
}

export interface GrantedPlugin {
  readonly package: PluginPackage;
  readonly manifestIn: (locale: string | null) => Manifest;
  readonly asked: Permissions;
  readonly granted: Permissions;
  readonly reach: Reach;
  readonly settings: PluginSettings;
  readonly awaitsGrant: boolean;
  readonly isUp: boolean;
  readonly meter: Meter;
  readonly supervisor: { readonly reattach: () => void };
  readonly canReceive: (type: string) => boolean;
  readonly note: (level: 'info', text: string) => void;
}

export interface GrantsParts<P extends GrantedPlugin> {
  readonly plugins: DecidedPlugins<P>;
  /** The plugin, if it may be changed now; else throws `conflict`. */
  readonly free: (id: string) => P;
  readonly order: {
    readonly restart: (plugin: P) => Promise<void>;
    readonly startIfReady: (plugin: P) => Promise<void>;
  };
  /** Called after a grant, before the plugin starts. Never rejects. */
  readonly onGrant: (plugin: P) => Promise<void>;
  readonly reader: ManifestReader;
  readonly judge: ReachPolicy;
  /** Bytes in the key-value store of a plugin. */
  readonly kvBytes: (id: string) => Promise<number>;
}

/** Creates the grants over the installed plugins. */
export function createGrants<P extends GrantedPlugin>(parts: GrantsParts<P>): Grants {
  const { plugins, free, order, reader, judge } = parts;

  function get(id: string, locale: string | null = null): PluginPermissions {
    const plugin = plugins.get(id);
    const { asked } = plugin;
    const granted = plugin.awaitsGrant ? null : plugin.granted;
    const reach = plugin.settings.grant === null ? 'all' : plugin.reach;
    const { reasons = {} } = plugin.manifestIn(locale).permissions;
    return {
      asked,
      reasons,
      granted,
      reach,
      adds: interfaceSentence(plugin.manifestIn(locale), locale),
      ...(granted === null && { proposed: consentTo(asked, plugin.settings.grant).granted }),
    };
  }

  async function set(
    id: string,
    granted: unknown,
    { reach, alongside }: GrantOptions = {},
  ): Promise<PluginPermissions> {
    const asking = free(id);
    assertNarrowable(asking, reach);
    const { grant: before } = asking.settings;
    const decided = { granted, reach };
    const wanted = { id, permissions: asking.asked };
    const given = await parseGrant(wanted, decided, { reader, judge, before });
    // Another version, which asks for something else, may have been installed meanwhile.
    const plugin = free(id);
    if (plugin !== asking) throw new KernelError('conflict', `Plugin ${id} has changed meanwhile.`);
    const hadWasm = plugin.granted.wasm;
    await plugins.decide(plugin, { grant: given }, alongside);
    await parts.onGrant(plugin);
    const where = plugin.reach === 'all' ? '' : ` for ${judge.text(plugin.reach)}`;
    plugin.note('info', `An admin granted ${JSON.stringify(plugin.granted)}${where}.`);
    // WebAssembly is set when an isolate is created; the gate checks all else at each call.
    if (plugin.isUp && hadWasm !== plugin.granted.wasm) await order.restart(plugin);
    else plugin.supervisor.reattach();
    await order.startIfReady(plugin);
    return get(id);
  }

  const dryRun: Grants['dryRun'] = async (id, { granted, reach, asked, locale = null }) => {
    const plugin = plugins.get(id);
    assertNarrowable(plugin, reach);
    const { manifest } = plugin.package;
    const permissions = asked ?? plugin.asked;
    const { grant: before } = plugin.settings;
    const given = { granted: granted ?? consentTo(permissions, before).granted, reach };
    const grant = await parseGrant({ id, permissions }, given, { reader, judge, before });
    return judgeLastRun({
      lastRun: plugin.meter.powers.lastRun(),
      granted: grant.granted,
      reach: grant.reach,
      judge,
      manifest: { ...manifest, permissions },
      kvBytes: await parts.kvBytes(id),
      locale,
    });
  };

  return {
    get,
    set,
    dryRun,
    powersOf: (id) => plugins.find(id)?.granted ?? {},
    reachOf: (id) => plugins.find(id)?.reach ?? [],
    canReceive: (id, type) => plugins.find(id)?.canReceive(type) ?? false,
  };
}

/** A built-in with a limited reach would leave some libraries without service. */
function assertNarrowable(
  { package: { manifest, type } }: Pick<GrantedPlugin, 'package'>,
  reach: unknown,
): void {
  if (type !== 'builtin' || reach === undefined || reach === 'all') return;
  const what = `Plugin ${manifest.id} is a part of the server, which works on all libraries.`;
  throw new KernelError('invalid_argument', what);
}
