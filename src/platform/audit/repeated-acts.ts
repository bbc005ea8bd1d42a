/**
 * Acts that a person repeats, other than an admin. The first act of a kind in an hour has an entry of
 * its own; its repeats are counted in the database, in the transaction of each act, and are one entry
 * after that hour. So neither many requests nor many servers fill the log, which nobody can shorten,
 * and a restart forgets no act.
 */
import type { Queries, Transaction } from '../../../kernel/store/index.ts';
import { toTimestamp } from '../clock.ts';
import type { AuditEntry, AuditPerson } from './audit-entry.ts';
import { addressOf, storable } from './audit-row.ts';
import { canonicalJson } from './chain.ts';
import {
  allRepeats,
  findRepeats,
  insertRepeats,
  removeRepeats,
  repeatsOver,
  updateRepeats,
  type RepeatKey,
  type RepeatRow,
} from './repeat-store.ts';

const hourMs = 60 * 60_000;
/** The most different acts that an entry lists; further ones are only counted. */
const mostListed = 12;
/** The longest details that are kept of a repeated act, in characters of JSON. */
const longestDetails = 250;
const mostClosedAtOnce = 200;

/** Acts that differ only in their time. */
interface ListedActs {
  readonly at: string;
  readonly target: string | null;
  readonly address: string | null;
  readonly credentialId: string;
  readonly credentialKind: string;
  readonly details: NonNullable<AuditEntry['details']>;
  count: number;
}

/** The entries that this act adds to the log now: none if it repeats one of the last hour. */
export async function entriesFor(
  trx: Transaction,
  act: AuditEntry,
  nowMs: number,
): Promise<readonly AuditEntry[]> {
  const { actor } = act;
  if (typeof actor === 'string' || actor.role === 'admin') return [act];
  const key = keyOf(act, actor);
  const hour = await findRepeats(trx, key);
  if (hour === undefined) {
    await insertRepeats(trx, { ...key, begun_at: nowMs, count: 0, acts: '[]' });
    return [act];
  }
  if (isOver(hour, nowMs)) {
    await updateRepeats(trx, { ...key, begun_at: nowMs, count: 0, acts: '[]' });
    return [...closingOf(hour), act];
  }
  const acts = JSON.stringify(withAct(actsOf(hour), act, { actor, nowMs }));
  await updateRepeats(trx, { ...hour, count: hour.count + 1, acts });
  return [];
}

/** Ends hours that are over, some at a time; returns their entries and whether there are more. */
export async function endHours(
  trx: Transaction,
  nowMs: number,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly isDone: boolean }> {
  const rows = await repeatsOver(trx, { nowMs, hourMs, limit: mostClosedAtOnce });
  for (const row of rows) await removeRepeats(trx, row);
  return { entries: rows.flatMap(closingOf), isDone: rows.length < mostClosedAtOnce };
}

/**
 * Takes over what the replaced database counts at the moment of a restore. Returns the entries of
 * what the restored one counted, where the other does not go on from it.
 */
export async function carryRepeats(
  trx: Transaction,
  replaced: Queries,
  goesOn: boolean,
): Promise<readonly AuditEntry[]> {
  const own = await allRepeats(trx);
  for (const row of own) await removeRepeats(trx, row);
  const isCounted = await replaced.schema.hasTable('audit_repeats');
  for (const row of isCounted ? await allRepeats(replaced) : []) await insertRepeats(trx, row);
  return goesOn ? [] : own.flatMap(closingOf);
}

const keyOf = (act: AuditEntry, { userId }: AuditPerson): RepeatKey => ({
  user_id: storable(userId),
  action: act.action,
  target_type: act.target?.type ?? '',
  counted_as: storable(act.countedAs ?? ''),
});

/** Also when the clock was set back: otherwise the hour could last for a year. */
const isOver = ({ begun_at }: RepeatRow, nowMs: number): boolean =>
  nowMs - begun_at >= hourMs || nowMs < begun_at;

const actsOf = ({ acts }: RepeatRow): readonly ListedActs[] =>
  JSON.parse(acts) as readonly ListedActs[];

function withAct(
  acts: readonly ListedActs[],
  act: AuditEntry,
  { actor, nowMs }: { readonly actor: AuditPerson; readonly nowMs: number },
): readonly ListedActs[] {
  const details = canonicalJson(act.details ?? {});
  const told = {
    target: act.target === null ? null : storable(act.target.id),
    address: addressOf(act),
    credentialId: storable(actor.credentialId),
    credentialKind: actor.credentialKind,
    details: details.length <= longestDetails ? (act.details ?? {}) : {},
  };
  const text = canonicalJson(told);
  const same = acts.find(({ at: _, count: __, ...one }) => canonicalJson(one) === text);
  if (same) return acts.map((one) => (one === same ? { ...one, count: one.count + 1 } : one));
  if (acts.length >= mostListed) return acts;
  return [...acts, { at: toTimestamp(nowMs), ...told, count: 1 }];
}

/** The entry of an hour with repeats. */
function closingOf(row: RepeatRow): readonly AuditEntry[] {
  const acts = actsOf(row);
  const [first] = acts;
  if (first === undefined) return [];
  const targets = new Set(acts.map(({ target }) => target));
  const addresses = new Set(acts.map(({ address }) => address));
  const isListedWhole = acts.reduce((sum, { count }) => sum + count, 0) === row.count;
  const isOneTarget = isListedWhole && targets.size === 1 && first.target !== null;
  return [
    {
      actor: {
        userId: row.user_id,
        role: 'user',
        credentialId: first.credentialId,
        credentialKind: first.credentialKind,
      },
      action: row.action,
      target: isOneTarget ? { type: row.target_type, id: first.target } : null,
      details: { count: row.count, since: toTimestamp(row.begun_at), acts: acts.map(listed) },
      address: isListedWhole && addresses.size === 1 ? first.address : null,
    },
  ];
}

const listed = ({ credentialKind: _, ...act }: ListedActs) => act;
