import type { ShownFinding } from '../../../operations/doctor/index.ts';
import * as schema from '../../../contract/resources/operations/installation.ts';
import { routes } from '../../route.ts';
import type { SettingInUse } from '../../../contract/resources/operations/installation.ts';

const shared = { tag: 'operations', access: 'admin' } as const;

export interface InstallationRouteParts {
  readonly settings: readonly SettingInUse[];
  /** Examines the installation now; calls at the same time share one examination. */
  readonly examine: (locale: string | null | undefined) => Promise<{
    /** In the language of a reader. */
    readonly findings: readonly ShownFinding[];
    /** Unix milliseconds. */
    readonly examinedAt: number;
  }>;
}

/** The installation: its settings, and what `vitrine doctor` finds. */
export const installationRoutes = routes<InstallationRouteParts>(
  shared,
  (route, { settings, examine }) => {
    route('GET /api/settings', {
      operation: 'getSettings',
      summary: 'The settings that the server was started with, and where each comes from',
      reply: schema.SettingsReply,
      handler: () => ({ settings: [...settings] }),
    });

    route('GET /api/doctor', {
      operation: 'checkInstallation',
      summary: 'Examine the installation now, as `vitrine doctor` does',
      reply: schema.ExaminationReply,
      handler: async ({ viewer }) => {
        const { findings, examinedAt } = await examine(viewer.locale);
        return { findings: [...findings], examinedAt: new Date(examinedAt).toISOString() };
      },
    });
  },
);
