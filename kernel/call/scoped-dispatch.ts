/**
 * Checks the reach of a plugin before every call into it. Out of reach, an event, a hook or a view
 * ends as if the plugin had answered with nothing; any other call is refused with a code that no
 * plugin can produce. Verdicts on events are made one at a time, so that events start in the order of
 * emission.
 */
import { createKeyedSerialQueue } from '../../packages/lib/concurrency/index.ts';
import type { DispatchCall, Dispatcher } from './dispatch.ts';
import type { Outcome } from './outcome.ts';
import type { HiddenScopes, Narrowed, Reach, ReachPolicy } from './reach.ts';

/** The code of a withheld call. A plugin's own codes have no hyphen. */
export const withheldCode = 'out-of-reach';

export interface ScopedDispatchParts {
  readonly reachOf: (pluginId: string) => Reach;
  /** Whether the plugin is part of the server; nothing is hidden from it. */
  readonly isOwn: (pluginId: string) => boolean;
  readonly judge: Pick<ReachPolicy, 'canReceive' | 'hidden'>;
}

const nothing = { kind: 'returned', value: null, durationMs: 0 } as const;

const refused: Outcome = {
  kind: 'threw',
  code: withheldCode,
  message: 'The plugin was not granted the resource that this call concerns.',
  durationMs: 0,
};

/** Methods whose withheld calls end as answered with nothing. */
const silent: ReadonlySet<string> = new Set(['event.dispatch', 'hook.dispatch', 'view.dispatch']);

/** A dispatcher that checks the reach of each plugin. */
export function scopedDispatcher(
  dispatcher: Dispatcher,
  { reachOf, isOwn, judge }: ScopedDispatchParts,
): Dispatcher {
  /** Pending verdicts on events, by plugin. */
  const verdicts = createKeyedSerialQueue<string>();

  async function verdict(
    reach: Narrowed,
    { method, name, subject, inputJson }: DispatchCall,
  ): Promise<boolean> {
    try {
      const input: unknown = JSON.parse(inputJson);
      return await judge.canReceive(reach, { method, name: name ?? null, input, subject });
    } catch {
      // A policy that fails has not allowed the call.
      return false;
    }
  }

  async function narrowed(reach: Narrowed, call: DispatchCall): Promise<Outcome> {
    if (call.method === 'hook.dispatchAll') return many(reach, call);
    const may =
      call.method === 'event.dispatch'
        ? await verdicts.run(call.pluginId, () => verdict(reach, call))
        : await verdict(reach, call);
    if (may) return dispatcher.dispatch(call);
    return silent.has(call.method) ? nothing : refused;
  }

  /** An event for a plugin with a grant of everything, which does not include hidden scopes. */
  async function unhidden(hidden: HiddenScopes, call: DispatchCall): Promise<Outcome> {
    const may = await verdicts.run(call.pluginId, async () => {
      try {
        const event = JSON.parse(call.inputJson) as { readonly type: string };
        return !(await hidden.isIn(event, call.pluginId));
      } catch {
        return false;
      }
    });
    return may ? dispatcher.dispatch(call) : nothing;
  }

  /** Sends only the inputs in reach; the other inputs get no change. */
  async function many(reach: Narrowed, call: DispatchCall): Promise<Outcome> {
    const { name, inputs } = JSON.parse(call.inputJson) as {
      readonly name: string;
      readonly inputs: readonly unknown[];
    };
    const method = 'hook.dispatch';
    const may = await Promise.all(
      inputs.map((input) =>
        verdict(reach, { ...call, method, inputJson: JSON.stringify({ name, input }) }),
      ),
    );
    if (may.every(Boolean)) return dispatcher.dispatch(call);
    const asked = inputs.filter((_, index) => may[index]);
    if (asked.length === 0) return { ...nothing, value: inputs.map(() => ({ value: null })) };
    const inputJson = JSON.stringify({ name, inputs: asked });
    const outcome = await dispatcher.dispatch({ ...call, inputJson });
    if (outcome.kind !== 'returned' || !Array.isArray(outcome.value)) return outcome;
    const answers = (outcome.value as readonly unknown[]).values();
    return {
      ...outcome,
      value: may.map((isAsked) => (isAsked ? answers.next().value : { value: null })),
    };
  }

  return {
    ...dispatcher,
    dispatch: (call) => {
      const reach = reachOf(call.pluginId);
      if (reach !== 'all') return narrowed(reach, call);
      const { hidden } = judge;
      const isHeld =
        call.method === 'event.dispatch' && hidden?.any() === true && !isOwn(call.pluginId);
      return isHeld ? unhidden(hidden, call) : dispatcher.dispatch(call);
    },
  };
}
