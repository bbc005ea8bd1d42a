export { explained } from './explained-permissions.ts';
export { createMetadataPreset, type MetadataPreset } from './metadata-preset.ts';
export { PluginAdmin } from './plugin-admin.ts';
export type { PluginAdminParts } from './plugin-admin.ts';
export { createPluginDirectory } from './plugin-directory.ts';
export type { PluginDirectory, PluginList, PluginsQuery } from './plugin-directory.ts';
export { createPluginDryRun } from './plugin-dry-run.ts';
export type { PluginDryRun } from './plugin-dry-run.ts';
export { createPluginProblems } from './plugin-problems.ts';
export type { PluginProblems, PluginProblemsParts } from './plugin-problems.ts';
export { createProfilePlugins, type ProfilePlugins } from './profile-plugins.ts';
export { createPluginViews } from './plugin-views.ts';
export type { PluginViews, PluginViewsParts, ViewContext } from './plugin-views.ts';
export { createViewerRateLimit, type ViewerRateLimit } from './viewer-rate-limit.ts';
export { reportLostProvider, reportSuspended } from './plugin-notices.ts';
export {
  endPluginNotice,
  endPluginNotices,
  pluginNotice,
  type PluginNoticeKind,
} from './plugin-notice.ts';
