import type { Installs, Verdict } from './install.ts';
import type { SharedParts } from './installs-parts.ts';
import type { PackageRecord } from './package-store.ts';

/** Whoever says which packages must not run. */
export interface VerdictSeat extends Pick<Installs, 'heed'> {
  readonly verdict: Verdict;
}

/** Creates it with nobody in it: until then, what was said of a package before holds. */
export function createVerdictSeat(): VerdictSeat {
  let current: Verdict = ({ revoked }) => revoked;
  return {
    heed: (verdict) => {
      current = verdict;
    },
    verdict: (judged) => current(judged),
  };
}

/** What becomes of the packages that are installed. */
export interface InstallJudge extends Pick<Installs, 'judge'> {
  /** Before anything starts: what is revoked by now does not. */
  readonly settle: () => Promise<void>;
}

/** Creates it. */
export function createInstallJudge({
  roster,
  order,
  swaps,
  packages,
  trials,
  turns,
  verdict,
}: SharedParts): InstallJudge {
  async function mark(record: PackageRecord, revoked: string | null): Promise<void> {
    const { pluginId } = record;
    const plugin = roster.find(pluginId);
    const reason = reasonOf(revoked);
    if (plugin) plugin.revocation = revoked;
    plugin?.note(revoked === null ? 'info' : 'error', reason);
    trials.drop(pluginId);
    // First: what may not run stops, even when nobody can write that down.
    if (revoked !== null) await plugin?.supervisor.stop();
    await swaps.setRevoked(record, { revoked, reason });
    await packages.refresh();
    if (plugin && revoked === null) await order.startIfReady(plugin);
  }

  async function settle(): Promise<void> {
    for (const record of packages.all()) {
      const revoked = verdict(record);
      const plugin = roster.find(record.pluginId);
      if (plugin) plugin.revocation = revoked;
      await swaps.setRevoked(record, { revoked, reason: reasonOf(revoked) });
    }
    await packages.refresh();
  }

  return {
    settle,
    judge: async () => {
      for (const { pluginId } of packages.all()) {
        await turns.quiet(pluginId);
        const record = packages.find(pluginId);
        if (!record || turns.isClosed()) continue;
        const revoked = verdict(record);
        if (revoked !== record.revoked) await turns.alone(pluginId, () => mark(record, revoked));
      }
    },
  };
}

const reasonOf = (revoked: string | null): string => revoked ?? 'It is not revoked any more.';
