import type { Database } from '../../../kernel/store/index.ts';
import { verifyLicenseKey, type LicenseFault } from '../../../src/operations/license/index.ts';
import * as store from './seat-store.ts';

/** The result of a request about a seat. */
export type SeatOutcome =
  | { readonly kind: 'taken'; readonly current: number; readonly max: number }
  | { readonly kind: 'full'; readonly current: number; readonly max: number }
  | { readonly kind: 'released'; readonly wasHeld: boolean }
  | { readonly kind: 'refused'; readonly code: LicenseFault; readonly message: string };

/** The license and server of a request. */
export interface SeatRequest {
  readonly licenseKey: string;
  readonly serverId: string;
}

/** Counts servers by license. */
export type Seats = ReturnType<typeof createSeats>;

export interface SeatsParts {
  readonly database: Database;
  /** Public key of the issuer, 64 hex digits. */
  readonly issuer: string;
  readonly now: () => number;
}

/**
 * A server that was silent for this long lost its license after the grace of 14 days. Its seat
 * becomes free, so that the loss of a disk needs no operator.
 */
const lapseMs = 30 * 24 * 3600 * 1000;

export function createSeats({ database, issuer, now }: SeatsParts) {
  return {
    /** Takes a seat, or confirms it. */
    take: async ({ licenseKey, serverId }: SeatRequest): Promise<SeatOutcome> => {
      const verified = verifyLicenseKey(licenseKey, issuer);
      if (!verified.ok) return { kind: 'refused', code: verified.code, message: verified.message };
      const { id: licenseId, seats: max, exp } = verified.claims;
      const moment = now();
      if (moment >= exp * 1000)
        return { kind: 'refused', code: 'EXPIRED', message: 'The license has expired.' };
      return database.write(async (trx) => {
        await store.deleteSeatsSeenBefore(trx, licenseId, moment - lapseMs);
        const seat = { licenseId, serverId };
        const isHeld = await store.touchSeat(trx, seat, moment);
        const current = await store.countSeats(trx, licenseId);
        if (isHeld) return { kind: 'taken', current, max };
        if (current >= max) return { kind: 'full', current, max };
        await store.insertSeat(trx, seat, moment);
        return { kind: 'taken', current: current + 1, max };
      });
    },
    release: async ({ licenseKey, serverId }: SeatRequest): Promise<SeatOutcome> => {
      const verified = verifyLicenseKey(licenseKey, issuer);
      if (!verified.ok) return { kind: 'refused', code: verified.code, message: verified.message };
      const seat = { licenseId: verified.claims.id, serverId };
      const wasHeld = await database.write((trx) => store.deleteSeat(trx, seat));
      return { kind: 'released', wasHeld };
    },
  };
}
