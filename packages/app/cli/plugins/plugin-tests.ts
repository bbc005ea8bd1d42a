/** Runs the tests in the folder of a plugin. Only vitest must be installed there. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigError } from '../../../../src/platform/config.ts';
import { presetFile } from './plugin-kit.ts';

/** The inputs of the command. */
export interface PluginTestsParts {
  readonly folder: string;
  /** Further arguments for vitest. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const ownConfigs = [
  'vitest.config.ts',
  'vitest.config.mts',
  'vitest.config.js',
  'vitest.config.mjs',
];

/** The exit code of vitest; throws a {@link ConfigError} when vitest is missing. */
export async function runPluginTests({ folder, args, env }: PluginTestsParts): Promise<number> {
  if (!existsSync(path.join(folder, 'manifest.json'))) {
    throw new ConfigError(`${folder} has no manifest.json; it is not a plugin.`);
  }
  const vitest = findVitest(folder);
  const place = await mkdtemp(path.join(tmpdir(), 'vitrine-plugin-test-'));
  try {
    const config = path.join(place, 'vitest.config.mjs');
    await writeFile(config, configText(folder, place));
    const flags = ['run', '--root', folder, '--config', config, ...args];
    return await runNode([vitest, ...flags], env);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** The author's own vitest, if there is one. */
function findVitest(folder: string): string {
  for (const from of [path.join(folder, 'package.json'), import.meta.url]) {
    try {
      const manifest = createRequire(from).resolve('vitest/package.json');
      return path.join(path.dirname(manifest), 'vitest.mjs');
    } catch {
      // The next place may have it.
    }
  }
  throw new ConfigError(
    `vitest is not installed: run "npm install --save-dev vitest" in ${folder}, then this command again.`,
  );
}

/** The author's own configuration overrides ours. */
function configText(folder: string, place: string): string {
  const own = ownConfigs.map((name) => path.join(folder, name)).find((file) => existsSync(file));
  const preset = presetFile();
  const api = apiOf(folder);
  const config = {
    cacheDir: path.join(place, 'cache'),
    resolve: {
      alias: {
        'vitrine/plugin-test': preset,
        ...(api !== null && { '@vitrine/plugin-api': api }),
      },
    },
    test: {
      testTimeout: 30_000,
      hookTimeout: 30_000,
      server: { deps: { external: [preset] } },
      fsModuleCache: false,
      fsModuleCachePath: path.join(place, 'modules'),
    },
  };
  return [
    own === undefined ? 'const own = {};' : `import own from ${JSON.stringify(own)};`,
    `const kit = ${JSON.stringify(config)};`,
    'const resolve = { ...own.resolve, alias: { ...own.resolve?.alias, ...kit.resolve.alias } };',
    'export default { ...kit, ...own, resolve, test: { ...kit.test, ...own.test } };',
    '',
  ].join('\n');
}

/** The `@vitrine/plugin-api` of this installation; `null` = the author has one. */
function apiOf(folder: string): string | null {
  try {
    createRequire(path.join(folder, 'package.json')).resolve('@vitrine/plugin-api');
    return null;
  } catch {
    const places = ['../../../../plugin-api/index.ts', '../plugin-api/index.ts'];
    const files = places.map((name) => path.resolve(import.meta.dirname, name));
    return files.find((file) => existsSync(file)) ?? null;
  }
}

function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...env } });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
