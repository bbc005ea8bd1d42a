/**
 * Pairing, on the user's side: the page shows the request, and one use of the passkey unlocks the
 * vault and approves it. The challenge is the hash of the data that is shown, so an approval is
 * valid only for that request.
 */
import type { SignedInUser } from '../accounts/account.ts';
import { findUser, passkeysOf } from '../accounts/account-store.ts';
import { viewOfApp } from '../apps/app.ts';
import { checkApproval, type SignedApproval } from './approval-check.ts';
import { findApp } from '../apps/app-store.ts';
import { requestOptions } from '../accounts/browser-options.ts';
import type { Challenges } from '../accounts/challenges.ts';
import { networkKeyOf } from '../service/client-address.ts';
import * as clientStore from '../pairing/client-store.ts';
import { Refusal } from '../service/errors.ts';
import type { Feed } from '../feed/feed.ts';
import { plainServer } from '../servers/linked-server.ts';
import type { Pairing } from '../pairing/pairing.ts';
import * as store from '../pairing/pairing-store.ts';
import { minuteMs, type Core } from '../service/parts.ts';
import type { PasskeyCheck } from '../accounts/passkey-check.ts';
import { createRate, type Rate } from '../service/request-rates.ts';
import { hashOf, type CodeSeal } from '../service/secret-hashes.ts';
import { serversOfUser } from '../servers/server-store.ts';
import { approveChallenge } from '../signing/approve.ts';
import type { ApproveBody, ApproveOptions, PairDone, PairView } from '../service/web-api.ts';

export interface ApprovalParts {
  readonly core: Core;
  readonly challenges: Challenges;
  readonly check: PasskeyCheck;
  readonly feed: Feed;
  readonly seal: CodeSeal;
  /** Limits the records that one account adds to the feed. */
  readonly records: Rate;
}

const codeWindowMs = 10 * minuteMs;
const codesClosed =
  'Too many wrong codes were entered in all accounts: scan the code on the device instead.';

/** Pairing, on the side of the page. */
export class Approvals {
  readonly #parts: ApprovalParts;
  readonly #database: ApprovalParts['core']['database'];
  readonly #clock: ApprovalParts['core']['clock'];
  readonly #random: ApprovalParts['core']['random'];
  readonly #limits: ApprovalParts['core']['limits'];
  readonly #site: ApprovalParts['core']['site'];
  readonly #wrongCodes: readonly ReturnType<typeof createRate>[];

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
    const { database, clock, random, limits, site } = parts.core;
    this.#database = database;
    this.#clock = clock;
    this.#random = random;
    this.#limits = limits;
    this.#site = site;
    this.#wrongCodes = [
      createRate(clock, [{ most: limits.wrongCodesPerAccount, inMs: codeWindowMs }]),
      createRate(clock, [{ most: limits.wrongCodesPerAddress, inMs: codeWindowMs }]),
      createRate(clock, [{ most: limits.wrongCodes, inMs: codeWindowMs }], codesClosed),
    ];
  }

  /** The request of the device that shows this code. */
  readonly findByCode = async (
    { user }: SignedInUser,
    code: string,
    address: string,
  ): Promise<string> => {
    const { seal } = this.#parts;
    const keys = [user.userId, networkKeyOf(address), ''] as const;
    // Counted as wrong until it is found; otherwise many parallel attempts would all be free.
    this.#wrongCodes.forEach((rate, index) => rate.check(keys[index] ?? ''));
    this.#wrongCodes.forEach((rate, index) => rate.count(keys[index] ?? ''));
    const pairing = await store.findPairingByCode(
      this.#database.read,
      seal.hmacOf(code),
      this.#clock.now(),
    );
    if (!pairing?.codeMask) throw new Refusal('code_unknown');
    this.#wrongCodes.forEach((rate, index) => rate.giveBack(keys[index] ?? ''));
    const mask = Buffer.from(pairing.codeMask, 'base64url');
    return seal.mask(mask, code, pairing.requestHash).toString('base64url');
  };

  /** A pending request; rejects with `not_found`, `pairing_gone`. */
  async #live(requestId: string): Promise<Pairing> {
    const pairing = await store.findPairing(this.#database.read, hashOf(requestId));
    if (!pairing) throw new Refusal('not_found');
    if (pairing.status === 'pending' && pairing.expiresAt > this.#clock.now()) return pairing;
    const redirect = redirectOf(pairing, requestId, resultOf(pairing));
    throw new Refusal('pairing_gone', redirect === null ? {} : { fields: { redirect } });
  }

  async #enabledApp({ appId }: Pairing) {
    const app = await findApp(this.#database.read, appId);
    if (app?.isEnabled === true) return app;
    throw new Refusal('app_disabled');
  }

  readonly view = async (
    { user }: SignedInUser,
    requestId: string,
    address: string,
  ): Promise<PairView> => {
    const pairing = await this.#live(requestId);
    const app = await this.#enabledApp(pairing);
    const { clientPubKey, deviceName, platform, requestedAt, expiresAt } = pairing;
    const known = await clientStore.clientsWithKey(this.#database.read, user.userId, clientPubKey);
    const existing = known.find((one) => one.appId === app.appId && one.revokedAt === null);
    const servers = await serversOfUser(this.#database.read, user.userId);
    return {
      requestId,
      app: viewOfApp(app),
      deviceName,
      platform,
      clientPubKey,
      existingClientId: existing?.clientId ?? null,
      requestedAt,
      expiresAt,
      network: pairing.network,
      isSameNetwork:
        this.#parts.seal.markOf(networkKeyOf(address), pairing.requestHash) === pairing.line,
      callbackUrl: pairing.callbackUrl,
      servers: servers.map(plainServer),
      now: this.#clock.now(),
    };
  };

  readonly begin = async (caller: SignedInUser, requestId: string): Promise<ApproveOptions> => {
    const pairing = await this.#live(requestId);
    await this.#enabledApp(pairing);
    const nonce = this.#random(32).toString('base64url');
    const challenge = await approveChallenge({ ...pairing, requestId, nonce });
    await this.#parts.challenges.keep(useOf(caller, pairing), challenge, nonce);
    const passkeys = await passkeysOf(this.#database.read, caller.user.userId);
    const asked = { site: this.#site(), challenge, purpose: 'approve', passkeys } as const;
    return { nonce, options: requestOptions(asked) };
  };

  /** `assertOrigin` is called after it is known that the request exists. */
  readonly approve = async (
    caller: SignedInUser,
    requestId: string,
    body: ApproveBody,
    assertOrigin: () => void,
  ): Promise<PairDone> => {
    const pairing = await this.#live(requestId);
    assertOrigin();
    await this.#enabledApp(pairing);
    const { user } = caller;
    const { challenge } = await this.#parts.check.assert(
      body.credential,
      useOf(caller, pairing),
      user.userId,
    );
    const shown = { ...pairing, requestId, nonce: challenge.nonce };
    if (hashOf(await approveChallenge(shown)) !== challenge.hash)
      throw new Refusal('approve_mismatch');
    await this.#assertKeyIsGood(pairing, user.userId);
    const signed = await checkApproval(body, { core: this.#parts.core, user, pairing });
    if (signed.refusals.length > 0) this.#parts.records.take(user.userId, signed.refusals.length);
    await this.#commit(caller, pairing, signed);
    return { redirect: redirectOf(pairing, requestId, 'ok') };
  };

  /** If the client key was revoked, the app also learns it, so that it creates another. */
  async #assertKeyIsGood(pairing: Pairing, userId: string): Promise<void> {
    const known = await clientStore.clientsWithKey(
      this.#database.read,
      userId,
      pairing.clientPubKey,
    );
    if (known.every(({ revokedAt }) => revokedAt === null)) return;
    const end = { status: 'error', error: 'client_key_revoked' } as const;
    await this.#database.write((trx) => store.endPairing(trx, pairing.requestHash, end));
    throw new Refusal('client_key_revoked');
  }

  #commit({ user }: SignedInUser, pairing: Pairing, signed: SignedApproval): Promise<void> {
    return this.#database.write(async (trx) => {
      const { clientId, passes, list, refusals } = signed;
      const { appId, clientPubKey, deviceName, platform, requestHash } = pairing;
      const { userId } = user;
      const current = await findUser(trx, userId);
      if (current?.userPubKey !== user.userPubKey || current.keyRevokedAt !== null)
        throw new Refusal('key_mismatch');
      const known = await clientStore.clientsWithKey(trx, userId, clientPubKey);
      if (known.some(({ revokedAt }) => revokedAt !== null))
        throw new Refusal('client_key_revoked');
      const sameApp = known.filter((one) => one.appId === appId);
      for (const one of sameApp) await clientStore.removeClient(trx, one.clientId);
      if ((await clientStore.clientsOf(trx, userId)).length >= this.#limits.clientsPerAccount)
        throw new Refusal('too_many');
      if (await clientStore.findClient(trx, clientId)) throw new Refusal('cert_mismatch');
      await clientStore.insertClient(trx, {
        clientId,
        userId,
        appId,
        clientPubKey,
        deviceName,
        platform,
        cert: passes[0]?.cert ?? { payload: '', sig: '' },
        serverList: list,
        pairedAt: this.#clock.now(),
        lastSeenAt: null,
        revokedAt: null,
      });
      await clientStore.insertPasses(trx, passes);
      for (const record of refusals) await this.#parts.feed.publish(trx, record);
      const isFirst = await store.endPairing(trx, requestHash, { status: 'completed', clientId });
      if (!isFirst) throw new Refusal('pairing_gone');
    });
  }

  readonly deny = async (requestId: string): Promise<PairDone> => {
    const pairing = await this.#live(requestId);
    const end = { status: 'error', error: 'denied' } as const;
    const isFirst = await this.#database.write((trx) =>
      store.endPairing(trx, pairing.requestHash, end),
    );
    if (!isFirst) throw new Refusal('pairing_gone');
    return { redirect: redirectOf(pairing, requestId, 'denied') };
  };
}

const useOf = ({ user }: SignedInUser, { requestHash }: Pairing) =>
  ({ purpose: 'approve', subject: `${user.userId} ${requestHash}` }) as const;

const resultOf = ({ status, error }: Pairing): string =>
  status === 'completed' ? 'ok' : error === 'denied' ? 'denied' : 'expired';

/** The address to which the browser returns; `null` in the code flow. */
function redirectOf({ callbackUrl }: Pairing, requestId: string, result: string): string | null {
  return callbackUrl === null
    ? null
    : `${callbackUrl}?${new URLSearchParams({ requestId, result }).toString()}`;
}
