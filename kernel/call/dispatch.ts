/**
 * One call to one plugin under a deadline. If the plugin answers, throws, hangs, dies or sends
 * something that is not JSON, the dispatch still ends once and in time, as an `Outcome`. It never
 * rejects. All other code that calls plugins relies on this and has no catch or timer of its own.
 */
import type { CallChain } from './call-chain.ts';
import type { DispatchViewer } from './dispatch-viewer.ts';
import { guestWords } from '../foreign-text.ts';
import { jsonTextFault } from '../json-limits.ts';
import { isJson } from '../json-text.ts';
import { silentLog, type Log } from '../log.ts';
import type { Outcome } from './outcome.ts';
import type { Body, PluginReply, RunningPlugin } from './running-plugin.ts';

/** One call to one plugin. */
export interface DispatchCall {
  readonly pluginId: string;
  readonly method: string;
  /** The name inside the method (an event, a hook, a view), for the log. */
  readonly name?: string;
  /** JSON text. The caller makes it once for all plugins that receive it. */
  readonly inputJson: string;
  /** The resource that the call concerns, where the input does not name it. For the reach policy. */
  readonly subject?: unknown;
  /** The person who caused the call; absent when no person did. */
  readonly viewer?: DispatchViewer | undefined;
  /** The plugins that caused the call; absent when no plugin did. */
  readonly chain?: CallChain | undefined;
  readonly timeoutMs: number;
  /** A plugin may be without a handler for it: that is neither counted nor logged. */
  readonly isOptional?: boolean | undefined;
  /** The reply is neither read nor parsed; the value is `null`. */
  readonly ignoresReply?: boolean;
  /**
   * The value is the JSON text of the reply, which is checked but not parsed: for replies that are
   * only passed on. Bytes are refused.
   */
  readonly asText?: boolean;
  /** A longer JSON reply is refused before it is read. 4 Mi code units when absent. */
  readonly maxReplyLength?: number;
}

/** Calls plugins. */
export interface Dispatcher {
  /** Never rejects. A JSON reply is parsed; bytes stay bytes. */
  readonly dispatch: (call: DispatchCall) => Promise<Outcome>;
  /** Whether a call made now would reach the plugin. */
  readonly isRunning: (pluginId: string) => boolean;
  /** How often the plugin had no handler for a call. */
  readonly unknownHandlers: (pluginId: string) => number;
}

export interface DispatcherParts {
  readonly find: (pluginId: string) => RunningPlugin | undefined;
  /** Called after every call has ended. `stack` is the plugin's own text. */
  readonly observe?: (call: DispatchCall, outcome: Outcome, stack?: string) => void;
  /** Milliseconds; only differences count. */
  readonly clock?: () => number;
  readonly log?: Log;
}

/** An outcome before its duration is known. */
type Ending =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly code: string; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'unknown-handler' };

/** A running plugin keeps the deadline itself. The dispatcher enforces it this much later. */
const graceMs = 50;
const usualMaxReplyLength = 4 * 1024 * 1024;
const maxReplyDepth = 64;

/** Creates the dispatcher over the plugins that run. */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { find, observe, clock = () => performance.now(), log = silentLog } = parts;
  const unknown = createUnknownHandlers(log);

  function dispatch(call: DispatchCall): Promise<Outcome> {
    const startedAt = clock();
    return new Promise((resolve) => {
      const plugin = find(call.pluginId);
      let isOver = false;

      function end(ending: Ending, stack?: string): void {
        if (isOver) return;
        isOver = true;
        clearTimeout(guard);
        const outcome = { ...ending, durationMs: clock() - startedAt };
        if (outcome.kind === 'unknown-handler' && call.isOptional !== true) unknown.count(call);
        resolve(outcome);
        observe?.(call, outcome, stack);
      }

      const guard = setTimeout(() => end({ kind: 'timed-out' }), call.timeoutMs + graceMs);
      if (!plugin) {
        end(notRunning(call.pluginId));
        return;
      }
      request(plugin, call).then(
        (reply) => end(endingOf(reply, call), reply.kind === 'threw' ? reply.stack : undefined),
        () => end(crashed),
      );
    });
  }

  return {
    dispatch,
    isRunning: (pluginId) => find(pluginId) !== undefined,
    unknownHandlers: unknown.total,
  };
}

/** A running plugin neither throws nor rejects; one that does counts as dead. */
function request(plugin: RunningPlugin, call: DispatchCall): Promise<PluginReply> {
  const { method, inputJson, timeoutMs, viewer, chain } = call;
  const caused = { ...(viewer && { viewer }), ...(chain && { chain }) };
  try {
    return plugin.call({ method, inputJson, timeoutMs, ...caused });
  } catch {
    return Promise.resolve({ kind: 'gone' });
  }
}

const crashed: Ending = {
  kind: 'threw',
  code: 'plugin_crashed',
  message: 'The plugin ended before it answered.',
};

function notRunning(pluginId: string): Ending {
  return {
    kind: 'threw',
    code: 'plugin_not_running',
    message: `Plugin ${pluginId} is not running.`,
  };
}

function endingOf(reply: PluginReply, call: DispatchCall): Ending {
  switch (reply.kind) {
    case 'returned':
      return call.ignoresReply ? { kind: 'returned', value: null } : readBody(reply.body, call);
    case 'threw':
      return { kind: 'threw', code: wireCode(reply.code), message: guestWords(reply.message) };
    case 'gone':
      return crashed;
    case 'timed-out':
    case 'unknown-handler':
      return reply;
  }
}

/** The value of a reply. An empty reply means that the handler returned nothing: `null`. */
function readBody(
  body: Body,
  { asText = false, maxReplyLength: maxLength = usualMaxReplyLength }: DispatchCall,
): Ending {
  if (body instanceof Uint8Array) {
    return asText
      ? refused("The plugin's answer is bytes; JSON is expected.")
      : { kind: 'returned', value: body };
  }
  if (body === '') return { kind: 'returned', value: asText ? 'null' : null };
  const fault = jsonTextFault(body, { maxLength, maxDepth: maxReplyDepth });
  if (fault !== null) return refused(`The plugin's answer ${fault}.`);
  if (asText) return isJson(body) ? { kind: 'returned', value: body } : noJson;
  try {
    return { kind: 'returned', value: JSON.parse(body) };
  } catch {
    return noJson;
  }
}

function refused(message: string): Ending {
  return { kind: 'threw', code: 'invalid_reply', message };
}

const noJson = refused("The plugin's answer is not JSON.");

function wireCode(code: string): string {
  return /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : 'plugin_error';
}

/** How many names per plugin are remembered as logged. Plugins can invent event names without limit. */
const maxLoggedNames = 200;

/** Counts calls without a handler, and logs each plugin and name once. */
function createUnknownHandlers(log: Log) {
  const byPlugin = new Map<string, { total: number; readonly logged: Set<string> }>();

  function count(call: DispatchCall): void {
    const { pluginId, method, name = method } = call;
    const record = byPlugin.get(pluginId) ?? { total: 0, logged: new Set() };
    byPlugin.set(pluginId, record);
    record.total += 1;
    if (record.logged.has(name) || record.logged.size >= maxLoggedNames) return;
    record.logged.add(name);
    log.warn({ pluginId, method, name }, `Plugin ${pluginId} has no handler for ${name}.`);
  }

  return { count, total: (pluginId: string) => byPlugin.get(pluginId)?.total ?? 0 };
}
