import type { Clock } from './clock.ts';
import { isRecord, isText } from './json.ts';
import type { PersistedState } from './persisted-state.ts';

/** A pairing that was started here and has not ended. */
export interface OpenPairing {
  readonly requestId: string;
  /** In the code flow: 8 digits. */
  readonly code: string | null;
  /** In the browser flow. */
  readonly callbackUrl: string | null;
  /** The page for the user. */
  readonly url: string;
  /** Unix milliseconds by the clock of this device. */
  readonly expiresAt: number;
}

/** Pairings that were started here: a callback for any other is ignored. */
export interface OpenPairings {
  readonly list: () => Promise<readonly OpenPairing[]>;
  readonly add: (pairing: OpenPairing) => Promise<void>;
  readonly remove: (requestId: string) => Promise<void>;
  readonly clear: () => Promise<void>;
}

const key = 'pairings';
const most = 8;
/** How long the broker keeps the result after the end of a pairing. */
export const resultStaysMs = 600_000;

export function createOpenPairings(persisted: PersistedState, clock: Clock): OpenPairings {
  async function list(): Promise<readonly OpenPairing[]> {
    const value = await persisted.read(key);
    const oldest = clock.now() - resultStaysMs;
    return Array.isArray(value)
      ? value.filter(isOpenPairing).filter(({ expiresAt }) => expiresAt > oldest)
      : [];
  }
  return {
    list,
    add: async (pairing) => persisted.write(key, [...(await list()), pairing].slice(-most)),
    remove: async (requestId) =>
      persisted.write(
        key,
        (await list()).filter((one) => one.requestId !== requestId),
      ),
    clear: () => persisted.remove(key),
  };
}

const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

const isOpenPairing = (value: unknown): value is OpenPairing =>
  isRecord(value) &&
  isText(value['requestId']) &&
  isText(value['url']) &&
  isTextOrNull(value['code']) &&
  isTextOrNull(value['callbackUrl']) &&
  typeof value['expiresAt'] === 'number';
