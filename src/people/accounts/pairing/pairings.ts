/**
 * Pairing: a device without a keyboard gets a session of a person who is signed in elsewhere. The
 * device shows a code and keeps a secret. The code lets a person find the device and decide; only
 * the secret gets the session, so reading the code from the screen gives nothing away. A code holds
 * for ten minutes and for one decision. Both stand in memory, so a restart ends all that wait.
 */
import type { Database } from '../../../../kernel/storage/index.ts';
import { createKeyedTokenBuckets } from '../../../../packages/concurrency/index.ts';
import type { Audit, RecordAudit } from '../../../platform/audit/index.ts';
import { steadyOf, toTimestamp, type Clock } from '../../../platform/clock.ts';
import { AppError, tooOften } from '../../../platform/errors.ts';
import { createNetworkBuckets } from '../../../platform/network-buckets.ts';
import { siteOf } from '../../../platform/networks.ts';
import { hashOfToken, type AttemptGate } from '../../credentials/index.ts';
import type { Viewer } from '../../viewer/index.ts';
import { findSession } from '../session-store.ts';
import type { Device, FreshSession, Sessions } from '../sessions.ts';
import { findUser, shownUser } from '../user-store.ts';
import type { Users } from '../users.ts';
import { newPairingCode, readPairingCode } from './pairing-code.ts';
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

/** Devices that wait for a person. `network` is what counts as one client. */
export interface Pairings {
  /** Rejects with `too_often`. */
  readonly begin: (device: Device) => BegunPairing;
  /**
   * Asks with the secret. The session is given once. Throws `not_found` when the pairing has ended,
   * `too_often` when it asks too often.
   */
  readonly claim: (secret: string, network: string) => PairingState;
  /** The device with that code. Throws `not_found`, `forbidden` without a session, `too_many_attempts`. */
  readonly look: (decision: Decision) => WaitingDevice;
  /** Opens a session of the viewer for the device, under a name that the viewer may choose. */
  readonly accept: (
    decision: Decision & { readonly deviceName?: string | undefined },
  ) => Promise<void>;
  /** Tells the device that it gets no session. */
  readonly refuse: (decision: Decision) => void;
}

export interface PairingsParts {
  readonly database: Database;
  readonly users: Pick<Users, 'noteSeen'>;
  readonly sessions: Pick<Sessions, 'open' | 'forget'>;
  readonly gate: AttemptGate;
  readonly audit: RecordAudit;
  readonly tally: Audit['tally'];
  readonly clock: Clock;
  readonly random: (count: number) => Buffer;
}

const lifetimeMs = 10 * 60_000;
const perMinute = { ofHousehold: 10, ofSite: 30 };
const claimsPerMinute = 240;
/** How many devices may wait at a time; above it, one of the site with the most gives way. */
const mostWaiting = 1000;
const mostNetworks = 10_000;
const freeGuesses = { ofOneUser: 10, ofOneNetwork: 30 };

interface Entry {
  readonly code: string;
  readonly secretHash: string;
  readonly device: Device;
  /** The wider network of the device: all of its addresses share the places. */
  readonly site: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** By a clock that nobody sets. */
  readonly begunMs: number;
  state: PairingState;
  /** Somebody decides now, or has decided. */
  isTaken: boolean;
}

/** Creates pairings without a device that waits. */
export function createPairings(parts: PairingsParts): Pairings {
  const { database, users, sessions, gate, audit, tally, clock, random } = parts;
  const bySecret = new Map<string, Entry>();
  const byCode = new Map<string, Entry>();
  const minute = (count: number) => ({ capacity: count, refill: count, everyMs: 60_000 });
  const { now } = steadyOf(clock);
  const endOf = (): string => toTimestamp(clock.now() + lifetimeMs);
  const ofNetworks = { mostKeys: mostNetworks, now };
  const begins = createNetworkBuckets(perMinute, clock);
  const claims = createKeyedTokenBuckets(minute(claimsPerMinute), ofNetworks);

  const isOver = ({ begunMs }: Entry): boolean => now() - begunMs >= lifetimeMs;

  function forget({ code, secretHash }: Entry): void {
    bySecret.delete(secretHash);
    byCode.delete(code);
  }

  /** Bounds the memory, and lets nobody keep others out: who has the most places loses the oldest. */
  function makeRoom(): void {
    for (const entry of bySecret.values()) if (isOver(entry)) forget(entry);
    if (bySecret.size < mostWaiting) return;
    const sites = [...Map.groupBy(bySecret.values(), ({ site }) => site).values()];
    const most = sites.reduce((one, other) => (other.length > one.length ? other : one));
    const [oldest] = most;
    if (oldest !== undefined) forget(oldest);
  }

  const begin: Pairings['begin'] = (device) => {
    const address = device.address ?? '';
    const waitMs = begins.take(address);
    if (waitMs > 0) throw tooOften('Too many devices ask for a code.', waitMs);
    makeRoom();
    let code = newPairingCode(random);
    while (byCode.has(code)) code = newPairingCode(random);
    const secret = random(32).toString('base64url');
    const entry: Entry = {
      code,
      secretHash: hashOfToken(secret),
      device,
      site: siteOf(address),
      createdAt: toTimestamp(clock.now()),
      expiresAt: endOf(),
      begunMs: now(),
      state: { status: 'waiting' },
      isTaken: false,
    };
    bySecret.set(entry.secretHash, entry);
    byCode.set(code, entry);
    return { code, secret, expiresAt: entry.expiresAt };
  };

  const claim: Pairings['claim'] = (secret, network) => {
    const waitMs = claims.take(network);
    if (waitMs > 0) throw tooOften('The devices of this address ask too often.', waitMs);
    const entry = bySecret.get(hashOfToken(secret));
    if (entry === undefined || isOver(entry)) {
      throw new AppError('not_found', { what: 'A pairing with this secret' });
    }
    if (entry.state.status !== 'waiting') forget(entry);
    return entry.state;
  };

  /** The device that waits with the code. Each wrong code counts against the user and the network. */
  function waiting({ code, viewer, network }: Decision): Entry {
    if (viewer.credentialKind !== 'session') {
      throw new AppError('forbidden', {
        what: 'Only a person who is signed in with a session can let a device in.',
      });
    }
    const attempt = gate.begin([
      { key: `pairing:${viewer.userId}`, free: freeGuesses.ofOneUser },
      { key: `pairing-network:${network}`, free: freeGuesses.ofOneNetwork },
    ]);
    const known = readPairingCode(code);
    const entry = known === null ? undefined : byCode.get(known);
    if (entry === undefined || entry.isTaken || isOver(entry)) {
      const target = { type: 'user', id: viewer.userId };
      tally({ actor: viewer, action: 'pairing.failed', target });
      throw new AppError('not_found', { what: 'A device that waits with this code' });
    }
    attempt.succeeded([]);
    return entry;
  }

  const accept: Pairings['accept'] = async ({ deviceName, ...decision }) => {
    const entry = waiting(decision);
    // Taken before the first wait, so that of two decisions at once only one holds.
    entry.isTaken = true;
    try {
      entry.state = await opened(entry, decision.viewer, deviceName);
    } catch (error) {
      entry.isTaken = false;
      throw error;
    }
    byCode.delete(entry.code);
    sessions.forget();
  };

  const opened = (
    { device }: Entry,
    viewer: Viewer,
    chosenName: string | undefined,
  ): Promise<PairingState> =>
    database.write(async (trx) => {
      const own = await findSession(trx, viewer.credentialId);
      const user = own && (await findUser(trx, own.userId));
      // The session of the request may have ended since it was checked.
      if (!user) throw new AppError('sign_in_again', {});
      if (user.disabled) throw new AppError('account_disabled', {});
      const name = chosenName ?? device.name;
      const fresh = await sessions.open(trx, user.id, { ...device, name });
      await users.noteSeen(trx, user.id, toTimestamp(clock.now()));
      const target = { type: 'session', id: fresh.sessionId };
      const details = { deviceName: name, deviceAddress: device.address };
      await audit(trx, {
        actor: viewer,
        action: 'session.paired',
        change: 'event',
        target,
        details,
      });
      return { status: 'accepted', user: shownUser(user), ...fresh };
    });

  return {
    begin,
    claim,
    look: (decision) => {
      const { device, createdAt, expiresAt } = waiting(decision);
      const { name: deviceName, address } = device;
      const userAgent = device.userAgent?.slice(0, 300) ?? null;
      return { deviceName, userAgent, address, createdAt, expiresAt };
    },
    accept,
    refuse: (decision) => {
      const entry = waiting(decision);
      entry.isTaken = true;
      entry.state = { status: 'refused' };
      byCode.delete(entry.code);
    },
  };
}
