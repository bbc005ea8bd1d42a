/** The tools for plugin authors, behind `vitrine plugin dev`, `test` and `check`. */
export { runDev, type DevParts } from './dev.ts';
export { createPrinter } from './dispatch-printer.ts';
export { bundlePlugin } from './bundle.ts';
export type { Finding, FindingCode } from './finding.ts';
export { readPluginSource } from './plugin-source.ts';
export { reviewPlugin, type Review } from './review.ts';
export { tryStart, type PackedPlugin, type PluginOrigin } from './try-start.ts';
export { openPlugin } from './open-plugin.ts';
export { createFileWatch } from './watch-files.ts';
export { PluginFault } from './plugin-fault.ts';
export type { OpenPluginOptions, PluginUnderTest } from './plugin-under-test.ts';
