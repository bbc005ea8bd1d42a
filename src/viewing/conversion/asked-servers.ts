/**
 * Asks other servers for what may take long. One that is frozen takes connections and answers nothing:
 * nobody waits long for it, so it must say meanwhile that it is there.
 */
import type { AskServer } from '../../platform/internal/index.ts';
import type { Clock } from '../../platform/clock.ts';

export interface AskedServersParts {
  readonly ask: Pick<AskServer, 'get' | 'post'>;
  readonly clock: Clock;
}

/** As long as a player waits before it asks again. */
const waitMs = 20_000;
/** A server that says nothing within this time is frozen or away, and is not asked for a while. */
const helloMs = 1500;
const believedMs = { yes: 2000, no: 10_000 } as const;

/** Whether a server answered when it was asked last. */
interface Hello {
  readonly at: number;
  readonly isThere: Promise<boolean>;
}

/** The other servers, as this one reaches them. */
export class AskedServers {
  readonly #parts: AskedServersParts;
  readonly #hellos = new Map<string, Hello>();

  constructor(parts: AskedServersParts) {
    this.#parts = parts;
  }

  /** What a server has at a path, as long as it does not freeze meanwhile. */
  get(address: string, path: string): Promise<Buffer | null> {
    return this.#wait(address, () => this.#parts.ask.get(address, path, waitMs));
  }

  /** What a server makes of a body. */
  post(address: string, path: string, body: Uint8Array): Promise<Buffer | null> {
    return this.#wait(address, () => this.#parts.ask.post(address, path, waitMs, body));
  }

  async #wait(address: string, send: () => Promise<Buffer | null>): Promise<Buffer | null> {
    const { clock } = this.#parts;
    let asked: Promise<{ readonly bytes: Buffer | null }> | null = null;
    while (await this.isThere(address)) {
      asked ??= send().then((bytes) => ({ bytes }));
      const pause = Promise.withResolvers<null>();
      const cancelPause = clock.after(believedMs.yes, () => pause.resolve(null));
      const answer = await Promise.race([asked, pause.promise]);
      cancelPause();
      if (answer !== null) return answer.bytes;
    }
    return null;
  }

  async isThere(address: string): Promise<boolean> {
    const { ask, clock } = this.#parts;
    const known = this.#hellos.get(address);
    if (known !== undefined) {
      const was = await known.isThere;
      if (clock.now() - known.at < (was ? believedMs.yes : believedMs.no)) return was;
    }
    const isThere = ask.get(address, '/v1/health', helloMs).then((answer) => answer !== null);
    this.#hellos.set(address, { at: clock.now(), isThere });
    return isThere;
  }
}
