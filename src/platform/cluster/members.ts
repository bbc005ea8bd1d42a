/**
 * The servers of one database, as each of them describes itself. A server that died or froze stays
 * listed as missing until one starts at its address, or for a day.
 */
import type { Queries } from '../../../kernel/store/index.ts';
import type { Difference, Member } from './member.ts';
import { listMembers, type MemberRow } from './shared-store.ts';

/** A clock that is further off makes signed links and sign-ins fail. */
const mostClockMs = 10_000;

/** All servers, compared with the leader. */
export async function readMembers(read: Queries): Promise<readonly Member[]> {
  const rows = await listMembers(read);
  const leader = rows.find((row) => row.is_leader === 1);
  return rows.map((row) => ({
    id: row.id,
    address: row.address,
    roles: row.roles === '' ? [] : row.roles.split(','),
    version: row.version,
    startedAtMs: row.started_ms,
    lastBeatMs: row.heartbeat_ms,
    state: row.is_missing === 1 ? 'missing' : 'present',
    isLeader: row === leader,
    differences: row.is_missing === 1 ? [] : differencesOf(row, leader),
  }));
}

function differencesOf(row: MemberRow, leader: MemberRow | undefined): readonly Difference[] {
  const clock = Math.abs(row.clock_ahead_ms) > mostClockMs ? row.clock_ahead_ms / 1000 : 0;
  const found: readonly Difference[] = [
    { what: 'version', detail: row.version === leader?.version ? '' : row.version },
    { what: 'settings', detail: differing(row.settings, leader?.settings) },
    { what: 'plugins', detail: differing(row.plugins, leader?.plugins) },
  ];
  return [
    ...(leader === undefined ? [] : found.filter(({ detail }) => detail !== '')),
    // The leader too may lack a plugin. Its clock too is compared with that of the database.
    ...(row.lacks === '' ? [] : [{ what: 'lacking' as const, detail: row.lacks }]),
    ...(clock === 0 ? [] : [{ what: 'clock' as const, detail: `${Math.round(clock)}` }]),
  ];
}

/** The keys whose values differ. A server that has not described itself yet has none. */
function differing(own: string, leader = '{}'): string {
  const [mine, theirs] = [facts(own), facts(leader)];
  if (mine.size === 0 || theirs.size === 0) return '';
  const keys = new Set([...mine.keys(), ...theirs.keys()]);
  return [...keys]
    .filter((key) => mine.get(key) !== theirs.get(key))
    .sort()
    .join(', ');
}

const facts = (json: string): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(JSON.parse(json) as object));
