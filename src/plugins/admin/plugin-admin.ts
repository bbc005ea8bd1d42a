import type { DispatchViewer } from '../../../kernel/index.ts';
import type {
  Actions,
  AlongsideChange,
  Configuration,
  GivenGrant,
  Grants,
  Lifecycle,
  Plugin,
  PluginPermissions,
  ProvidedKey,
  Providers,
} from '../../../kernel/run/index.ts';
import { isFullAdmin, type Viewer } from '../../people/viewer/index.ts';
import type { Audit, AuditDetail } from '../../platform/audit/index.ts';
import { AppError } from '../../platform/errors.ts';
import type { ViewerRateLimit } from './viewer-rate-limit.ts';

export interface PluginAdminParts {
  readonly plugins: {
    readonly lifecycle: Pick<Lifecycle, 'enable' | 'disable' | 'restart' | 'rescan'>;
    readonly configuration: Pick<Configuration, 'get' | 'set'>;
    readonly grants: Pick<Grants, 'get' | 'set'>;
    readonly providers: Pick<Providers, 'of' | 'choose'>;
    readonly actions: Pick<Actions, 'of' | 'callText'>;
  };
  readonly audit: Audit;
  /** Whether a viewer may send this to a plugin: they may see everything that it names. */
  readonly maySend: (viewer: Viewer, params: Readonly<Record<string, unknown>>) => Promise<boolean>;
  readonly toPlugins: (viewer: Viewer) => DispatchViewer;
  readonly pace: Pick<ViewerRateLimit, 'take'>;
}

/** The acts of an admin on plugins. Each act has an entry in the audit log, or does not happen. */
export class PluginAdmin {
  readonly #parts: PluginAdminParts;

  constructor(parts: PluginAdminParts) {
    this.#parts = parts;
  }

  #noted(...what: Parameters<typeof entry>): AlongsideChange {
    return (trx, change) => this.#parts.audit.inTransaction(trx, { ...entry(...what), change });
  }

  readonly enable = (id: string, viewer: Viewer): Promise<Plugin> =>
    this.#parts.plugins.lifecycle.enable(id, this.#noted(viewer, 'enabled', id));

  readonly disable = (id: string, viewer: Viewer): Promise<Plugin> =>
    this.#parts.plugins.lifecycle.disable(id, this.#noted(viewer, 'disabled', id));

  readonly restart = async (id: string, viewer: Viewer): Promise<Plugin> => {
    const plugin = await this.#parts.plugins.lifecycle.restart(id);
    await this.#parts.audit.record({ ...entry(viewer, 'restarted', id), change: 'event' });
    return plugin;
  };

  /** Loads the changes in the folders of local plugins. */
  readonly rescan = async (viewer: Viewer): ReturnType<Lifecycle['rescan']> => {
    const rescan = await this.#parts.plugins.lifecycle.rescan();
    const ids = (some: readonly Plugin[]) => some.map(({ id }) => id);
    const [found, changed] = [ids(rescan.found), ids(rescan.changed)];
    await this.#parts.audit.record({
      actor: viewer,
      action: 'plugin.rescanned',
      change: 'event',
      target: null,
      details: { found, changed, removed: rescan.removed },
    });
    return rescan;
  };

  readonly configure = async (
    id: string,
    values: Readonly<Record<string, unknown>>,
    viewer: Viewer,
  ): Promise<Plugin> => {
    const { plugins } = this.#parts;
    const keys = changedKeys(plugins.configuration.get(id), values);
    return plugins.configuration.set(id, values, this.#noted(viewer, 'configured', id, { keys }));
  };

  readonly grant = async (
    id: string,
    { granted, reach }: GivenGrant,
    viewer: Viewer,
  ): Promise<PluginPermissions> => {
    const { plugins } = this.#parts;
    const before = plugins.grants.get(id);
    const details = {
      before: permissionsDetail(before.granted),
      granted: permissionsDetail(granted),
      librariesBefore: permissionsDetail(before.reach),
      libraries: permissionsDetail(reach ?? before.reach),
    };
    const alongside = this.#noted(viewer, 'granted', id, details);
    return plugins.grants.set(id, granted, { reach, alongside });
  };

  /** Makes a plugin the provider of a capability that it was granted. */
  readonly chooseProvider = (
    key: string,
    pluginId: string,
    viewer: Viewer,
  ): Promise<ProvidedKey> => {
    const { plugins } = this.#parts;
    const details = { key, before: plugins.providers.of(key) ?? null };
    return plugins.providers.choose(
      key,
      pluginId,
      this.#noted(viewer, 'provider_chosen', pluginId, details),
    );
  };

  /**
   * Also for users, where the manifest allows it. Returns the reply as JSON text. Throws
   * `forbidden` for an action for admins, `too_many_requests`, and `not_found` for parameters that
   * the viewer may not see, or an unknown action.
   */
  readonly callAction = async (
    id: string,
    rpcMethod: string,
    params: Readonly<Record<string, unknown>>,
    viewer: Viewer,
  ): Promise<string> => {
    const { plugins, pace, maySend, audit, toPlugins } = this.#parts;
    const declared = plugins.actions.of(id).find(({ name }) => name === rpcMethod);
    if (declared?.access === 'admin' && !isFullAdmin(viewer)) {
      const what = `The action ${rpcMethod} of plugin ${id} is for admins of the whole server.`;
      throw new AppError('forbidden', { what });
    }
    pace.take(viewer, id);
    if (!(await maySend(viewer, params)))
      throw new AppError('not_found', { what: 'A resource in the parameters of the action' });
    // Recorded before the call, because a call that fails may have had effects.
    if (declared) {
      const countedAs = `${id} ${rpcMethod}`;
      await audit.record({
        ...entry(viewer, 'action_called', id, { method: rpcMethod }),
        change: 'event',
        countedAs,
      });
    }
    return plugins.actions.callText(id, rpcMethod, params, toPlugins(viewer));
  };
}

const entry = (
  actor: Viewer,
  action: string,
  id: string,
  details: Readonly<Record<string, AuditDetail>> = {},
) => ({ actor, action: `plugin.${action}`, target: { type: 'plugin', id }, details });

/** The keys that an admin changes, never the values, which may be secrets. `***` keeps a secret. */
function changedKeys(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
}

/** Permissions as JSON; `null` = no decision yet. */
const permissionsDetail = (permissions: unknown): AuditDetail =>
  JSON.parse(JSON.stringify(permissions ?? null)) as AuditDetail;
