/**
 * Calls a subscriber with one input or many. Many inputs share one call, since most of the cost of a
 * call is crossing the boundary. Guarantee: the result of one input does not affect the others. When
 * a call with many inputs fails as a whole, each input is sent alone, as its second and last try. A
 * plugin that fails or is slow with many inputs gets fewer of them per call for a while.
 */
import type { HookName } from '../../../plugin-api/index.ts';
import type { Dispatcher } from '../dispatch.ts';
import type { Outcome } from '../outcome.ts';
import { waitForRestart } from './wait-for-restart.ts';

/** The deadline of a subscriber. */
export const timeoutMs = 30_000;

export interface HookSubscriber {
  readonly pluginId: string;
  readonly name: HookName;
  /** The resource that all inputs concern, where they do not name it. */
  readonly subject?: unknown;
}

/** Calls subscribers. */
export type BatchedDispatch = ReturnType<typeof createBatchedDispatch>;

const maxDeltaLength = 2 * 1024 * 1024;
/** The limit of a call with many inputs; a body may be twice as long. */
const maxTogetherLength = 4 * 1024 * 1024;
const mostTogether = 32;
const longMs = 500;

export function createBatchedDispatch(dispatcher: Pick<Dispatcher, 'dispatch' | 'isRunning'>) {
  /** How many inputs each plugin gets in one call. */
  const sizes = new Map<string, number>();

  function dispatch(hook: HookSubscriber, method: string, body: string) {
    const call = { ...hook, method, timeoutMs, maxReplyLength: maxDeltaLength };
    return dispatcher.dispatch({ ...call, inputJson: `{"name":"${hook.name}",${body}}` });
  }

  const askOnce = (hook: HookSubscriber, input: string): Promise<Outcome> =>
    dispatch(hook, 'hook.dispatch', `"input":${input}`);

  /** Tries once more after a throw or a time-out; after a crash, waits until the plugin runs again. */
  async function askAgain(hook: HookSubscriber, input: string, first: Outcome): Promise<Outcome> {
    if (first.kind !== 'threw' && first.kind !== 'timed-out') return first;
    if (isCrash(first)) await waitForRestart(hook.pluginId, dispatcher);
    return askOnce(hook, input);
  }

  async function askAlone(hook: HookSubscriber, input: string): Promise<Outcome> {
    return askAgain(hook, input, await askOnce(hook, input));
  }

  async function askTogether(
    hook: HookSubscriber,
    inputs: readonly string[],
  ): Promise<readonly Outcome[]> {
    const { pluginId } = hook;
    const body = `"inputs":[${inputs.join(',')}]`;
    const whole = await dispatch(hook, 'hook.dispatchAll', body);
    if (whole.kind === 'unknown-handler') return inputs.map(() => whole);
    const answers = answersIn(whole, inputs.length);
    resize(pluginId, inputs.length, answers !== null && whole.durationMs < longMs);
    const ask = isLost(whole) ? askOnceMore : askAlone;
    const outcomes: Outcome[] = [];
    let last: Outcome = whole;
    for (const [at, input] of inputs.entries()) {
      if (isCrash(last)) await waitForRestart(pluginId, dispatcher);
      const first = answers?.[at];
      last = await (first === undefined ? ask(hook, input) : askAgain(hook, input, first));
      outcomes.push(last);
    }
    return outcomes;
  }

  /** One of the inputs ended the call with many. Alone, it has its second try and no third one. */
  async function askOnceMore(hook: HookSubscriber, input: string): Promise<Outcome> {
    const outcome = await askOnce(hook, input);
    return isLost(outcome) ? outcome : askAgain(hook, input, outcome);
  }

  function resize(pluginId: string, asked: number, isWell: boolean): void {
    const size = isWell ? (sizes.get(pluginId) ?? mostTogether) * 2 : Math.ceil(asked / 2);
    sizes.set(pluginId, Math.max(1, Math.min(mostTogether, size)));
  }

  return {
    /** One outcome for each input, in their order. Inputs are JSON. */
    ask: async (hook: HookSubscriber, inputs: readonly string[]): Promise<readonly Outcome[]> => {
      const { pluginId } = hook;
      const groups = groupsOf(inputs, sizes.get(pluginId) ?? mostTogether);
      const outcomes = await Promise.all(
        groups.map(async (group) => {
          const [first, ...others] = group;
          if (first === undefined || others.length > 0) return askTogether(hook, group);
          const outcome = await askAlone(hook, first);
          if (inputs.length > 1) resize(pluginId, 1, outcome.durationMs < longMs);
          return [outcome];
        }),
      );
      return outcomes.flat();
    },
  };
}

const isCrash = (outcome: Outcome): boolean =>
  outcome.kind === 'threw' && outcome.code === 'plugin_crashed';

/** Whether the call ended without an answer of the handler. */
const isLost = (outcome: Outcome): boolean => isCrash(outcome) || outcome.kind === 'timed-out';

/** Groups of at most `size` inputs that fit into a call. */
function groupsOf(inputs: readonly string[], size: number): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let room = 0;
  for (const input of inputs) {
    const last = groups.at(-1);
    if (last === undefined || last.length === size || input.length > room) {
      groups.push([input]);
      room = maxTogetherLength - input.length;
    } else {
      last.push(input);
      room -= input.length;
    }
  }
  return groups;
}

/**
 * The outcome of each input; `null` when the reply is not one entry for each. An input that failed is
 * sent again alone, so its error is not read here.
 */
function answersIn(whole: Outcome, count: number): readonly Outcome[] | null {
  if (whole.kind !== 'returned' || !Array.isArray(whole.value)) return null;
  const answers = whole.value as readonly unknown[];
  if (answers.length !== count) return null;
  const { durationMs } = whole;
  return answers.map((answer): Outcome => {
    if (typeof answer !== 'object' || answer === null || 'error' in answer)
      return { kind: 'threw', code: 'plugin_error', message: '', durationMs };
    return { kind: 'returned', value: 'value' in answer ? answer.value : null, durationMs };
  });
}
