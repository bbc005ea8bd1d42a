/** The first minutes of a version that runs: it settles, or it is taken back without anybody asking. */
import type { InstallReturn } from './install-return.ts';
import type { InstalledPlugin } from './installed-plugin.ts';
import type { SharedParts } from './installs-parts.ts';
import type { PackageRecord } from './package-store.ts';
import type { Trial } from './trial.ts';

/** Watches versions. */
export interface InstallWatch {
  readonly setPhase: (id: string, phase: PackageRecord['phase']) => Promise<void>;
  /** From the moment in which it runs. */
  readonly begin: (trial: Trial, version: string) => Promise<void>;
  /** Goes on with what an earlier run of the server watched. */
  readonly resume: () => Promise<void>;
}

/** For so long after an upgrade, crashes take it back. */
const watchMs = 5 * 60_000;

/** Creates it; nothing is watched yet. */
export function createInstallWatch(
  { roster, clock, log, swaps, packages, trials, turns }: SharedParts,
  takeBack: InstallReturn['takeBack'],
): InstallWatch {
  async function setPhase(id: string, phase: PackageRecord['phase']): Promise<void> {
    await swaps.setPhase(id, phase);
    await packages.refresh();
  }

  function watch(trial: Trial, { version, afterMs }: { version: string; afterMs: number }): void {
    const { plugin } = trial;
    trials.watch(trial, {
      afterMs,
      passed: () =>
        void setPhase(plugin.id, 'settled').catch((error: unknown) =>
          log.warn({ err: error, pluginId: plugin.id }, 'An upgrade was not marked as settled.'),
        ),
      spoiled: (why) => void revert(plugin, { version, why }),
    });
  }

  /** By itself: a version that ran, and was not good enough. */
  async function revert(
    plugin: InstalledPlugin,
    { version, why }: { version: string; why: string },
  ): Promise<void> {
    const record = packages.find(plugin.id);
    if (turns.isClosed() || !record?.previous || record.version !== version) return;
    try {
      await turns.alone(plugin.id, async () => {
        const { sha256 } = record;
        await takeBack(plugin.id, { sha256, made: plugin, restarts: true, reason: why });
      });
    } catch (error) {
      log.error({ err: error, pluginId: plugin.id }, 'A failing upgrade could not be taken back.');
    }
  }

  return {
    setPhase,
    begin: async (trial, version) => {
      await setPhase(trial.plugin.id, 'watched');
      watch(trial, { version, afterMs: watchMs });
    },
    resume: async () => {
      for (const { pluginId, phase, phaseAt, version } of packages.all()) {
        const plugin = roster.find(pluginId);
        if (!plugin || phase !== 'watched') continue;
        const afterMs = Math.max(0, phaseAt + watchMs - clock.now());
        watch(trials.begin(plugin), { version, afterMs });
      }
      await turns.sweep();
    },
  };
}
