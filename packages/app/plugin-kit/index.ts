/** The tools for plugin authors, behind `vitrine plugin dev`, `test` and `check`. */
export { runDev, type DevParts } from './dev/dev.ts';
export { createPrinter } from './dev/dispatch-printer.ts';
export { bundlePlugin } from './packing/bundle.ts';
export { isOutdated, writeConfigurationTypes } from './packing/configuration-types.ts';
export type { Finding, FindingCode } from './review/finding.ts';
export { readPluginSource, sourceIn } from './packing/plugin-source.ts';
export { reviewManifest } from './review/review-manifest.ts';
export { reviewPlugin, type Review } from './review/review.ts';
export { tryStart, type PackedPlugin, type PluginOrigin } from './test-harness/try-start.ts';
export { openPlugin } from './test-harness/open-plugin.ts';
export { createFileWatch } from './dev/watch-files.ts';
export { PluginFault } from './packing/plugin-fault.ts';
export type { OpenPluginOptions, PluginUnderTest } from './test-harness/plugin-under-test.ts';
