/**
 * How far the index of a search plugin is in the change feed. A plugin that asks for what came after a
 * number has everything up to it in its index; one that gets nothing more has all. A search may wait a
 * moment for a change, so that people find what they edited just now.
 */
import type { ServedKey } from '../../../../plugin-api/index.ts';
import type { Clock } from '../../../platform/clock.ts';

/** The progress that all servers share; only one of them feeds the index. */
export interface SharedProgress {
  readonly keep: (pluginId: string, number: number) => Promise<void>;
  readonly find: (pluginId: string) => Promise<number>;
}

export interface SearchProgressParts {
  readonly providers: (key: ServedKey) => readonly string[];
  /** The last number of the change feed. */
  readonly lastNumber: () => Promise<number>;
  /** Absent where there is one server. */
  readonly shared?: SharedProgress | undefined;
  /** The monotonic clock. */
  readonly clock: Clock;
}

const mostWaitMs = 500;
const lookEveryMs = 40;

/** The progress of the search plugins. */
export class SearchProgress {
  readonly #parts: SearchProgressParts;
  readonly #passed = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  /** How many searches wait, and what they hurry. */
  #searches = 0;
  readonly #turns = new Set<() => void>();

  constructor(parts: SearchProgressParts) {
    this.#parts = parts;
  }

  /** To be asked before a page is read: a page without changes shows that the index has this number. */
  async before(pluginId: string): Promise<number> {
    return this.#serves(pluginId) ? this.#parts.lastNumber() : 0;
  }

  /** The plugin has everything up to a number; 0 = it starts over. */
  passed(pluginId: string, number: number): void {
    const known = this.#passed.get(pluginId) ?? -1;
    if (!this.#serves(pluginId) || (number !== 0 && number <= known)) return;
    this.#passed.set(pluginId, number);
    for (const wake of this.#waiting) wake();
    // What is not kept is told again with the next change.
    this.#parts.shared?.keep(pluginId, number).catch(() => undefined);
  }

  /**
   * Resolves when the index that answers searches has the change, or after half a second. A number that
   * no change has had is not waited for.
   */
  async reach(change: number): Promise<void> {
    const [pluginId] = this.#parts.providers('search');
    if (pluginId === undefined) return;
    const { clock } = this.#parts;
    const until = clock.now() + mostWaitMs;
    if (await this.#has(pluginId, change)) return;
    if (change > (await this.#parts.lastNumber())) return;
    this.#searches += 1;
    for (const hurry of this.#turns) hurry();
    do {
      const left = until - clock.now();
      if (left <= 0) break;
      await this.#pause(this.#parts.shared ? Math.min(left, lookEveryMs) : left);
    } while (!(await this.#has(pluginId, change)));
    this.#searches -= 1;
  }

  /**
   * The size of the page that a plugin may read next. Background work waits for its turn, which the
   * search that waits for it would only delay.
   */
  async turnOf(pluginId: string, wanted: number, turn: () => Promise<number>): Promise<number> {
    if (!this.#serves(pluginId)) return turn();
    if (this.#searches > 0) return wanted;
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const hurry = (): void => resolve(wanted);
    this.#turns.add(hurry);
    turn().then(resolve, reject);
    return promise.finally(() => this.#turns.delete(hurry));
  }

  #serves(pluginId: string): boolean {
    return this.#parts.providers('search').includes(pluginId);
  }

  async #has(pluginId: string, change: number): Promise<boolean> {
    if ((this.#passed.get(pluginId) ?? -1) >= change) return true;
    const found = await this.#parts.shared?.find(pluginId).catch(() => change);
    return found !== undefined && found >= change;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const cancel = this.#parts.clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }
}
