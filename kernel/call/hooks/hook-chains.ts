/**
 * Hook chains: subscribers run one after the other in ascending order, and each sees what those
 * before it wrote. Invariant: a chain always ends with an output; a subscriber adds only the keys of
 * its delta that are valid, or changes nothing. A throw or a time-out is tried once more. An invalid delta is not, since
 * the same input would give it again.
 */
import type { HookCatalogue, HookName, HookSubscription } from '../../../plugin-api/index.ts';
import type { Dispatcher } from '../dispatch.ts';
import { KernelError } from '../../errors.ts';
import type { Failure, NoteFailure } from '../failure.ts';
import { quoted } from '../../foreign-text.ts';
import type { Undo } from '../host-service.ts';
import type { Log } from '../../log.ts';
import type { Outcome } from '../outcome.ts';
import { suspendedCode } from '../suspended-dispatch.ts';
import {
  createHookRules,
  type HookOutputs,
  type HookRuleOf,
  type HookStates,
} from './hook-rules.ts';
import type { Provenance } from './provenance.ts';
import { createBatchedDispatch, timeoutMs } from './batched-dispatch.ts';
import { inOrder, toSubscriber, type Subscriber } from './subscribers.ts';

/** A subscriber that failed, so that its turn changed nothing. */
export interface SkippedSubscriber {
  readonly pluginId: string;
  /** `invalid_delta`, `timed_out`, or the code that the plugin threw. */
  readonly code: string;
  /** A sentence for the admin and the plugin's author. */
  readonly reason: string;
}

/** A subscriber that answered, possibly with nothing. */
export interface HookAnswer<Name extends HookName> {
  readonly pluginId: string;
  readonly delta: HookCatalogue[Name]['delta'] | null;
}

/** How a chain ended. */
export interface HookRun<Name extends HookName> {
  /** The input with every delta merged into it. The input itself is unchanged. */
  readonly output: HookOutputs[Name];
  /** One entry for each path that a plugin wrote; the later writer when there are two. */
  readonly provenance: readonly Provenance[];
  /** In the order of their turns. */
  readonly answers: readonly HookAnswer<Name>[];
  readonly skipped: readonly SkippedSubscriber[];
}

export interface HookChainsParts {
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /** Called for deltas that are refused or dropped. */
  readonly onFailure?: NoteFailure;
}

/** How a plugin takes part in a hook. */
export interface HookPart {
  /** It is called like the others, but its deltas are dropped. */
  readonly isObserver?: boolean;
}

/** A chain while it runs. */
interface Turn<Name extends HookName> {
  state: HookStates[Name];
  /** The state as JSON; null after a change. */
  stateJson: string | null;
  readonly writers: Map<string, string>;
  readonly answers: HookAnswer<Name>[];
  readonly skipped: SkippedSubscriber[];
}

/** Runs hooks through their subscribers. */
export class HookChains {
  readonly #parts: HookChainsParts;
  readonly #rules = createHookRules();
  readonly #batched: ReturnType<typeof createBatchedDispatch>;
  readonly #subscribers = new Map<HookName, readonly Subscriber[]>();

  constructor(parts: HookChainsParts) {
    this.#parts = parts;
    this.#batched = createBatchedDispatch(parts.dispatcher);
  }

  /** Throws `invalid_argument` for an order outside 0 to 100 or an unknown hook. */
  readonly subscribe = (
    pluginId: string,
    subscription: HookSubscription,
    part: HookPart = {},
  ): Undo => {
    const { name } = subscription;
    if (!Object.hasOwn(this.#rules, name)) {
      throw new KernelError('invalid_argument', `Hook ${quoted(name)} is not in the catalogue.`);
    }
    const subscriber = toSubscriber(pluginId, subscription, part.isObserver);
    const before = this.#subscribers.get(name) ?? [];
    this.#subscribers.set(name, inOrder([...before, subscriber]));
    return () => {
      subscriber.isActive = false;
      const others = (this.#subscribers.get(name) ?? []).filter((other) => other.isActive);
      this.#subscribers.set(name, others);
    };
  };

  #chainOf(name: HookName): readonly Subscriber[] {
    return (this.#rules[name].isDispatched && this.#subscribers.get(name)) || [];
  }

  /** Runs a chain for each input, in their order. The chains run side by side and share calls. */
  readonly runAll = async <Name extends HookName>(
    name: Name,
    inputs: readonly HookCatalogue[Name]['input'][],
    subject?: unknown,
  ): Promise<readonly HookRun<Name>[]> => {
    const rule: HookRuleOf<Name> = this.#rules[name];
    const runs = inputs.map((input): Turn<Name> => ({
      state: rule.start(input),
      stateJson: null,
      writers: new Map(),
      answers: [],
      skipped: [],
    }));
    for (const subscriber of active(this.#chainOf(name))) {
      const { pluginId } = subscriber;
      const asked = runs.map((turn) => (turn.stateJson ??= JSON.stringify(turn.state)));
      const outcomes = await this.#batched.ask({ pluginId, name, subject }, asked);
      for (const [at, turn] of runs.entries()) {
        const outcome = outcomes[at];
        if (outcome !== undefined) this.#take(turn, name, subscriber, outcome);
      }
    }
    return runs.map(({ state, writers, answers, skipped }) => ({
      output: rule.finish(state),
      provenance: toProvenance(writers),
      answers,
      skipped,
    }));
  };

  #take<Name extends HookName>(
    turn: Turn<Name>,
    name: Name,
    { pluginId, isObserver }: Subscriber,
    outcome: Outcome,
  ): void {
    const rule: HookRuleOf<Name> = this.#rules[name];
    const answer = readAnswer(rule, isObserver ? asObserved(outcome) : outcome);
    const note = (kind: Failure['kind'], message: string): void =>
      this.#parts.onFailure?.(pluginId, {
        kind,
        handler: `hook ${name}`,
        message,
        durationMs: outcome.durationMs,
      });
    if (isObserver && outcome.kind === 'returned' && outcome.value !== null)
      note(
        'delta-not-granted',
        'It may read items but not change them: metadata: write was not granted.',
      );
    if (!answer.ok) {
      if (answer.code === invalidDelta) note('delta-refused', answer.reason);
      turn.skipped.push({ pluginId, code: answer.code, reason: answer.reason });
      // The suspension is already in its own log.
      if (answer.code !== suspendedCode)
        this.#parts.log.warn(
          { pluginId, hook: name, code: answer.code },
          skipText(pluginId, name, answer),
        );
      return;
    }
    for (const reason of answer.refused)
      note('delta-refused', `A key of the delta is left out: ${reason}.`);
    turn.answers.push({ pluginId, delta: answer.delta });
    if (answer.delta !== null) {
      for (const path of rule.paths(turn.state, answer.delta)) turn.writers.set(path, pluginId);
      turn.state = rule.merge(turn.state, answer.delta);
      turn.stateJson = null;
    }
  }

  /**
   * Rejects only for an input that is not JSON, never for a fault of a subscriber. `subject` is
   * the resource that the input concerns, where it does not name it. A subscriber that was not
   * granted it is not called.
   */
  readonly run = async <Name extends HookName>(
    name: Name,
    input: HookCatalogue[Name]['input'],
    subject?: unknown,
  ): Promise<HookRun<Name>> => {
    const [only] = await this.runAll(name, [input], subject);
    if (only === undefined) throw new TypeError('A chain ended without an output.');
    return only;
  };

  /**
   * Whether `run` would call a subscriber. Callers for whom the input is expensive check this
   * first.
   */
  readonly hasSubscribers = (name: HookName): boolean => this.#chainOf(name).length > 0;

  /** Whether a subscriber needs the files of the chain on the local disk. */
  readonly requiresLocalFile = (name: HookName): boolean =>
    this.#chainOf(name).some((subscriber) => subscriber.requiresLocalFile);
}

/** Creates chains without subscribers. */
export const createHookChains = (parts: HookChainsParts): HookChains => new HookChains(parts);

/** Subscribers that are still active when their turn comes. */
function* active(chain: readonly Subscriber[]): Generator<Subscriber> {
  for (const subscriber of chain) if (subscriber.isActive) yield subscriber;
}

const invalidDelta = 'invalid_delta';

type Answer<Name extends HookName> =
  | {
      readonly ok: true;
      readonly delta: HookCatalogue[Name]['delta'] | null;
      readonly refused: readonly string[];
    }
  | { readonly ok: false; readonly code: string; readonly reason: string };

/** An observer's answer changes nothing. */
function asObserved(outcome: Outcome): Outcome {
  return outcome.kind === 'returned' ? { ...outcome, value: null } : outcome;
}

function readAnswer<Name extends HookName>(rule: HookRuleOf<Name>, outcome: Outcome): Answer<Name> {
  switch (outcome.kind) {
    case 'unknown-handler':
      return { ok: true, delta: null, refused: [] };
    case 'timed-out':
      return {
        ok: false,
        code: 'timed_out',
        reason: `It gave no answer in ${timeoutMs / 1000} s, twice.`,
      };
    case 'threw':
      return { ok: false, code: outcome.code, reason: outcome.message };
    case 'returned': {
      const checked = rule.check(outcome.value);
      return checked.ok
        ? { ok: true, delta: checked.value, refused: checked.refused }
        : { ok: false, code: invalidDelta, reason: `The delta is invalid: ${checked.reason}.` };
    }
  }
}

function skipText(
  pluginId: string,
  name: HookName,
  { reason }: { readonly reason: string },
): string {
  return `Plugin ${pluginId} was skipped in ${name}: ${reason}`;
}

function toProvenance(writers: ReadonlyMap<string, string>): readonly Provenance[] {
  return [...writers].map(([path, pluginId]) => ({ pluginId, path }));
}
