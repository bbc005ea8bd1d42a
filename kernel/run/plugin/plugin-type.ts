/** The origin of a plugin. */
export type PluginType = 'builtin' | 'marketplace' | 'local';
