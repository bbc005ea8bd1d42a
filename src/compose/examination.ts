import type { InstallationRouteParts } from '../http/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/**
 * Examines the installation on request. The checks are loaded with the first one. `port` = where
 * this server listens.
 */
export function createExamination(
  { config, built, clock }: Pick<Infrastructure, 'config' | 'built' | 'clock'>,
  port: () => number,
): InstallationRouteParts['examine'] {
  let running: ReturnType<typeof examine> | null = null;
  async function examine() {
    const { examineInstallation, findingIn } = await import('../operations/doctor/index.ts');
    const now = clock.now();
    const parts = { config: { ...config, port: port() }, folder: built.folder, now };
    return { findings: await examineInstallation(parts), examinedAt: now, findingIn };
  }
  return async (locale) => {
    running ??= examine().finally(() => {
      running = null;
    });
    const { findings, examinedAt, findingIn } = await running;
    return { findings: findings.map((one) => findingIn(one, locale)), examinedAt };
  };
}
