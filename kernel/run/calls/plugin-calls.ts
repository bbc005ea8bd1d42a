/**
 * `host.plugins`: one plugin calls a method that another one exports. Guarantees: a plugin calls only
 * what an admin granted; what crosses fits the schemas of the method and is bounded in size, in both
 * directions; the called plugin touches no more than the caller and its viewer may touch; a chain of
 * calls ends after four, so that plugins that call each other cannot hold each other for ever.
 */
import { createKeyedTokenBuckets } from '../../../packages/lib/concurrency/index.ts';
import type { CallChain } from '../../call/call-chain.ts';
import type { Dispatcher } from '../../call/dispatch.ts';
import { KernelError } from '../../errors.ts';
import { handlerOf } from '../../call/failure.ts';
import { quoted } from '../../foreign-text.ts';
import { hostService, type HostCaller } from '../../call/host-service.ts';
import { jsonTextFault } from '../../json-limits.ts';
import type { Outcome } from '../../call/outcome.ts';
import type { ExportedMethod } from '../../../plugin-api/index.ts';
import { withheldCode } from '../../call/scoped-dispatch.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import { createMethodChecks } from './method-check.ts';

/** Calls of exported methods. */
export type PluginCalls = ReturnType<typeof createPluginCalls>;

/** One call of an exported method. */
export interface ExportedCall {
  readonly plugin: string;
  readonly method: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** 10 000 when absent. */
  readonly timeoutMs?: number;
}

/** Who causes a call. */
export type CallCause = Pick<HostCaller, 'pluginId' | 'reach' | 'viewer' | 'chain'>;

export interface PluginCallsParts {
  readonly find: (pluginId: string) => InstalledPlugin | undefined;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  /** Milliseconds; only differences count. */
  readonly clock?: () => number;
}

/** Sizes are characters of JSON. */
const limits = {
  answerLength: 262_144,
  depth: 4,
  perCaller: 16,
  perCallee: 32,
  usualMs: 10_000,
} as const;

const inputDepth = 24;
const callRate = { capacity: 200, refill: 100, everyMs: 1000 } as const;
const mostBuckets = 1000;

/** Creates them; no plugin is called yet. */
export function createPluginCalls({
  find,
  dispatcher,
  clock = () => performance.now(),
}: PluginCallsParts) {
  const checkOf = createMethodChecks();
  const rates = createKeyedTokenBuckets(callRate, { mostKeys: mostBuckets, now: clock });
  const callers = createUnderWay(limits.perCaller, (id) => `calls of ${id} are`);
  const callees = createUnderWay(limits.perCallee, (id) => `calls of other plugins into ${id} are`);

  /**
   * Calls an exported method for a caller that is allowed to. Throws a `KernelError` for each
   * failure.
   */
  async function call(given: ExportedCall, caller: CallCause): Promise<unknown> {
    const { plugin, method, input = {}, timeoutMs = limits.usualMs } = given;
    const name = nameOf(given);
    const chain = chainOf(caller);
    const callee = find(plugin);
    if (!callee) throw new KernelError('not_found', `Plugin ${plugin}`);
    const exported = callee.package.manifest.exports?.find((one) => one.name === method);
    if (!exported) throw new KernelError('not_found', `Method ${method} of plugin ${plugin}`);
    const check = checkOf(exported);
    const fault = check.input(input);
    if (fault !== null) throw new KernelError('invalid_argument', `${name}: ${fault}`);
    if (!callee.isRunning) throw new KernelError('plugin_not_running', plugin);
    const waitMs = rates.take(caller.pluginId);
    if (waitMs > 0)
      throw new KernelError(
        'quota_exceeded',
        `Too many calls of other plugins; the next is possible in ${waitMs} ms.`,
      );
    return callers.during(caller.pluginId, () =>
      callees.during(plugin, async () => {
        const outcome = await dispatcher.dispatch({
          pluginId: plugin,
          method: 'export.call',
          name: method,
          inputJson: JSON.stringify({ method, call: { caller: caller.pluginId, input } }),
          viewer: caller.viewer ?? undefined,
          chain,
          timeoutMs,
          maxReplyLength: limits.answerLength,
        });
        return answerOf(outcome, { callee, exported, name, timeoutMs, check });
      }),
    );
  }

  const service = hostService('plugins', {
    call: {
      subject: nameOf,
      run: async (given, caller) => {
        const name = nameOf(given);
        if (caller.granted.calls?.includes(name) !== true)
          throw new KernelError('permission_denied', `calls: ${quoted(name)}`);
        return call(given, caller);
      },
    },
  });
  return {
    /** `host.plugins`. */
    service,
    call,
  };
}

/** As the permission spells it. */
const nameOf = ({ plugin, method }: ExportedCall): string => `${plugin}:${method}`;

/** The chain for a call of this caller. Throws when it is too deep. */
function chainOf({ pluginId, reach, chain }: CallCause): CallChain {
  const callers = [...(chain?.callers ?? []), pluginId];
  if (callers.length <= limits.depth) return { callers, reach };
  throw new KernelError(
    'conflict',
    `Plugins call each other more than ${limits.depth} deep: ${callers.join(', ')}.`,
  );
}

interface Asked {
  readonly callee: Pick<InstalledPlugin, 'noteFailure'>;
  readonly exported: ExportedMethod;
  readonly name: string;
  readonly timeoutMs: number;
  readonly check: ReturnType<ReturnType<typeof createMethodChecks>>;
}

/** The checked answer. A wrong one is a failure of the called plugin, and is not passed on. */
function answerOf(outcome: Outcome, { callee, exported, name, timeoutMs, check }: Asked): unknown {
  switch (outcome.kind) {
    case 'returned': {
      const { value, durationMs } = outcome;
      const fault =
        value instanceof Uint8Array ? 'The answer is bytes, not JSON.' : faultOf(value, check);
      if (fault === null) return value;
      const handler = handlerOf({ method: 'export.call', name: exported.name });
      callee.noteFailure({ kind: 'reply-refused', handler, message: fault, durationMs });
      throw new KernelError('plugin_failed', `${name}: ${fault}`);
    }
    case 'threw':
      if (outcome.code === withheldCode)
        throw new KernelError('permission_denied', `the resource that ${name} concerns`);
      if (outcome.code === 'plugin_not_running')
        throw new KernelError('plugin_not_running', name.slice(0, name.lastIndexOf(':')));
      throw new KernelError(
        'plugin_failed',
        `${name}: ${codeText(outcome.code)}${outcome.message}`,
      );
    case 'timed-out':
      throw new KernelError('plugin_failed', `${name}: no answer in ${timeoutMs} ms.`);
    case 'unknown-handler':
      throw new KernelError('plugin_failed', `${name}: the plugin has no handler for it.`);
  }
}

/** A value that the schema leaves open may still be too deep or have a dangerous key. */
function faultOf(value: unknown, check: Asked['check']): string | null {
  const unsafe = jsonTextFault(JSON.stringify(value), {
    maxLength: limits.answerLength,
    maxDepth: inputDepth,
  });
  return unsafe === null ? check.output(value) : `The answer ${unsafe}.`;
}

/** A code that the plugin chose itself tells the caller more than that it failed. */
const codeText = (code: string): string => (code === 'plugin_error' ? '' : `${code}: `);

/** Counts what is under way by plugin, and refuses more than `most`. */
function createUnderWay(most: number, whose: (pluginId: string) => string) {
  const counts = new Map<string, number>();
  async function during<Given>(pluginId: string, run: () => Promise<Given>): Promise<Given> {
    const before = counts.get(pluginId) ?? 0;
    if (before >= most)
      throw new KernelError('overloaded', `${most} ${whose(pluginId)} under way; try again later.`);
    counts.set(pluginId, before + 1);
    try {
      return await run();
    } finally {
      const left = (counts.get(pluginId) ?? 1) - 1;
      if (left > 0) counts.set(pluginId, left);
      else counts.delete(pluginId);
    }
  }
  return { during };
}
