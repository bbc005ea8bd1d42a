import type { ShownFinding } from '../../../operations/doctor/index.ts';
import type { SettingInUse } from '../../../platform/setting-in-use.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import {
  ExaminationReply,
  SettingsReply,
} from '../../../contract/resources/operations/installation.ts';

/** What the routes of the installation need. */
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

const tags = ['operations'];
const config = { access: 'admin' } as const;

/** The installation: its settings, and what `vitrine doctor` finds. */
export const installationRoutes: Routes<InstallationRouteParts> = async (
  app,
  { settings, examine },
) => {
  app.get(
    '/api/settings',
    {
      config,
      schema: {
        operationId: 'getSettings',
        summary: 'The settings that the server was started with, and where each comes from',
        tags,
        response: { 200: SettingsReply },
      },
    },
    async () => ({ settings: [...settings] }),
  );

  app.get(
    '/api/doctor',
    {
      config,
      schema: {
        operationId: 'checkInstallation',
        summary: 'Examine the installation now, as `vitrine doctor` does',
        tags,
        response: { 200: ExaminationReply },
      },
    },
    async (request) => {
      const { findings, examinedAt } = await examine(viewerOf(request).locale);
      return { findings: [...findings], examinedAt: new Date(examinedAt).toISOString() };
    },
  );
};
