import { explained } from '../../../plugins/admin/index.ts';
import type { Uploads } from '../../../plugins/marketplace/index.ts';
import type { PluginReach } from '../../../plugins/scopes/index.ts';
import { InstalledReply } from '../../../contract/resources/plugins/plugin.ts';
import * as schema from '../../../contract/resources/plugins/packages.ts';
import { routes } from '../../route.ts';

const shared = {
  tag: 'plugins',
  access: 'admin',
  failsWithCode: true,
  bodyLimit: schema.largestUpload,
} as const;

/** What the routes of package files need. */
export interface PackageRouteParts {
  readonly uploads: Uploads;
  readonly reach: Pick<PluginReach, 'show'>;
}

/** Plugins from package files that an admin sends. */
export const packageRoutes = routes<PackageRouteParts>(shared, (route, { uploads, reach }) => {
  route('POST /api/plugins/packages/look', {
    operation: 'checkPluginPackage',
    summary: 'Check a package file, and say what it asks for; nothing is installed',
    body: schema.LookBody,
    reply: schema.LookReply,
    handler: async ({ body, viewer: { locale } }) => {
      const { permissions, ...found } = await uploads.look(body.file, locale);
      return { ...found, permissions: explained(permissions, reach, locale) };
    },
  });

  route('POST /api/plugins/packages', {
    operation: 'installPluginPackage',
    summary: 'Install or upgrade a plugin from a package file',
    body: schema.UploadBody,
    reply: InstalledReply,
    handler: ({ body, viewer }) => uploads.install(body, viewer),
  });
});
