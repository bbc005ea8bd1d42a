import type { Installs, Verdict } from './install.ts';
import type { SharedParts } from './installs-parts.ts';
import type { PackageRecord } from '../packages/package-store.ts';

/** The rule that says which packages must not run. */
export interface RevocationRule extends Pick<Installs, 'setRevocationRule'> {
  readonly verdict: Verdict;
}

/** Creates the initial rule: the stored verdict of a package holds. */
export function createRevocationRule(): RevocationRule {
  let current: Verdict = ({ revoked }) => revoked;
  return {
    setRevocationRule: (verdict) => {
      current = verdict;
    },
    verdict: (judged) => current(judged),
  };
}

/** Applies the rule to installed packages. */
export interface RevocationCheck extends Pick<Installs, 'judge'> {
  /** Runs before any start, so that revoked packages do not start. */
  readonly settle: () => Promise<void>;
}

export function createRevocationCheck({
  installed,
  order,
  swaps,
  packages,
  probations,
  queue,
  verdict,
}: SharedParts): RevocationCheck {
  async function mark(record: PackageRecord, revoked: string | null): Promise<void> {
    const { pluginId } = record;
    const plugin = installed.find(pluginId);
    const reason = reasonOf(revoked);
    if (plugin) plugin.revocation = revoked;
    plugin?.note(revoked === null ? 'info' : 'error', reason);
    probations.drop(pluginId);
    // The plugin stops first, even if the database write fails.
    if (revoked !== null) await plugin?.supervisor.stop();
    await swaps.setRevoked(record, { revoked, reason });
    await packages.refresh();
    if (plugin && revoked === null) await order.startIfReady(plugin);
  }

  async function settle(): Promise<void> {
    for (const record of packages.all()) {
      const revoked = verdict(record);
      const plugin = installed.find(record.pluginId);
      if (plugin) plugin.revocation = revoked;
      await swaps.setRevoked(record, { revoked, reason: reasonOf(revoked) });
    }
    await packages.refresh();
  }

  return {
    settle,
    judge: async () => {
      for (const { pluginId } of packages.all()) {
        await queue.idle(pluginId);
        const record = packages.find(pluginId);
        if (!record || queue.isClosed()) continue;
        const revoked = verdict(record);
        if (revoked !== record.revoked)
          await queue.exclusive(pluginId, () => mark(record, revoked));
      }
    },
  };
}

const reasonOf = (revoked: string | null): string => revoked ?? 'It is no longer revoked.';
