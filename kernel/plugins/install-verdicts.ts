import type { Installs } from './install.ts';
import type { SharedParts } from './installs-parts.ts';
import type { PackageRecord } from './package-store.ts';

/** Creates the one function that stops what must not run, and lets run what may again. */
export function createInstallVerdicts({
  roster,
  order,
  swaps,
  packages,
  trials,
  turns,
}: SharedParts): Installs['judge'] {
  async function mark(record: PackageRecord, revoked: string | null): Promise<void> {
    const { pluginId } = record;
    const plugin = roster.find(pluginId);
    const reason = revoked ?? 'It is not revoked any more.';
    if (plugin) plugin.revocation = revoked;
    plugin?.note(revoked === null ? 'info' : 'error', reason);
    trials.drop(pluginId);
    // First: what may not run stops, even when nobody can write that down.
    if (revoked !== null) await plugin?.supervisor.stop();
    await swaps.setRevoked(record, { revoked, reason });
    await packages.refresh();
    if (plugin && revoked === null) await order.startIfReady(plugin);
  }

  return async (verdict) => {
    for (const { pluginId } of packages.all()) {
      await turns.quiet(pluginId);
      const record = packages.find(pluginId);
      if (!record || turns.isClosed()) continue;
      const revoked = verdict(record);
      if (revoked !== record.revoked) await turns.alone(pluginId, () => mark(record, revoked));
    }
  };
}
