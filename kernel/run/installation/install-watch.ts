/** The first minutes of a new version: it settles, or the server rolls it back by itself. */
import type { Rollback } from './rollback.ts';
import type { InstalledPlugin } from '../registry/installed-plugin.ts';
import type { SharedParts } from './installs-parts.ts';
import type { PackageRecord } from '../packages/package-store.ts';
import type { Probation } from './probation.ts';

/** Watches new versions. */
export type InstallWatch = ReturnType<typeof createInstallWatch>;

/** Crashes within this time after an upgrade roll it back. */
const watchMs = 5 * 60_000;

/** Creates the watch; nothing is watched yet. */
export function createInstallWatch(
  { installed, clock, log, swaps, packages, probations, queue }: SharedParts,
  takeBack: Rollback['takeBack'],
) {
  async function setPhase(id: string, phase: PackageRecord['phase']): Promise<void> {
    await swaps.setPhase(id, phase);
    await packages.refresh();
  }

  function watch(
    probation: Probation,
    { version, afterMs }: { version: string; afterMs: number },
  ): void {
    const { plugin } = probation;
    probations.watch(probation, {
      afterMs,
      passed: () =>
        void setPhase(plugin.id, 'settled').catch((error: unknown) =>
          log.warn(
            { err: error, pluginId: plugin.id },
            'An upgrade could not be marked as settled.',
          ),
        ),
      failed: (why) => void revert(plugin, { version, why }),
    });
  }

  /** Rolls back a version that ran but failed its probation. */
  async function revert(
    plugin: InstalledPlugin,
    { version, why }: { version: string; why: string },
  ): Promise<void> {
    const record = packages.find(plugin.id);
    if (
      queue.isClosed() ||
      record === undefined ||
      record.earlier.length === 0 ||
      record.version !== version
    )
      return;
    try {
      await queue.exclusive(plugin.id, async () => {
        const { sha256 } = record;
        await takeBack(plugin.id, { sha256, made: plugin, restarts: true, reason: why });
      });
    } catch (error) {
      log.error({ err: error, pluginId: plugin.id }, 'A failing upgrade could not be rolled back.');
    }
  }

  return {
    setPhase,
    /** Call this when the version has started to run. */
    begin: async (probation: Probation, version: string): Promise<void> => {
      await setPhase(probation.plugin.id, 'watched');
      watch(probation, { version, afterMs: watchMs });
    },
    /** Continues watches of an earlier run of the server. */
    resume: async (): Promise<void> => {
      for (const { pluginId, phase, phaseAt, version } of packages.all()) {
        const plugin = installed.find(pluginId);
        if (!plugin || phase !== 'watched') continue;
        const afterMs = Math.max(0, phaseAt + watchMs - clock.now());
        watch(probations.begin(plugin), { version, afterMs });
      }
      await queue.sweep();
    },
  };
}
