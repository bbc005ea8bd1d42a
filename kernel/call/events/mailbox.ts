/**
 * The queue of one plugin. Invariant: events start in the order of emission; at most `inFlight` calls
 * run at once and at most `capacity` events wait. Beyond that the oldest are dropped and counted.
 * While the plugin does not run (it restarts), all events wait; a call that was in progress when it
 * ended is not repeated. Mailboxes are independent: a slow or dead subscriber costs other plugins
 * nothing, and the emitter one entry in a ring.
 */
import type { Dispatcher } from '../dispatch.ts';
import type { Log } from '../../log.ts';
import type { Outcome } from '../outcome.ts';
import type { DeliveryScheduler } from './delivery-scheduler.ts';
import { Ring } from './ring.ts';

/** One event on its way; all plugins that receive it share the object. */
export interface SerialisedEvent {
  readonly type: string;
  /** The envelope. */
  readonly json: string;
}

/** Counters of an event subscriber since the server started. */
export interface EventCounters {
  /** Waiting now, without those in progress. */
  readonly queued: number;
  readonly delivered: number;
  /** Lost because the queue was full. */
  readonly dropped: number;
  /** Ended in a throw or a time-out, or had no handler. Never repeated. */
  readonly failed: number;
}

export interface MailboxLimits {
  readonly capacity: number;
  /** UTF-16 code units of all waiting events. */
  readonly textCapacity: number;
  readonly inFlight: number;
}

export interface MailboxParts {
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  readonly limits: MailboxLimits;
  readonly scheduler: DeliveryScheduler;
  /** Whether the plugin may receive an event of this name now. */
  readonly canReceive: (pluginId: string, type: string) => boolean;
  /** Called when the mailbox has become emptier. */
  readonly onRelief: () => void;
}

const timeoutMs = 5000;
/** How often an idle mailbox checks whether its plugin runs again. */
const pauseMs = 500;

export class Mailbox {
  readonly #pluginId: string;
  readonly #parts: MailboxParts;
  readonly #waiting: Ring<SerialisedEvent>;
  #waitingText = 0;
  #inFlight = 0;
  #isPumping = false;
  #awaitsTurn = false;
  #pause: NodeJS.Timeout | undefined;
  #delivered = 0;
  #dropped = 0;
  #failed = 0;

  constructor(pluginId: string, parts: MailboxParts) {
    this.#pluginId = pluginId;
    this.#parts = parts;
    this.#waiting = new Ring(parts.limits.capacity);
  }

  get counters(): EventCounters {
    return {
      queued: this.#waiting.length,
      delivered: this.#delivered,
      dropped: this.#dropped,
      failed: this.#failed,
    };
  }

  /** Whether a bulk emitter may continue. A plugin that does not run delays no emitter. */
  get hasRoom(): boolean {
    return this.#isAway || this.#waiting.length * 2 < this.#parts.limits.capacity;
  }

  /** Whether nothing that could still be delivered waits or is in progress. */
  get isQuiet(): boolean {
    return this.#inFlight === 0 && (this.#waiting.length === 0 || this.#isAway);
  }

  put(event: SerialisedEvent): void {
    if (!this.#canReceive(event)) return;
    while (this.#waiting.length > 0 && this.#isTooFullFor(event)) this.#drop();
    this.#waiting.push(event);
    this.#waitingText += event.json.length;
    this.#pump();
  }

  /** Drops the waiting events. Calls in progress end on their own. */
  close(): void {
    this.#endPause();
    this.#waiting.clear();
    this.#waitingText = 0;
    this.#parts.onRelief();
  }

  #canReceive({ type }: SerialisedEvent): boolean {
    return this.#parts.canReceive(this.#pluginId, type);
  }

  #isTooFullFor(event: SerialisedEvent): boolean {
    const text = this.#waitingText + event.json.length;
    return this.#waiting.isFull || text > this.#parts.limits.textCapacity;
  }

  #drop(): void {
    this.#take();
    this.#dropped += 1;
    if (!isMilestone(this.#dropped)) return;
    const fields = { pluginId: this.#pluginId, dropped: this.#dropped };
    this.#parts.log.warn(fields, `Plugin ${this.#pluginId} is behind: its oldest events are lost.`);
  }

  #take(): SerialisedEvent | undefined {
    const event = this.#waiting.shift();
    if (event) this.#waitingText -= event.json.length;
    return event;
  }

  get #isAway(): boolean {
    return !this.#parts.dispatcher.isRunning(this.#pluginId);
  }

  #startPause(): void {
    if (this.#waiting.length === 0) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#pump();
    }, pauseMs).unref();
  }

  #endPause(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  /** Starts what may start. A `put` from inside a dispatch waits for the next turn. */
  #pump(): void {
    if (this.#isPumping || this.#awaitsTurn) return;
    if (this.#isAway) {
      this.#startPause();
      return;
    }
    this.#endPause();
    this.#isPumping = true;
    while (this.#waiting.length > 0 && this.#inFlight < this.#parts.limits.inFlight) {
      if (!this.#parts.scheduler.take()) {
        this.#awaitTurn();
        break;
      }
      const event = this.#take();
      // The grant may have been withdrawn while the event waited.
      if (event && this.#canReceive(event)) this.#send(event);
    }
    this.#isPumping = false;
  }

  #awaitTurn(): void {
    this.#awaitsTurn = true;
    this.#parts.scheduler.wait(() => {
      this.#awaitsTurn = false;
      this.#pump();
    });
  }

  #send(event: SerialisedEvent): void {
    this.#inFlight += 1;
    void this.#parts.dispatcher
      .dispatch({
        pluginId: this.#pluginId,
        method: 'event.dispatch',
        name: event.type,
        inputJson: event.json,
        timeoutMs,
        ignoresReply: true,
      })
      .then((outcome) => this.#ended(event, outcome));
  }

  #ended(event: SerialisedEvent, outcome: Outcome): void {
    this.#inFlight -= 1;
    if (outcome.kind === 'returned') this.#delivered += 1;
    else this.#countFailure(event, outcome);
    this.#pump();
    this.#parts.onRelief();
  }

  #countFailure(
    event: SerialisedEvent,
    outcome: Exclude<Outcome, { readonly kind: 'returned' }>,
  ): void {
    this.#failed += 1;
    if (outcome.kind === 'unknown-handler' || !isMilestone(this.#failed)) return;
    const fields = { pluginId: this.#pluginId, type: event.type, failed: this.#failed, outcome };
    this.#parts.log.warn(fields, `Plugin ${this.#pluginId} failed on the event ${event.type}.`);
  }
}

/** Whether a count deserves a log line: 1, 10, 100, … A flood of failures then writes few lines. */
function isMilestone(count: number): boolean {
  return count > 0 && Number.isInteger(Math.log10(count));
}
