import type { Knex } from 'knex';

/** One server that uses a license. */
export interface Seat {
  readonly licenseId: string;
  readonly serverId: string;
}

interface SeatRow {
  readonly license_id: string;
  readonly server_id: string;
  readonly taken_at: number;
  readonly seen_at: number;
}

const seats = (db: Knex) => db<SeatRow>('seats');

const keyOf = ({ licenseId, serverId }: Seat) => ({ license_id: licenseId, server_id: serverId });

/** Returns whether the server held the seat already. */
export async function touchSeat(trx: Knex, seat: Seat, now: number): Promise<boolean> {
  return (await seats(trx).where(keyOf(seat)).update({ seen_at: now })) > 0;
}

export async function insertSeat(trx: Knex, seat: Seat, now: number): Promise<void> {
  await seats(trx).insert({ ...keyOf(seat), taken_at: now, seen_at: now });
}

/** Returns whether there was such a seat. */
export async function deleteSeat(trx: Knex, seat: Seat): Promise<boolean> {
  return (await seats(trx).where(keyOf(seat)).delete()) > 0;
}

export async function deleteSeatsSeenBefore(trx: Knex, licenseId: string, moment: number) {
  await seats(trx).where('license_id', licenseId).where('seen_at', '<', moment).delete();
}

export async function countSeats(db: Knex, licenseId: string): Promise<number> {
  const row = await seats(db)
    .where('license_id', licenseId)
    .count<{ total: number | string }[]>({ total: '*' })
    .first();
  return Number(row?.total ?? 0);
}
