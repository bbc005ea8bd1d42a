import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A plugin package as a test writes it. */
export interface PluginText {
  readonly id: string;
  readonly permissions?: Readonly<Record<string, unknown>>;
  readonly subscriptions?: Readonly<Record<string, unknown>>;
  readonly actions?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly capabilityConfig?: Readonly<Record<string, unknown>>;
  /** Other keys of the manifest. */
  readonly further?: Readonly<Record<string, unknown>>;
  /** The language files, by language. */
  readonly locales?: Readonly<Record<string, object>>;
  /** What is inside of `export default { … }`. */
  readonly definition: string;
}

/** Drops a package into the data folder of a server that is yet to start. */
export async function writePlugin(data: string, plugin: PluginText): Promise<void> {
  const { id, permissions = {}, subscriptions = {}, actions = [], definition } = plugin;
  const { capabilities = [], capabilityConfig } = plugin;
  const manifest = {
    manifestVersion: 1,
    id,
    name: id,
    version: '1.0.0',
    description: 'Written by a test.',
    author: 'A test',
    license: 'MIT',
    main: 'index.js',
    minVersion: '>=0.1.0',
    capabilities,
    ...(capabilityConfig && { capabilityConfig }),
    mediaTypes: [],
    permissions,
    subscriptions,
    actions,
    ...plugin.further,
  };
  const folder = path.join(data, 'plugins', id);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
  await mkdir(path.join(folder, 'locales'), { recursive: true });
  for (const [language, file] of Object.entries(plugin.locales ?? {}))
    await writeFile(path.join(folder, 'locales', `${language}.json`), JSON.stringify(file));
  await writeFile(path.join(folder, 'index.js'), `export default { ${definition} };`);
}
