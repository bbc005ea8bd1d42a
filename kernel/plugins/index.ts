export { createManifestReader } from './manifest.ts';
export type { ManifestReader, Parsed } from './manifest.ts';
export type { Plugin, PluginType, PluginUsage, SkippedPlugin, SkippedReason } from './plugin.ts';
export type { PluginState } from './lifecycle.ts';
