/**
 * Pairing, on the side of apps: they start, show a code or open a page, and poll for the answer of
 * the user.
 */
import { LRUCache } from 'lru-cache';
import {
  isAppId,
  isShownName,
  isUsableKey,
  platformOf,
} from '../../../lib/identity-protocol/index.ts';
import { findApp } from '../apps/app-store.ts';
import { networkKeyOf, networkOf } from '../service/client-address.ts';
import { serversOf, type ClientPass } from './client.ts';
import { findClient, newestPass } from './client-store.ts';
import { Refusal } from '../service/errors.ts';
import { pairingLifetimeMs, readableAfterMs, type Pairing, type PairingError } from './pairing.ts';
import * as store from './pairing-store.ts';
import { hourMs, minuteMs, toSeconds, type Core } from '../service/parts.ts';
import { createRate } from '../service/request-rates.ts';
import { hashOf, type CodeSeal } from '../service/secret-hashes.ts';

/** The request of an app. */
export interface PairingRequest {
  readonly appId: string;
  readonly clientPubKey: string;
  readonly deviceName: string;
  /** One of `platforms`, in any case of letters; another word counts as `other`. */
  readonly platform: string;
  readonly callbackUrl?: string;
}

/** The reply to it. */
export type PairingBegun =
  | {
      readonly requestId: string;
      readonly pairingCode: string;
      readonly pairingUrl: string;
      readonly pollUrl: string;
      readonly expiresAt: number;
    }
  | { readonly requestId: string; readonly browserUrl: string; readonly expiresAt: number };

export type PollReply =
  | { readonly status: 'pending' }
  | ({ readonly status: 'completed' } & ClientPass)
  | { readonly status: 'error'; readonly error: { readonly code: PairingError } };

/** Apps are told 2 seconds; this tolerates network jitter. */
const leastPauseMs = 1900;
const codesTried = 8;
const slowDown = { retryAfterSeconds: 5 };

/** Pairing, on the side of apps. */
export class Pairings {
  readonly #core: Core;
  readonly #seal: CodeSeal;
  readonly #begins: ReturnType<typeof createRate>;
  readonly #polls: ReturnType<typeof createRate>;
  // With `max`, it would take the memory of all entries at once.
  readonly #polledAt = new LRUCache<string, number>({ maxSize: 20_000, sizeCalculation: () => 1 });

  constructor(core: Core, seal: CodeSeal) {
    this.#core = core;
    this.#seal = seal;
    this.#begins = createRate(core.clock, [
      { most: core.limits.beginsPerMinute, inMs: minuteMs },
      { most: core.limits.beginsPerHour, inMs: hourMs },
    ]);
    this.#polls = createRate(core.clock, [{ most: core.limits.pollsPerMinute, inMs: minuteMs }]);
  }

  readonly begin = async (request: PairingRequest, address: string): Promise<PairingBegun> => {
    const { database, random, clock, site } = this.#core;
    const { appId, clientPubKey, deviceName, callbackUrl = null } = request;
    if (!isShownName(deviceName))
      throw new Refusal('invalid_request', {
        message: 'deviceName must be 1 to 64 visible characters in NFC.',
      });
    if (!isUsableKey(clientPubKey)) throw new Refusal('invalid_key');
    const app = isAppId(appId) ? await findApp(database.read, appId) : undefined;
    if (!app) throw new Refusal('unknown_app');
    if (!app.isEnabled) throw new Refusal('app_disabled');
    if (callbackUrl !== null && !app.callbacks.includes(callbackUrl))
      throw new Refusal('callback_not_registered');
    const requestId = random(24);
    const requestHash = hashOf(requestId.toString('base64url'));
    const now = clock.now();
    const pairing: Pairing = {
      requestHash,
      codeHmac: null,
      codeMask: null,
      appId,
      clientPubKey,
      deviceName,
      platform: platformOf(request.platform),
      callbackUrl,
      network: networkOf(address),
      line: this.#seal.markOf(networkKeyOf(address), requestHash),
      status: 'pending',
      error: null,
      clientId: null,
      requestedAt: now,
      expiresAt: now + pairingLifetimeMs,
    };
    const id = requestId.toString('base64url');
    const { url } = site();
    if (callbackUrl !== null) {
      await this.#insert(pairing, null);
      return { requestId: id, browserUrl: `${url}/pair/${id}`, expiresAt: pairing.expiresAt };
    }
    const codes = Array.from({ length: codesTried }, () => newCode(random));
    const pairingCode = await this.#insert(pairing, { codes, requestId });
    return {
      requestId: id,
      pairingCode,
      pairingUrl: `${url}/pair`,
      pollUrl: `${url}/api/identity/clients/pair/${id}`,
      expiresAt: pairing.expiresAt,
    };
  };

  /** Inserts it with the first of the codes that no other pending pairing has. */
  readonly #insert = (
    pairing: Pairing,
    coded: { readonly codes: readonly string[]; readonly requestId: Buffer } | null,
  ): Promise<string> =>
    this.#core.database.write(async (trx) => {
      const { appId, requestedAt: now, requestHash } = pairing;
      if ((await store.countLivePairings(trx, appId, now)) >= this.#core.limits.livePairingsPerApp)
        throw new Refusal('rate_limited', { retryAfterSeconds: 60 });
      if (coded === null) {
        await store.insertPairing(trx, pairing);
        return '';
      }
      const hmacs = coded.codes.map(this.#seal.hmacOf);
      await store.freeCodes(trx, hmacs, now);
      const taken = await store.codesInUse(trx, hmacs);
      const code = coded.codes.find((one) => !taken.has(this.#seal.hmacOf(one)));
      if (code === undefined) throw new Refusal('rate_limited', { retryAfterSeconds: 60 });
      const codeMask = this.#seal.mask(coded.requestId, code, requestHash).toString('base64url');
      await store.insertPairing(trx, { ...pairing, codeHmac: this.#seal.hmacOf(code), codeMask });
      return code;
    });

  readonly poll = async (requestId: string): Promise<PollReply> => {
    const requestHash = hashOf(requestId);
    const pairing = await store.findPairing(this.#core.database.read, requestHash);
    const now = this.#core.clock.now();
    if (!pairing || pairing.expiresAt + readableAfterMs <= now) throw new Refusal('not_found');
    const before = this.#polledAt.get(requestHash);
    if (before !== undefined && now - before < leastPauseMs)
      throw new Refusal('slow_down', slowDown);
    this.#polledAt.set(requestHash, now);
    return this.#stateOf(pairing, now);
  };

  readonly #stateOf = async (pairing: Pairing, now: number): Promise<PollReply> => {
    const { status, appId, clientId, expiresAt } = pairing;
    switch (status) {
      case 'error':
        return failed(pairing.error ?? 'internal');
      case 'completed': {
        const passes = clientId === null ? null : await this.#passesOf(clientId, now);
        return passes === null ? failed('internal') : { status: 'completed', ...passes };
      }
      case 'pending': {
        if (expiresAt <= now) return failed('expired');
        const app = await findApp(this.#core.database.read, appId);
        return app?.isEnabled === true ? { status: 'pending' } : failed('app_disabled');
      }
    }
  };

  readonly #passesOf = async (clientId: string, now: number): Promise<ClientPass | null> => {
    const client = await findClient(this.#core.database.read, clientId);
    if (!client) return null;
    const newest = await newestPass(this.#core.database.read, clientId, toSeconds(now));
    const { serverList } = client;
    return { cert: newest?.cert ?? client.cert, servers: serversOf(serverList), serverList };
  };

  readonly checkBegin = (address: string): void => this.#begins.take(networkKeyOf(address));

  readonly checkPoll = (address: string): void => this.#polls.take(networkKeyOf(address));
}

export const createPairings = (core: Core, seal: CodeSeal): Pairings => new Pairings(core, seal);

const failed = (code: PairingError): PollReply => ({ status: 'error', error: { code } });

/** Numbers above this would make some codes likelier than others. */
const fairBelow = 42 * 100_000_000;

/** Eight uniformly distributed digits. */
function newCode(random: Core['random']): string {
  for (;;) {
    const number = random(4).readUInt32BE();
    if (number < fairBelow) return String(number % 100_000_000).padStart(8, '0');
  }
}
