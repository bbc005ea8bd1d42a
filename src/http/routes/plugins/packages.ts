import { explained } from '../../../plugins/admin/index.ts';
import type { Uploads } from '../../../plugins/marketplace/index.ts';
import type { PluginReach } from '../../../plugins/scopes/index.ts';
import { viewerOf } from '../../access.ts';
import type { Routes } from '../../http-app.ts';
import { InstalledReply } from '../../../contract/resources/plugins/plugin.ts';
import {
  largestUpload,
  LookBody,
  LookReply,
  UploadBody,
} from '../../../contract/resources/plugins/packages.ts';

/** What the routes of package files need. */
export interface PackageRouteParts {
  readonly uploads: Uploads;
  readonly reach: Pick<PluginReach, 'show'>;
}

const common = {
  config: { access: 'admin', failsWithCode: true },
  bodyLimit: largestUpload,
} as const;
const tags = ['plugins'];

/** Plugins from package files that an admin sends. */
export const packageRoutes: Routes<PackageRouteParts> = async (app, { uploads, reach }) => {
  app.post(
    '/api/plugins/packages/look',
    {
      ...common,
      schema: {
        operationId: 'checkPluginPackage',
        summary: 'Check a package file, and say what it asks for; nothing is installed',
        tags,
        body: LookBody,
        response: { 200: LookReply },
      },
    },
    async (request) => {
      const { locale } = viewerOf(request);
      const { permissions, ...found } = await uploads.look(request.body.file, locale);
      return { ...found, permissions: explained(permissions, reach, locale) };
    },
  );

  app.post(
    '/api/plugins/packages',
    {
      ...common,
      schema: {
        operationId: 'installPluginPackage',
        summary: 'Install or upgrade a plugin from a package file',
        tags,
        body: UploadBody,
        response: { 200: InstalledReply },
      },
    },
    (request) => uploads.install(request.body, viewerOf(request)),
  );
};
