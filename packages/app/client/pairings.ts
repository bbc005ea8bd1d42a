/**
 * Both ways to pair. Polls are three seconds apart, or five once the broker asked for slower ones,
 * and never before the time that it requested. Only pairings that were started here are continued.
 */
import { isShownName } from '../../lib/identity-protocol/index.ts';
import type { Broker, Grant, PairingRequest } from './broker.ts';
import { isAt, parseCallback } from './callback.ts';
import { sleep, type Clock } from './clock.ts';
import { isErrorCode } from './error-codes.ts';
import { IdentityError, toIdentityError } from './identity-error.ts';
import type { ClientKey, KeyStore } from './key-store.ts';
import { resultStaysMs, type OpenPairing, type OpenPairings } from './open-pairings.ts';
import type { Platform } from './platform.ts';
import type { Account, CodePairing, ShownPairing } from './state.ts';

/** The dependencies of pairing. */
export interface PairingParts {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly keys: KeyStore;
  readonly open: OpenPairings;
  readonly appId: string;
  readonly deviceName: string;
  readonly platform: Platform;
  /** Verifies and stores the result of an approval, and signs in. */
  readonly accept: (grant: Grant, key: ClientKey) => Promise<Account>;
  /** Reports the pairing to show; `null` = none. */
  readonly showing: (pairing: ShownPairing | null, error: IdentityError | null) => void;
  /** Called when the broker reports that the key of this device is revoked. */
  readonly keyRevoked: () => Promise<void>;
}

/** Both ways to pair. */
export interface Pairings {
  readonly byCode: (options?: { readonly signal?: AbortSignal }) => Promise<CodePairing>;
  readonly byBrowser: (callbackUrl: string) => Promise<ShownPairing>;
  readonly finish: (callback: string) => Promise<Account>;
  /** Continues a pairing by code of an earlier run. */
  readonly resume: () => Promise<void>;
  /** Ends the current pairing by code. */
  readonly cancel: () => void;
  readonly stop: () => void;
}

/** A pairing that is polled for. */
interface Watch {
  readonly controller: AbortController;
  /** The process stops, but the pairing continues in the next run. */
  isStopped: boolean;
}

const lifetimeMs = 600_000;
const pollMs = 3_000;
const slowPollMs = 5_000;

export function createPairings(parts: PairingParts): Pairings {
  const { broker, clock, open } = parts;
  let watched: Watch | null = null;

  async function keyOf(): Promise<ClientKey> {
    return (await parts.keys.load()) ?? (await parts.keys.create());
  }

  function requestOf(key: ClientKey): PairingRequest {
    const { appId, platform } = parts;
    const deviceName = parts.deviceName.normalize('NFC');
    if (!isShownName(deviceName))
      throw new IdentityError('invalid_request', {
        detail: 'deviceName must be 1 to 64 characters without control characters.',
      });
    return { appId, clientPubKey: key.publicKey, deviceName, platform };
  }

  /** Ten minutes at most, by the clock of this device, even when the two clocks differ. */
  function endOf(startedAt: number, expiresAt: number): number {
    const left = expiresAt - startedAt;
    return startedAt + (left > 0 && left < lifetimeMs ? left : lifetimeMs);
  }

  async function byCode({ signal }: { readonly signal?: AbortSignal } = {}): Promise<CodePairing> {
    stop();
    const key = await keyOf();
    const startedAt = clock.now();
    const begun = await begin(() => broker.beginCode(requestOf(key)));
    const pairing: OpenPairing = {
      requestId: begun.requestId,
      code: begun.pairingCode,
      callbackUrl: null,
      url: begun.pairingUrl,
      expiresAt: endOf(startedAt, begun.expiresAt),
    };
    await open.add(pairing);
    return watch(pairing, signal);
  }

  async function begin<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const known = toIdentityError(error);
      if (known.code === 'client_key_revoked') await parts.keyRevoked();
      throw known;
    }
  }

  /** Polls until there is a result, or it can no longer be expected. */
  function watch(pairing: OpenPairing, signal?: AbortSignal): CodePairing {
    const watch: Watch = { controller: new AbortController(), isStopped: false };
    watched = watch;
    const cancel = (): void => watch.controller.abort();
    if (signal?.aborted) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const shown = shownOf(pairing);
    parts.showing(shown, null);
    const done = result(pairing, pollMs, watch).then(
      (account) => {
        if (watched === watch) parts.showing(null, null);
        return account;
      },
      (error: unknown) => {
        const known = toIdentityError(error);
        if (watched === watch) parts.showing(null, known);
        throw known;
      },
    );
    // An unhandled rejection is not an error here: the app also gets an event.
    done.catch(() => undefined);
    return { ...shown, code: shown.code ?? '', done, cancel };
  }

  async function result(pairing: OpenPairing, firstWaitMs: number, watch: Watch): Promise<Account> {
    const { signal } = watch.controller;
    try {
      const grant = await granted(pairing, firstWaitMs, signal);
      const key = await parts.keys.load();
      if (key === null) throw new IdentityError('cert_wrong_key');
      if (signal.aborted) throw new IdentityError('cancelled');
      return await parts.accept(grant, key);
    } catch (error) {
      const known = toIdentityError(error);
      if (known.code === 'client_key_revoked') await parts.keyRevoked();
      throw known;
    } finally {
      if (!watch.isStopped) await open.remove(pairing.requestId);
    }
  }

  async function granted(
    { requestId, expiresAt }: OpenPairing,
    firstWaitMs: number,
    signal: AbortSignal,
  ): Promise<Grant> {
    let everyMs = pollMs;
    for (let waitMs = firstWaitMs; ;) {
      await sleep(clock, waitMs, signal);
      const lateMs = clock.now() - expiresAt;
      waitMs = everyMs;
      try {
        const status = await broker.poll(requestId, signal);
        if ('grant' in status) return status.grant;
        if (lateMs >= 0) throw new IdentityError('expired');
      } catch (error) {
        const { code, details } = toIdentityError(error);
        if (!isPassing(code)) throw error;
        everyMs = slowPollMs;
        waitMs = Math.max(slowPollMs, details.retryAfterMs ?? 0);
        if (lateMs + waitMs > resultStaysMs) throw new IdentityError('expired', { cause: error });
      }
    }
  }

  function stop(): void {
    if (watched === null) return;
    watched.isStopped = true;
    watched.controller.abort();
    watched = null;
  }

  return {
    byCode,
    byBrowser: async (callbackUrl) => {
      const key = await keyOf();
      const startedAt = clock.now();
      const begun = await begin(() => broker.beginBrowser({ ...requestOf(key), callbackUrl }));
      const pairing: OpenPairing = {
        requestId: begun.requestId,
        code: null,
        callbackUrl,
        url: begun.browserUrl,
        expiresAt: endOf(startedAt, begun.expiresAt),
      };
      await open.add(pairing);
      return shownOf(pairing);
    },
    finish: async (callback) => {
      const { at, requestId, result: outcome } = parseCallback(callback);
      const started = (await open.list()).find((one) => one.requestId === requestId);
      if (!started?.callbackUrl || !isAt(at, started.callbackUrl))
        throw new IdentityError('callback_unknown');
      if (outcome !== 'ok') {
        await open.remove(requestId);
        throw isErrorCode(outcome)
          ? new IdentityError(outcome)
          : new IdentityError('refused', { wireCode: outcome.slice(0, 200) });
      }
      return result(started, 0, { controller: new AbortController(), isStopped: false });
    },
    resume: async () => {
      const last = (await open.list()).filter(({ code }) => code !== null).at(-1);
      if (last) watch(last);
    },
    cancel: () => watched?.controller.abort(),
    stop,
  };
}

const isPassing = (code: string): boolean =>
  code === 'unreachable' || code === 'rate_limited' || code === 'slow_down';

const shownOf = ({ code, url, expiresAt }: OpenPairing): ShownPairing => ({
  code: code && `${code.slice(0, 4)} ${code.slice(4)}`,
  url,
  expiresAt,
});
