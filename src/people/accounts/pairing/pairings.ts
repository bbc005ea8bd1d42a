/**
 * Pairing: a device without a keyboard gets a session of a person who is signed in elsewhere. The
 * device shows a code and keeps a secret. The code lets a person find the device and decide; only
 * the secret gets the session, so reading the code from the screen gives nothing away. A code holds
 * for ten minutes and for one decision. The database has the hashes of both and of the token of the
 * session, which is made of the secret: so any server continues what another began, and nobody who
 * reads the table gets a session.
 */
import type { Database, Transaction } from '../../../../kernel/store/index.ts';
import { createKeyedTokenBuckets } from '../../../../packages/lib/concurrency/index.ts';
import type { Audit, RecordAudit } from '../../../platform/audit/index.ts';
import { steadyOf, toTimestamp, type Clock } from '../../../platform/clock.ts';
import { AppError, tooOften } from '../../../platform/errors.ts';
import { createNetworkBuckets } from '../../../platform/network-buckets.ts';
import { householdOf, siteOf } from '../../../platform/networks.ts';
import { derivedKey } from '../../../platform/secrets/index.ts';
import { hashOfToken, type AttemptGate } from '../../credentials/index.ts';
import type { Viewer } from '../../viewer/index.ts';
import { findSession } from '../session-store.ts';
import { sessionTokenOf, type Device, type FreshSession, type Sessions } from '../sessions.ts';
import { findUser, shownUser } from '../user-store.ts';
import type { Users } from '../users.ts';
import { newPairingCode, readPairingCode } from './pairing-code.ts';
import * as store from './pairing-store.ts';
import type { DecidedPairing } from './pairing-store.ts';
import type { User } from '../../../contract/resources/accounts/accounts.ts';

/** What a device gets when it begins. */
export interface BegunPairing {
  /** For people: 8 letters that the device shows. */
  readonly code: string;
  /** For the device alone. */
  readonly secret: string;
  readonly expiresAt: string;
}

/** A device that waits, as the person who decides sees it. */
export interface WaitingDevice {
  readonly deviceName: string | null;
  readonly userAgent: string | null;
  readonly address: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** What became of a pairing. */
export type PairingState =
  | { readonly status: 'waiting' | 'refused' }
  | ({ readonly status: 'accepted'; readonly user: User } & FreshSession);

/** The person who decides about a code, and where they are. */
export interface Decision {
  readonly code: string;
  readonly viewer: Viewer;
  readonly network: string;
}

export interface PairingsParts {
  readonly database: Database;
  readonly users: Pick<Users, 'noteSeen'>;
  readonly sessions: Pick<Sessions, 'openFor' | 'forget'>;
  readonly gate: AttemptGate;
  readonly audit: RecordAudit;
  readonly tally: Audit['tally'];
  readonly clock: Clock;
  readonly random: (count: number) => Buffer;
}

const lifetimeMs = 10 * 60_000;
const minuteMs = 60_000;
const perMinute = { ofHousehold: 10, ofSite: 30 };
const claimsPerMinute = 240;
/** How many devices may wait at a time; above it, one of the site with the most gives way. */
const mostWaiting = 1000;
const mostNetworks = 10_000;
const freeGuesses = { ofOneUser: 10, ofOneNetwork: 30 };

/** Devices that wait for a person. `network` is what counts as one client. */
export class Pairings {
  readonly #parts: PairingsParts;
  // Refuse what comes too often to one server before the database is asked.
  readonly #begins: ReturnType<typeof createNetworkBuckets>;
  readonly #claims: ReturnType<typeof createKeyedTokenBuckets>;

  constructor(parts: PairingsParts) {
    this.#parts = parts;
    this.#begins = createNetworkBuckets(perMinute, parts.clock);
    this.#claims = createKeyedTokenBuckets(
      { capacity: claimsPerMinute, refill: claimsPerMinute, everyMs: minuteMs },
      { mostKeys: mostNetworks, now: steadyOf(parts.clock).now },
    );
  }

  readonly #isOver = ({ begunAtMs }: DecidedPairing): boolean =>
    this.#parts.clock.now() - begunAtMs >= lifetimeMs;

  /** Rejects with `too_often`. */
  readonly begin = async (device: Device): Promise<BegunPairing> => {
    const { random, database, clock } = this.#parts;
    const address = device.address ?? '';
    assertRare(this.#begins.take(address));
    const [household, site] = [householdOf(address), siteOf(address)];
    const secret = random(32).toString('base64url');
    const code = await database.write(async (trx) => {
      const begunAtMs = clock.now();
      await store.removePairingsUntil(trx, begunAtMs - lifetimeMs);
      const since = begunAtMs - minuteMs;
      assertRare(
        this.#waitFor(await store.begunSince(trx, { household }, since), perMinute.ofHousehold),
      );
      assertRare(this.#waitFor(await store.begunSince(trx, { site }, since), perMinute.ofSite));
      // Nobody keeps others out: the site with the most places loses the oldest.
      if ((await store.countPairings(trx)) >= mostWaiting)
        await store.removeOldestOfLargestSite(trx);
      const fresh = await this.#unusedCode(trx);
      await store.insertPairing(trx, {
        secretHash: hashOfToken(secret),
        codeHash: hashOfToken(fresh),
        tokenHash: hashOfToken(tokenOf(secret)),
        deviceName: device.name,
        userAgent: device.userAgent?.slice(0, 300) ?? null,
        address: device.address,
        household,
        site,
        begunAtMs,
      });
      return fresh;
    });
    return { code, secret, expiresAt: toTimestamp(clock.now() + lifetimeMs) };
  };

  /** The milliseconds until the network may begin one more; 0 = now. */
  readonly #waitFor = (begun: readonly number[], most: number): number => {
    const first = begun.at(-most);
    return first === undefined ? 0 : Math.max(1, first + minuteMs - this.#parts.clock.now());
  };

  async #unusedCode(trx: Transaction): Promise<string> {
    const code = newPairingCode(this.#parts.random);
    const found = await store.findPairing(trx, { code_hash: hashOfToken(code) });
    return found === undefined ? code : this.#unusedCode(trx);
  }

  /**
   * Asks with the secret. The session is given once. Rejects with `not_found` when the pairing has
   * ended, `too_often` when it asks too often.
   */
  readonly claim = async (secret: string, network: string): Promise<PairingState> => {
    const waitMs = this.#claims.take(network);
    if (waitMs > 0) throw tooOften('The devices of this address ask too often.', waitMs);
    const secretHash = hashOfToken(secret);
    const found = await store.findPairing(this.#parts.database.read, { secret_hash: secretHash });
    if (found === undefined || this.#isOver(found)) throw noPairing();
    const { decision } = found;
    if (decision === null) return { status: 'waiting' };
    return this.#parts.database.write(async (trx) => {
      if (!(await store.removePairing(trx, secretHash))) throw noPairing();
      if (decision.state === 'refused') return { status: 'refused' };
      const { userId, sessionId, expiresAt } = decision;
      const user = await findUser(trx, userId);
      if (!user) throw noPairing();
      const sessionToken = tokenOf(secret);
      return { status: 'accepted', user: shownUser(user), sessionId, sessionToken, expiresAt };
    });
  };

  /** The device that waits with the code. Each wrong code counts against the user and the network. */
  async #waiting({ code, viewer, network }: Decision): Promise<DecidedPairing> {
    const { gate, database, tally } = this.#parts;
    if (viewer.credentialKind !== 'session') {
      throw new AppError('forbidden', {
        what: 'Only a person who is signed in with a session can let a device in.',
      });
    }
    const attempt = await gate.begin([
      { key: `pairing:${viewer.userId}`, free: freeGuesses.ofOneUser },
      { key: `pairing-network:${network}`, free: freeGuesses.ofOneNetwork },
    ]);
    const known = readPairingCode(code);
    const found =
      known === null
        ? undefined
        : await store.findPairing(database.read, { code_hash: hashOfToken(known) });
    if (found === undefined || found.decision !== null || this.#isOver(found)) {
      const target = { type: 'user', id: viewer.userId };
      tally({ actor: viewer, action: 'pairing.failed', target });
      throw noDevice();
    }
    await attempt.succeeded([]);
    return found;
  }

  /** Opens a session of the viewer for the device, under a name that the viewer may choose. */
  readonly accept = async ({
    deviceName: chosenName,
    ...decision
  }: Decision & { readonly deviceName?: string | undefined }): Promise<void> => {
    const { database, sessions, users, clock, audit } = this.#parts;
    const { viewer } = decision;
    const { secretHash, tokenHash, deviceName, userAgent, address } = await this.#waiting(decision);
    await database.write(async (trx) => {
      const own = await findSession(trx, viewer.credentialId);
      const user = own && (await findUser(trx, own.userId));
      // The session of the request may have ended since it was checked.
      if (!user) throw new AppError('sign_in_again', {});
      if (user.disabled) throw new AppError('account_disabled', {});
      const name = chosenName ?? deviceName;
      const opened = await sessions.openFor(trx, user.id, { name, userAgent, address, tokenHash });
      const accepted = { state: 'accepted', userId: user.id, ...opened } as const;
      if (!(await store.decidePairing(trx, secretHash, accepted))) throw noDevice();
      await users.noteSeen(trx, user.id, toTimestamp(clock.now()));
      await audit(trx, {
        actor: viewer,
        action: 'session.paired',
        change: 'event',
        target: { type: 'session', id: opened.sessionId },
        details: { deviceName: name, deviceAddress: address },
      });
    });
    sessions.forget();
  };

  /**
   * The device with that code. Rejects with `not_found`, `forbidden` without a session,
   * `too_many_attempts`.
   */
  readonly look = async (decision: Decision): Promise<WaitingDevice> => {
    const { deviceName, userAgent, address, begunAtMs } = await this.#waiting(decision);
    const createdAt = toTimestamp(begunAtMs);
    const expiresAt = toTimestamp(begunAtMs + lifetimeMs);
    return { deviceName, userAgent, address, createdAt, expiresAt };
  };

  /** Tells the device that it gets no session. */
  readonly refuse = async (decision: Decision): Promise<void> => {
    const { secretHash } = await this.#waiting(decision);
    const refused = { state: 'refused' } as const;
    if (!(await this.#parts.database.write((trx) => store.decidePairing(trx, secretHash, refused))))
      throw noDevice();
  };
}

export const createPairings = (parts: PairingsParts): Pairings => new Pairings(parts);

/** The token of the session that a device with this secret gets. */
const tokenOf = (secret: string): string =>
  sessionTokenOf(derivedKey(Buffer.from(secret), 'vitrine paired session 1'));

function assertRare(waitMs: number): void {
  if (waitMs > 0) throw tooOften('Too many devices ask for a code.', waitMs);
}

const noPairing = (): AppError => new AppError('not_found', { what: 'A pairing with this secret' });

const noDevice = (): AppError =>
  new AppError('not_found', { what: 'A device that waits with this code' });
