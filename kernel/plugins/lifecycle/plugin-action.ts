import type { Dispatcher } from '../../dispatch.ts';
import type { DispatchViewer } from '../../dispatch-viewer.ts';
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import { withheldCode } from '../../scoped-dispatch.ts';
import { declaredActions } from '../manifest/declared-actions.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';

/** One call of an action. */
export interface ActionCall {
  readonly rpcMethod: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The person who calls; absent when no person does. */
  readonly viewer?: DispatchViewer | undefined;
}

const timeoutMs = 30_000;
const maxReplyLength = 1024 * 1024;

/**
 * Calls an action that the plugin's manifest lists, and returns its answer as JSON text, which the
 * server only passes on. Throws a `KernelError` for every failure.
 */
export async function callAction(
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
      if (outcome.code === withheldCode)
        throw new KernelError('permission_denied', `the resource that ${rpcMethod} concerns`);
      throw new KernelError('plugin_failed', outcome.message);
    case 'timed-out':
      throw new KernelError('plugin_failed', `${rpcMethod} of plugin ${id} took over 30 s.`);
    case 'unknown-handler':
      throw new KernelError('plugin_failed', `Plugin ${id} has no handler for ${rpcMethod}.`);
  }
}
