export { createPluginReach } from './plugin-reach.ts';
export type { NamedLibrary, PluginReach, PluginReachParts, ShownReach } from './plugin-reach.ts';
