import type { PluginSourceFiles } from '../packing/plugin-source.ts';
import type { StagedPlugin } from './test-harness.ts';

/** A plugin in the form that a test harness runs: its own manifest, with the bundle as `main`. */
export const stage = (
  { manifest, localeTexts }: Pick<PluginSourceFiles, 'manifest' | 'localeTexts'>,
  code: string,
): StagedPlugin => ({
  id: manifest.id,
  main: manifest.main,
  manifestJson: JSON.stringify(manifest),
  localeTexts,
  code,
  instances: manifest.resources?.instances ?? 1,
});
