/**
 * Records refused calls of plugins in the audit log. A plugin may be refused a thousand times a
 * second, so each new kind of refusal is written immediately and further ones once an hour: about a
 * dozen entries an hour for a plugin at most.
 */
import type { RefusedUse } from '../../../kernel/run/index.ts';
import type { AuditEntry } from '../../platform/audit/index.ts';
import type { Clock, Undo } from '../../platform/clock.ts';

/** Records refusals. */
export type RefusalAudit = ReturnType<typeof createRefusalAudit>;

export interface RefusalAuditParts {
  /** Writes an entry, and handles its own failures. */
  readonly record: (entry: AuditEntry) => void;
  readonly clock: Clock;
}

interface Tally {
  readonly use: RefusedUse;
  count: number;
}

interface Hour {
  /** Counts of the kinds that have an entry. */
  readonly known: Map<string, Tally>;
  /** The count of further kinds. */
  others: number;
  readonly undo: Undo;
}

const hourMs = 3_600_000;
const mostAtOnce = 10;
const mostKnown = 50;
const mostPlugins = 1000;

/** The refusals that are recorded; a malformed call is harmless. */
const auditedCodes: ReadonlySet<string> = new Set([
  'permission_denied',
  'quota_exceeded',
  'net_refused',
  'outside_root',
]);

/** Creates it with no refusals counted. */
export function createRefusalAudit({ record, clock }: RefusalAuditParts) {
  const hours = new Map<string, Hour>();

  function hourOf(pluginId: string): Hour | null {
    const known = hours.get(pluginId);
    if (known) return known;
    if (hours.size >= mostPlugins) return null;
    const undo = clock.after(hourMs, () => end(pluginId));
    const fresh: Hour = { known: new Map(), others: 0, undo };
    hours.set(pluginId, fresh);
    return fresh;
  }

  function note(use: RefusedUse): void {
    if (!auditedCodes.has(use.code)) return;
    const hour = hourOf(use.pluginId);
    if (!hour) return;
    const key = JSON.stringify([use.use.call, use.code]);
    const known = hour.known.get(key);
    if (known) known.count += 1;
    else if (hour.known.size >= mostKnown) hour.others += 1;
    else {
      hour.known.set(key, { use, count: 0 });
      if (hour.known.size <= mostAtOnce) record(entryOf(use.pluginId, toldOf(use, 1)));
      else hour.known.set(key, { use, count: 1 });
    }
  }

  /** Ends the hour of a plugin: refusals with an entry are counted from the second one on. */
  function end(pluginId: string): void {
    const hour = hours.get(pluginId);
    hours.delete(pluginId);
    hour?.undo();
    if (!hour) return;
    const again = [...hour.known.values()].filter(({ count }) => count > 0);
    if (again.length === 0 && hour.others === 0) return;
    const refusals = again.map(({ use, count }) => toldOf(use, count));
    record(entryOf(pluginId, { refusals, ...(hour.others > 0 && { others: hour.others }) }));
  }

  return {
    note /** Writes the pending counts. */,
    flush: (): void => [...hours.keys()].forEach(end),
  };
}

const toldOf = ({ use, code, message }: RefusedUse, count: number) => ({
  call: use.call,
  subject: use.subject,
  permission: use.need?.name ?? null,
  code,
  message: message.slice(0, 300),
  count,
});

const entryOf = (pluginId: string, details: NonNullable<AuditEntry['details']>): AuditEntry => ({
  actor: 'server',
  action: 'plugin.refused',
  target: { type: 'plugin', id: pluginId },
  details,
});
