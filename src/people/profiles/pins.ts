/**
 * PINs of profiles. Stored is only an argon2id hash, bound to its profile. An attempt is counted in
 * the database before the PIN is checked, so neither parallel attempts nor a restart allow more
 * than five. After that no PIN is checked for ten minutes, right or wrong. A user sets PINs at a rate
 * that leaves the server time for others.
 */
import { createKeyedTokenBuckets } from '../../../packages/lib/concurrency/index.ts';
import type { Database, Transaction } from '../../../kernel/store/index.ts';
import type { RecordAudit } from '../../platform/audit/index.ts';
import { toTimestamp, type Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { createFreshCache } from '../../platform/fresh-cache.ts';
import type { Passwords } from '../credentials/index.ts';
import type { Viewer } from '../viewer/index.ts';
import { readTries, writeTries, type StoredProfile } from './profile-store.ts';
import { findUnlock, noteUnlock, removeUnlocks } from './unlock-store.ts';

/** PINs, and the credentials that have unlocked profiles. */
export interface Pins {
  /** Rejects with `invalid_request` for a malformed PIN, with `too_many_requests` for too many. */
  readonly hash: (profileId: string, pin: string, viewer: Viewer) => Promise<string>;
  /** Rejects with `wrong_pin`, or with `too_many_attempts` and the seconds to wait. */
  readonly check: (profile: StoredProfile, pin: string, viewer: Viewer) => Promise<void>;
  readonly isUnlocked: (profileId: string, credentialId: string) => Promise<boolean>;
  /** Unlocks the profile for a credential for 12 hours; returns the end. */
  readonly unlock: (trx: Transaction, profileId: string, credentialId: string) => Promise<string>;
  /** Ends all unlocks of the profile. */
  readonly lock: (trx: Transaction, profileId: string) => Promise<void>;
  /** To be called after a transaction with `unlock` or `lock`. */
  readonly forget: () => void;
}

export interface PinsParts {
  readonly database: Database;
  readonly clock: Pick<Clock, 'now' | 'steady'>;
  readonly passwords: Pick<Passwords, 'hash' | 'verify'>;
  readonly audit: RecordAudit;
}

/** PINs that a user sets: ten, then one in five seconds. */
const settingRate = { capacity: 10, refill: 1, everyMs: 5000 };
const mostSetting = 10_000;
const mostTries = 5;
const blockMs = 10 * 60_000;
const unlockMs = 12 * 60 * 60_000;
const mostCached = 10_000;

export function createPins({ database, clock, passwords, audit }: PinsParts): Pins {
  const now = (clock.steady ?? clock).now;
  const setting = createKeyedTokenBuckets(settingRate, { mostKeys: mostSetting, now });
  const unlocks = createFreshCache<{ readonly untilMs: number }>(mostCached);

  /** Binds the hash to the profile, so that it is not valid in the row of another. */
  const boundTo = (profileId: string, pin: string): string => `profile-pin:${profileId}:${pin}`;

  const hash: Pins['hash'] = async (profileId, pin, { userId }) => {
    assertPin(pin);
    if (setting.take(userId) > 0) throw setTooOften();
    return passwords.hash(boundTo(profileId, pin), { purpose: 'pin', userId });
  };

  const check: Pins['check'] = async (profile, pin, viewer) => {
    const left = await database.write((trx) => beginTry(trx, profile, viewer));
    const isRight = await passwords
      .verify(boundTo(profile.id, pin), profile.pinHash, {
        purpose: 'pin',
        userId: viewer.userId,
      })
      .catch((error: unknown) => takeBack(profile.id, error));
    if (!isRight) throw new AppError('wrong_pin', { left: String(left) });
    await database.write((trx) => writeTries(trx, profile.id, { tries: 0, blockedUntilMs: 0 }));
  };

  /** The number of attempts left after this one. */
  async function beginTry(trx: Transaction, { id }: StoredProfile, viewer: Viewer) {
    const nowMs = clock.now();
    const { tries, blockedUntilMs } = await readTries(trx, id);
    if (blockedUntilMs > nowMs) throw tooMany(blockedUntilMs - nowMs);
    const count = (tries >= mostTries ? 0 : tries) + 1;
    const isLast = count === mostTries;
    await writeTries(trx, id, { tries: count, blockedUntilMs: isLast ? nowMs + blockMs : 0 });
    if (isLast) {
      const target = { type: 'profile', id };
      await audit(trx, {
        actor: viewer,
        action: 'profile.pin_tries_used_up',
        change: 'event',
        target,
      });
    }
    return mostTries - count;
  }

  /** The server was too busy to check the PIN, so the attempt is not counted. */
  async function takeBack(id: string, error: unknown): Promise<never> {
    await database.write(async (trx) => {
      const { tries } = await readTries(trx, id);
      await writeTries(trx, id, { tries: Math.max(0, tries - 1), blockedUntilMs: 0 });
    });
    throw error;
  }

  const isUnlocked: Pins['isUnlocked'] = async (profileId, credentialId) => {
    const found = await unlocks.get(`${profileId} ${credentialId}`, async () => {
      const untilMs = await findUnlock(database.read, { profileId, credentialId });
      return untilMs === undefined ? undefined : { untilMs };
    });
    return found !== undefined && found.untilMs > clock.now();
  };

  const unlock: Pins['unlock'] = async (trx, profileId, credentialId) => {
    const nowMs = clock.now();
    const untilMs = nowMs + unlockMs;
    await noteUnlock(trx, { profileId, credentialId, untilMs }, nowMs);
    return toTimestamp(untilMs);
  };

  return { hash, check, isUnlocked, unlock, lock: removeUnlocks, forget: unlocks.forget };
}

function assertPin(pin: string): void {
  if (/^[0-9]{4,8}$/.test(pin)) return;
  throw new AppError('invalid_request', { what: 'pin must be 4 to 8 digits.' });
}

const setTooOften = (): AppError =>
  new AppError('too_many_requests', {
    what: 'You set PINs too often: ten at once, then one in five seconds. Try again in five seconds.',
  });

const tooMany = (waitMs: number): AppError =>
  new AppError('too_many_attempts', { seconds: String(Math.ceil(waitMs / 1000)) });
