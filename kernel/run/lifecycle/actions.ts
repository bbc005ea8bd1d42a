import type { ActionDeclaration } from '../../../plugin-api/index.ts';
import type { Dispatcher } from '../../call/dispatch.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import { withheldCode } from '../../call/scoped-dispatch.ts';
import { suspendedCode } from '../../call/suspended-dispatch.ts';
import { declaredActions } from '../manifest/declared-actions.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { InstalledPlugins } from '../registry/installed-plugins.ts';

/** Calls an action that the manifest of a plugin lists. */
type Call<Answer> = (
  id: string,
  rpcMethod: string,
  params: Readonly<Record<string, unknown>>,
  /** The person who calls; absent when no person does. */
  viewer?: DispatchViewer,
) => Promise<Answer>;

/** The actions of plugins: methods that pages call. */
export interface Actions {
  /** The actions in the plugin's manifest; empty for an unknown plugin. */
  readonly of: (id: string) => readonly ActionDeclaration[];
  /**
   * Calls an action. Throws `not_found`, `plugin_not_running`, `handler_suspended` or
   * `plugin_failed`.
   */
  readonly call: Call<unknown>;
  /** The same, with the answer as unparsed JSON text. */
  readonly callText: Call<string>;
}

export interface ActionsParts {
  readonly installed: Pick<InstalledPlugins, 'find' | 'get'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
}

/** Creates the actions of the installed plugins. */
export function createActions({ installed, dispatcher }: ActionsParts): Actions {
  const callText: Actions['callText'] = async (id, rpcMethod, params, viewer) =>
    callAction(installed.get(id), { rpcMethod, params, viewer }, dispatcher);
  return {
    of: (id) => declaredActions(installed.find(id)?.package.manifest ?? {}),
    call: async (...call) => JSON.parse(await callText(...call)) as unknown,
    callText,
  };
}

interface ActionCall {
  readonly rpcMethod: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly viewer?: DispatchViewer | undefined;
}

const timeoutMs = 30_000;
const maxReplyLength = 1024 * 1024;

/**
 * Calls an action that the plugin's manifest lists, and returns its answer as JSON text, which the
 * server only passes on. Throws a `KernelError` for every failure.
 */
async function callAction(
  plugin: InstalledPlugin,
  { rpcMethod, params, viewer }: ActionCall,
  dispatcher: Pick<Dispatcher, 'dispatch'>,
): Promise<string> {
  const { id } = plugin;
  if (!declaredActions(plugin.package.manifest).some(({ name }) => name === rpcMethod)) {
    throw new KernelError('not_found', `Action ${quoted(rpcMethod)} of plugin ${id}`);
  }
  if (!plugin.isRunning) throw new KernelError('plugin_not_running', id);
  const outcome = await dispatcher.dispatch({
    pluginId: id,
    method: 'action.run',
    name: rpcMethod,
    inputJson: JSON.stringify({ method: rpcMethod, params }),
    viewer,
    timeoutMs,
    asText: true,
    maxReplyLength,
  });
  switch (outcome.kind) {
    case 'returned':
      return String(outcome.value);
    case 'threw':
      throw thrown(outcome, { id, rpcMethod });
    case 'timed-out':
      throw new KernelError('plugin_failed', `${rpcMethod} of plugin ${id} took over 30 s.`);
    case 'unknown-handler':
      throw new KernelError('plugin_failed', `Plugin ${id} has no handler for ${rpcMethod}.`);
  }
}

/** A call that never reached the plugin is not its failure, and may be repeated later. */
export function thrown(
  { code, message }: { readonly code: string; readonly message: string },
  { id, rpcMethod }: { readonly id: string; readonly rpcMethod: string },
): KernelError {
  switch (code) {
    case withheldCode:
      return new KernelError('permission_denied', `the resource that ${rpcMethod} concerns`);
    case suspendedCode:
      return new KernelError('handler_suspended', message);
    case 'plugin_not_running':
      return new KernelError('plugin_not_running', id);
    default:
      return new KernelError('plugin_failed', message);
  }
}
