export { createHealth, healthStatuses } from './health.ts';
export type { Health, HealthParts, HealthStatus, PluginHealth, PluginStates } from './health.ts';
export { createPluginAdmin } from './plugin-admin.ts';
export type { PluginAdmin, PluginAdminParts } from './plugin-admin.ts';
export { createPluginDirectory } from './plugin-directory.ts';
export type { PluginDirectory, PluginList, PluginsQuery } from './plugin-directory.ts';
export { createPluginViews } from './plugin-views.ts';
export type { PluginViews, PluginViewsParts, ViewContext } from './plugin-views.ts';
export { createStats, type Stats, type StatsParts, type TaskStats } from './stats.ts';
