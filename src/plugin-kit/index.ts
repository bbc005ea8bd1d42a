/** What authors write plugins with: `vitrine plugin dev`, `test` and `check` stand on this. */
export { openPlugin } from './open-plugin.ts';
export { PluginFault } from './plugin-fault.ts';
export type { OpenPluginOptions, PluginUnderTest } from './plugin-under-test.ts';
