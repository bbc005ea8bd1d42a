/**
 * Views: all subscribers are called at once, with 6 s and no retry. Their pieces are checked one by
 * one and joined in the order of plugin ids. Invariant: `collect` ends within the deadline with every
 * piece that was valid and in time. A fault of one plugin costs neither the pieces of others nor its
 * own valid ones.
 */
import type { ActionDeclaration, UISchema, ViewName } from '../../../plugin-api/index.ts';
import type { Dispatcher } from '../dispatch.ts';
import type { DispatchViewer } from '../dispatch-viewer.ts';
import type { NoteFailure } from '../failure.ts';
import type { Undo } from '../host-service.ts';
import type { Log } from '../../log.ts';
import type { Outcome } from '../outcome.ts';
import { suspendedCode } from '../suspended-dispatch.ts';
import { createPieceWording, type TextOf } from './piece-wording.ts';
import { actionIn, createUISchemaCheck } from './ui-schema-check.ts';

/** Counters of a view subscriber since the server started. */
export interface ViewCounters {
  /** Pieces that were invalid or too many. */
  readonly dropped: number;
  /** Calls that ended in a throw or a time-out. */
  readonly failed: number;
}

/** A piece with the id of its plugin, so that a client can call its action. */
export type ShownPiece = UISchema<string> & { readonly pluginId: string };

export interface ViewAggregatorParts {
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /** Called for pieces that are dropped. */
  readonly onFailure?: NoteFailure;
  /** The actions that the plugin's manifest lists. */
  readonly actionsOf: (pluginId: string) => readonly ActionDeclaration[];
  /** A text of the plugin's language files; absent = no plugin has any. */
  readonly textOf?: TextOf;
}

interface ViewSubscription {
  readonly pluginId: string;
  readonly names: readonly ViewName[];
}

interface Question {
  readonly name: ViewName;
  readonly inputJson: string;
  readonly viewer: DispatchViewer | undefined;
}

const timeoutMs = 6000;
const maxReplyLength = 512 * 1024;
const maxPieces = 50;

const noText: TextOf = () => ({ ok: false, reason: 'the plugin has no language files' });

/** Collects UI pieces from plugins. */
export class ViewAggregator {
  readonly #parts: ViewAggregatorParts;
  readonly #textOf: TextOf;
  readonly #checkPiece = createUISchemaCheck();
  readonly #subscriptions = new Set<ViewSubscription>();
  readonly #counts = new Map<string, { dropped: number; failed: number }>();

  constructor(parts: ViewAggregatorParts) {
    this.#parts = parts;
    this.#textOf = parts.textOf ?? noText;
  }

  readonly subscribe = (pluginId: string, names: readonly ViewName[]): Undo => {
    const subscription = { pluginId, names };
    this.#subscriptions.add(subscription);
    return () => void this.#subscriptions.delete(subscription);
  };

  /**
   * Never rejects; takes 6 s at most. The order is by plugin id, then each plugin's own. Pieces
   * whose action the viewer may not call are left out.
   */
  readonly collect = async (
    name: ViewName,
    context: object,
    viewer?: DispatchViewer,
  ): Promise<readonly ShownPiece[]> => {
    const pluginIds = this.askedFor(name);
    if (pluginIds.length === 0) return [];
    const inputJson = JSON.stringify({ slot: name, context });
    const pieces = await Promise.all(
      pluginIds.map((id) => this.#ask(id, { name, inputJson, viewer })),
    );
    return pieces.flat();
  };

  /** The subscribers of a view, by id. */
  readonly askedFor = (name: ViewName): readonly string[] => {
    const hearing = [...this.#subscriptions].filter(({ names }) => names.includes(name));
    return [...new Set(hearing.map(({ pluginId }) => pluginId))].sort();
  };

  async #ask(
    pluginId: string,
    { name, inputJson, viewer }: Question,
  ): Promise<readonly ShownPiece[]> {
    const outcome = await this.#parts.dispatcher.dispatch({
      pluginId,
      method: 'view.dispatch',
      name,
      inputJson,
      viewer,
      timeoutMs,
      maxReplyLength,
    });
    if (outcome.kind === 'returned') {
      const person = viewer?.shownTo(pluginId);
      const isAdmin = person === undefined || person.role === 'admin';
      const kept = this.#keepValid(pluginId, outcome.value, {
        name,
        locale: person?.locale ?? null,
      });
      return kept.filter((piece) => isAdmin || this.#isForUsers(piece));
    }
    if (outcome.kind !== 'unknown-handler') this.#reportFailure(pluginId, name, outcome);
    return [];
  }

  /** Whether a user may call the action of the piece. */
  #isForUsers(piece: ShownPiece): boolean {
    const called = actionIn(piece);
    if (called === null) return true;
    return this.#parts
      .actionsOf(piece.pluginId)
      .some(({ name, access }) => name === called && access === 'user');
  }

  #keepValid(
    pluginId: string,
    value: unknown,
    { name, locale }: { readonly name: ViewName; readonly locale: string | null },
  ): readonly ShownPiece[] {
    if (value === null) return [];
    if (!Array.isArray(value)) {
      this.#reportDropped(pluginId, name, ['the answer must be an array of UISchema']);
      return [];
    }
    const actions = this.#parts.actionsOf(pluginId).map(({ name: method }) => method);
    const inWords = createPieceWording((asked) => this.#textOf(pluginId, { ...asked, locale }));
    const checked = value.slice(0, maxPieces).map((piece: unknown) => {
      const worded = inWords(piece);
      return worded.ok ? this.#checkPiece(worded.value, actions) : worded;
    });
    const faults = checked.flatMap((piece, index) =>
      piece.ok ? [] : [`piece ${index}: ${piece.reason}`],
    );
    const surplus = value.slice(maxPieces).map(() => `only ${maxPieces} pieces are taken`);
    this.#reportDropped(pluginId, name, [...faults, ...surplus]);
    return checked.flatMap((piece) => (piece.ok ? [{ ...piece.value, pluginId }] : []));
  }

  /** One log line for each answer with faults. */
  #reportDropped(pluginId: string, view: ViewName, faults: readonly string[]): void {
    const [first] = faults;
    if (first === undefined) return;
    this.#countsOf(pluginId).dropped += faults.length;
    const text = `Plugin ${pluginId} sent an invalid piece to ${view}: ${first}.`;
    this.#parts.log.warn({ pluginId, view, dropped: faults.length }, text);
    const are = faults.length === 1 ? 'is' : 'are';
    const message = `${faults.length} of its pieces ${are} dropped: ${first}.`;
    const failure = { kind: 'reply-refused', handler: `view ${view}`, message } as const;
    this.#parts.onFailure?.(pluginId, { ...failure, durationMs: null });
  }

  #reportFailure(pluginId: string, view: ViewName, outcome: Outcome): void {
    this.#countsOf(pluginId).failed += 1;
    // The suspension is already in its own log.
    if (outcome.kind === 'threw' && outcome.code === suspendedCode) return;
    this.#parts.log.warn({ pluginId, view, outcome }, `Plugin ${pluginId} failed in ${view}.`);
  }

  #countsOf(pluginId: string): { dropped: number; failed: number } {
    const count = this.#counts.get(pluginId) ?? { dropped: 0, failed: 0 };
    this.#counts.set(pluginId, count);
    return count;
  }

  readonly counters = (pluginId: string): ViewCounters => ({
    ...(this.#counts.get(pluginId) ?? { dropped: 0, failed: 0 }),
  });
}

/** Creates an aggregator without subscribers. */
export const createViewAggregator = (parts: ViewAggregatorParts): ViewAggregator =>
  new ViewAggregator(parts);
