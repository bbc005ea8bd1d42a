import type { Undo } from '../../../src/platform/clock.ts';
import { removeChallengesBefore } from './accounts/challenge-store.ts';
import { removePassesBefore, removeRenewalsBefore } from './pairing/client-store.ts';
import { removeSessionsBefore } from './accounts/account-store.ts';
import type { Apps } from './apps/apps.ts';
import type { Feed } from './feed/feed.ts';
import { removeLinksBefore } from './servers/link-store.ts';
import { readableAfterMs } from './pairing/pairing.ts';
import { removePairingsBefore } from './pairing/pairing-store.ts';
import { minuteMs, toSeconds, type Core } from './service/parts.ts';

/** Removes expired data, and checks domains again. */
export type Sweeper = ReturnType<typeof createSweeper>;

const everyMs = 5 * minuteMs;
/** How long a used renewal is stored, to refuse a replay. */
const renewalsKeptMs = 10 * minuteMs;

export function createSweeper(core: Core, feed: Feed, apps: Apps) {
  const { database, clock, log } = core;
  let cancel: Undo | null = null;
  let running: Promise<void> = Promise.resolve();
  let isEnded = false;

  const purge = (): Promise<void> => {
    const now = clock.now();
    return database.write(async (trx) => {
      await removeChallengesBefore(trx, now);
      await removeSessionsBefore(trx, now);
      await removePairingsBefore(trx, now - readableAfterMs);
      await removeLinksBefore(trx, now - readableAfterMs);
      await removeRenewalsBefore(trx, now - renewalsKeptMs);
      await removePassesBefore(trx, toSeconds(now));
      await feed.sweep(trx);
    });
  };

  const sweep = async (): Promise<void> => {
    await purge();
    await apps.recheck(() => !isEnded);
  };

  const plan = (): void => {
    cancel = clock.after(everyMs, () => {
      running = sweep()
        .catch((error: unknown) => log.error({ err: error }, 'Expired data could not be removed.'))
        .finally(() => {
          if (!isEnded) plan();
        });
    });
  };

  return {
    sweep,
    /** Runs now, and every five minutes from now on. */
    start: async (): Promise<void> => {
      await purge();
      plan();
    },
    /** Stops it, and waits for work in progress: at most one request to one domain. */
    stop: async (): Promise<void> => {
      isEnded = true;
      cancel?.();
      await running;
    },
  };
}
