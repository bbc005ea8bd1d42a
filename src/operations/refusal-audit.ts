/**
 * The audit log of what plugins were refused. A plugin may be refused a thousand times a second, so each
 * thing that is new stands there at once and the rest once an hour: a dozen entries an hour for a plugin,
 * however hard it tries.
 */
import type { RefusedUse } from '../../kernel/index.ts';
import type { AuditEntry } from '../audit/index.ts';
import type { Clock, Undo } from '../clock.ts';

/** Hears of refusals. */
export interface RefusalAudit {
  readonly note: (refusal: RefusedUse) => void;
  /** Writes what was counted so far. */
  readonly flush: () => void;
}

/** What it is made of. */
export interface RefusalAuditParts {
  /** Writes an entry; a failure is its own affair. */
  readonly record: (entry: AuditEntry) => void;
  readonly clock: Clock;
}

interface Tally {
  readonly use: RefusedUse;
  count: number;
}

interface Hour {
  /** What was refused, by what is told at once. */
  readonly known: Map<string, Tally>;
  /** Beyond what can be told apart. */
  others: number;
  readonly undo: Undo;
}

const hourMs = 3_600_000;
const mostAtOnce = 10;
const mostKnown = 50;
const mostPlugins = 1000;

/** Refusals of what a plugin may not do; a call that made no sense harms nobody. */
const grave: ReadonlySet<string> = new Set([
  'permission_denied',
  'quota_exceeded',
  'net_refused',
  'outside_root',
]);

/** Creates it; nothing was refused yet. */
export function createRefusalAudit({ record, clock }: RefusalAuditParts): RefusalAudit {
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
    if (!grave.has(use.code)) return;
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

  /** What was told at once is counted here from the second time on. */
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

  return { note, flush: () => [...hours.keys()].forEach(end) };
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
