/**
 * The event bus: fire and forget, to all subscribers at once. The audience of a name is computed when
 * the name is first emitted after a subscription changed, not for each event. An event is serialised
 * once for all plugins, and not at all without subscribers. A subscriber that hangs, throws or dies
 * affects neither the emitter nor other subscribers.
 */
import type { EventEnvelope } from '../../../plugin-api/index.ts';
import type { Dispatcher } from '../dispatch.ts';
import { KernelError } from '../../errors.ts';
import { quoted } from '../../foreign-text.ts';
import type { Undo } from '../host-service.ts';
import type { Log } from '../../log.ts';
import { createDeliveryScheduler, type NextTurn } from './delivery-scheduler.ts';
import { isEventName, type EmittedName } from './event-name.ts';
import {
  Mailbox,
  type EventCounters,
  type MailboxLimits,
  type SerialisedEvent,
} from './mailbox.ts';
import { parsePattern, type EventPattern } from './pattern.ts';
import { createWaiters } from './waiters.ts';

/** Receives events inside the server process. `json` is the serialised envelope. */
export type EventListener = (envelope: EventEnvelope, json: string) => void;

export interface EventBusParts {
  readonly dispatcher: Dispatcher;
  readonly log: Log;
  /**
   * Takes every event in place of the plugins of this process, where several processes share their
   * plugins. One of them will `deliver` it.
   */
  readonly relay?: (event: SerialisedEvent) => void;
  /**
   * Whether a plugin may receive an event of this name; every plugin may when absent. Asked for each
   * event.
   */
  readonly canReceive?: (pluginId: string, type: string) => boolean;
  /** When deliveries continue after one turn's share; in the next turn of the event loop when absent. */
  readonly nextTurn?: NextTurn;
  /** Unix milliseconds. */
  readonly clock?: () => number;
  readonly limits?: Partial<MailboxLimits>;
}

interface PluginSubscription {
  readonly pluginId: string;
  readonly patterns: readonly EventPattern[];
}

interface ListenerEntry {
  readonly pattern: EventPattern;
  readonly listener: EventListener;
  isActive: boolean;
}

/** All subscribers of one name. */
interface Audience {
  /** The envelope up to the timestamp; a name needs no escaping. */
  readonly head: string;
  readonly mailboxes: readonly Mailbox[];
  readonly listeners: readonly ListenerEntry[];
}

const defaults: MailboxLimits = {
  capacity: 1000,
  textCapacity: 16 * 1024 * 1024,
  inFlight: 64,
};

/** Plugins can invent names without limit; beyond this many, the remembered audiences are cleared. */
const maxAudiences = 1000;

/** Delivers events to plugins and to parts of the server. */
export class EventBus {
  readonly #parts: EventBusParts;
  readonly #clock: () => number;
  readonly #canReceive: (pluginId: string, type: string) => boolean;
  readonly #limits: { capacity: number; textCapacity: number; inFlight: number };
  readonly #waiters = createWaiters();
  readonly #scheduler: ReturnType<typeof createDeliveryScheduler>;
  readonly #mailboxParts: {
    dispatcher: Dispatcher;
    log: Log;
    limits: { capacity: number; textCapacity: number; inFlight: number };
    scheduler: { take: () => boolean; wait: (goOn: () => void) => void };
    canReceive: (pluginId: string, type: string) => boolean;
    onRelief: () => void;
  };
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #subscriptions = new Set<PluginSubscription>();
  readonly #listeners = new Set<ListenerEntry>();
  readonly #audiences = new Map<string, Audience | null>();
  readonly #timestamp: ReturnType<typeof createTimestamps>;

  constructor(parts: EventBusParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
    this.#canReceive = parts.canReceive ?? (() => true);
    this.#limits = { ...defaults, ...parts.limits };
    this.#scheduler = createDeliveryScheduler(parts.nextTurn);
    this.#mailboxParts = {
      dispatcher: parts.dispatcher,
      log: parts.log,
      limits: this.#limits,
      scheduler: this.#scheduler,
      canReceive: this.#canReceive,
      onRelief: this.#waiters.ask,
    };
    this.#timestamp = createTimestamps(this.#clock);
  }

  /**
   * Emits one event and returns at once; subscribers never make it throw or wait. A name that is
   * neither in the catalogue nor `plugin.<slug>.<name>` is a bug of the caller and throws
   * `KernelError` `invalid_argument`. `data` is read before this returns.
   */
  readonly emit = (type: EmittedName, data: object): void => {
    let audience = this.#audiences.get(type);
    if (audience === undefined) audience = this.#findAudience(type);
    if (audience === null) return;
    const envelope = { type, timestamp: this.#timestamp(), data } as EventEnvelope;
    const json = this.#serialise(audience, envelope);
    if (json === null) return;
    if (this.#parts.relay === undefined) this.#send(audience.mailboxes, { type, json });
    else this.#parts.relay({ type, json });
    for (const entry of audience.listeners) {
      if (entry.isActive) this.#notify(entry, envelope, json);
    }
  };

  /** Runs before the listeners, so that an event that a listener emits follows the one it received. */
  #send(mailboxes: readonly Mailbox[], event: SerialisedEvent): void {
    for (const mailbox of mailboxes) mailbox.put(event);
  }

  #findAudience(type: string): Audience | null {
    if (!isEventName(type)) {
      const what = `Event ${quoted(type)} is neither in the catalogue nor named plugin.<slug>.<name>.`;
      throw new KernelError('invalid_argument', what);
    }
    if (this.#audiences.size >= maxAudiences) this.#audiences.clear();
    const audience = this.#audienceOf(type);
    this.#audiences.set(type, audience);
    return audience;
  }

  #audienceOf(type: string): Audience | null {
    const plugins = [...this.#subscriptions]
      .filter(({ patterns }) => patterns.some((pattern) => pattern.matches(type)))
      .map(({ pluginId }) => this.#mailboxOf(pluginId));
    const hearing = [...this.#listeners].filter(({ pattern }) => pattern.matches(type));
    if (plugins.length + hearing.length === 0 && this.#parts.relay === undefined) return null;
    const head = `{"type":"${type}","timestamp":"`;
    return { head, mailboxes: [...new Set(plugins)], listeners: hearing };
  }

  /**
   * Delivers to the plugins an event that this or another process handed to the relay. Not called
   * without a relay.
   */
  readonly deliver = (event: SerialisedEvent): void => {
    const { type } = event;
    if (!isEventName(type)) return;
    const audience = this.#audiences.get(type) ?? this.#findAudience(type);
    if (audience) this.#send(audience.mailboxes, event);
  };

  #mailboxOf(pluginId: string): Mailbox {
    const mailbox = this.#mailboxes.get(pluginId) ?? new Mailbox(pluginId, this.#mailboxParts);
    this.#mailboxes.set(pluginId, mailbox);
    return mailbox;
  }

  #serialise(audience: Audience, envelope: EventEnvelope): string | null {
    try {
      return `${audience.head}${envelope.timestamp}","data":${JSON.stringify(envelope.data)}}`;
    } catch (cause) {
      this.#parts.log.error(
        { type: envelope.type, cause },
        `Event ${envelope.type} has data that is not JSON.`,
      );
      return null;
    }
  }

  #notify(entry: ListenerEntry, envelope: EventEnvelope, json: string): void {
    try {
      entry.listener(envelope, json);
    } catch (cause) {
      this.#parts.log.error(
        { type: envelope.type, cause },
        `A listener failed on the event ${envelope.type}.`,
      );
    }
  }

  /**
   * Delivers to the plugin, once per event even when several patterns match: 5 s, no retry, in the
   * order of emission. Keep the subscription while the plugin restarts: events then wait, 1000 at
   * most. The undo of a plugin's last subscription drops the waiting events.
   */
  readonly subscribePlugin = (pluginId: string, texts: readonly string[]): Undo => {
    const subscription = { pluginId, patterns: texts.map(patternOrThrow) };
    this.#subscriptions.add(subscription);
    this.#audiences.clear();
    return () => {
      if (!this.#subscriptions.delete(subscription)) return;
      this.#audiences.clear();
      const isLast = ![...this.#subscriptions].some((other) => other.pluginId === pluginId);
      if (isLast) this.#mailboxes.get(pluginId)?.close();
    };
  };

  /** Calls the listener inside `emit`. One that throws is logged and stays subscribed. */
  readonly listen = (text: string, listener: EventListener): Undo => {
    const entry = { pattern: patternOrThrow(text), listener, isActive: true };
    this.#listeners.add(entry);
    this.#audiences.clear();
    return () => {
      entry.isActive = false;
      if (this.#listeners.delete(entry)) this.#audiences.clear();
    };
  };

  #all(holds: (mailbox: Mailbox) => boolean): boolean {
    return [...this.#mailboxes.values()].every(holds);
  }

  /** Counters of the plugin since the server started. */
  readonly counters = (pluginId: string): EventCounters =>
    this.#mailboxes.get(pluginId)?.counters ?? noCounters;

  /**
   * Back-pressure for bulk emitters. Resolves when every queue is less than half full, or the time
   * is over.
   */
  readonly room = (timeoutMs: number): Promise<void> =>
    this.#waiters.until(() => this.#all((mailbox) => mailbox.hasRoom), timeoutMs);

  /** For shutdown. Resolves when all that can be delivered is delivered, or the time is over. */
  readonly drain = (timeoutMs: number): Promise<void> =>
    this.#waiters.until(() => this.#all((mailbox) => mailbox.isQuiet), timeoutMs);
}

/** Creates a bus without subscribers. */
export const createEventBus = (parts: EventBusParts): EventBus => new EventBus(parts);

const noCounters: EventCounters = { queued: 0, delivered: 0, dropped: 0, failed: 0 };

function patternOrThrow(text: string): EventPattern {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new KernelError('invalid_argument', parsed.reason);
  return parsed.pattern;
}

/** ISO 8601 of the clock; events of the same millisecond share the text. */
function createTimestamps(clock: () => number): () => string {
  let lastMs = NaN;
  let text = '';
  return () => {
    const nowMs = clock();
    if (nowMs !== lastMs) {
      lastMs = nowMs;
      text = new Date(nowMs).toISOString();
    }
    return text;
  };
}
