export type { Authors } from './authors.ts';
export { createPluginReach } from './plugin-reach.ts';
export type { PluginReach, PluginReachParts, ShownReach } from './plugin-reach.ts';
export { createPluginViewers, type PluginViewers } from './viewers.ts';
export { parseScopes, type NamedLibrary, type ParsedScopes } from './parse-scopes.ts';
