import type { Clock } from './clock.ts';
import { isRecord, isText } from './json.ts';
import type { Kept } from './kept.ts';

/** A pairing that was started here and has not ended. */
export interface OpenPairing {
  readonly requestId: string;
  /** Of the code flow: 8 digits. */
  readonly code: string | null;
  /** Of the browser flow. */
  readonly callbackUrl: string | null;
  /** Where the user goes to. */
  readonly url: string;
  /** Unix milliseconds by the clock of this device. */
  readonly expiresAt: number;
}

/** What was started here: a callback for anything else is dropped. */
export interface OpenPairings {
  readonly list: () => Promise<readonly OpenPairing[]>;
  readonly add: (pairing: OpenPairing) => Promise<void>;
  readonly remove: (requestId: string) => Promise<void>;
  readonly clear: () => Promise<void>;
}

const key = 'pairings';
const most = 8;
/** A broker tells the result for so long after the pairing's end. */
export const resultStaysMs = 600_000;

export function createOpenPairings(kept: Kept, clock: Clock): OpenPairings {
  async function list(): Promise<readonly OpenPairing[]> {
    const value = await kept.read(key);
    const oldest = clock.now() - resultStaysMs;
    return Array.isArray(value)
      ? value.filter(isOpenPairing).filter(({ expiresAt }) => expiresAt > oldest)
      : [];
  }
  return {
    list,
    add: async (pairing) => kept.write(key, [...(await list()), pairing].slice(-most)),
    remove: async (requestId) =>
      kept.write(
        key,
        (await list()).filter((one) => one.requestId !== requestId),
      ),
    clear: () => kept.remove(key),
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
