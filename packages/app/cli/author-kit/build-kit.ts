/**
 * Builds the packages for plugin authors: `@vitrine/plugin-api`, `vitrine` (the commands and
 * `vitrine/plugin-test`, without the server's sources) and `create-vitrine-plugin`. Each is a file
 * that npm installs and publishes as it is. Beside them is the lock file of a new plugin.
 */
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { kitLock } from './kit-lock.ts';
import { packNpm, type NpmFiles, type NpmPackage } from './npm-package.ts';
import { licensesOf, packagesIn } from './third-party.ts';

/** The inputs of the build. */
export interface KitBuild {
  /** The project's folder. */
  readonly root: string;
  /** The folder of the packages and their `index.json`. */
  readonly to: string;
  /** How the server itself is bundled. */
  readonly bundling: BuildOptions;
}

/** Builds the three packages and their index. */
export async function buildKit(parts: KitBuild): Promise<void> {
  const made = await Promise.all([apiFiles(parts), kitFiles(parts), createFiles(parts)]);
  const packages = await Promise.all(made.map(packNpm));
  await mkdir(parts.to, { recursive: true });
  for (const { listed, bytes } of packages)
    await writeFile(path.join(parts.to, listed.file), bytes);
  const index = {
    packages: packages.map(({ listed }) => listed),
    ...(await writeLock(parts, packages)),
  };
  await writeFile(path.join(parts.to, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

/** Writes the lock file, and gives its entry in the index. */
async function writeLock({ root, to }: KitBuild, packages: readonly NpmPackage[]): Promise<object> {
  const text = await kitLock(root, packages);
  if (text === null) return {};
  const file = 'package-lock.json';
  await writeFile(path.join(to, file), text);
  return { lock: { file, sha256: createHash('sha256').update(text).digest('hex') } };
}

async function apiFiles({ root }: KitBuild): Promise<NpmFiles> {
  const from = path.join(root, 'plugin-api');
  const [text, script] = await Promise.all([
    readFile(path.join(from, 'api-snapshot.d.ts.txt'), 'utf8'),
    bundled({ ...neutral, entryPoints: [path.join(from, 'index.ts')] }),
  ]);
  const declarations = [...declarationsIn(text)];
  return new Map<string, Uint8Array | string>([
    ...(await copied(from, ['package.json', 'README.md', 'globals.d.ts'])),
    ...(await copied(root, ['LICENSE'])),
    ...(await schemasOf(root)),
    ...declarations.map(([name, part]) => [`dist/${name}`, part] as const),
    ['dist/index.js', script.text],
  ]);
}

/** The schemas that an editor needs for `manifest.json` and `locales/<language>.json`. */
async function schemasOf(root: string): Promise<readonly (readonly [string, string])[]> {
  const folder = path.join(root, 'manifests-schema');
  const names = ['locale.schema.json', 'permissions.schema.json', 'plugin.schema.json'];
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return [`schemas/${name}`, text] as const;
    }),
  );
}

async function createFiles({ root }: KitBuild): Promise<NpmFiles> {
  const from = path.join(root, 'plugin-api/create');
  const script = await bundled({
    ...forNode20,
    entryPoints: [path.join(from, 'bin.ts')],
  });
  return new Map<string, Uint8Array | string>([
    ...(await copied(from, ['package.json', 'README.md'])),
    ...(await copied(root, ['LICENSE'])),
    ...(await templateFiles(root)),
    ['dist/bin.js', script.text],
  ]);
}

async function templateFiles(root: string): Promise<readonly (readonly [string, Uint8Array])[]> {
  const folder = path.join(root, 'plugin-api/create/templates');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => !/(^|\/)(node_modules|dist)\/|\.vplugin$/.test(name));
  return (await copied(folder, names)).map(([name, bytes]) => [`templates/${name}`, bytes]);
}

/** The package `vitrine`: one bundle of the commands and the test harness, and the sandbox. */
async function kitFiles({ root, bundling }: KitBuild): Promise<NpmFiles> {
  const from = path.join(root, 'packages/app/cli/author-kit');
  const { outputFiles, metafile } = await build({
    ...bundling,
    write: false,
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    splitting: true,
    absWorkingDir: root,
    chunkNames: 'part-[hash]',
    entryPoints: {
      commands: path.join(from, 'kit.ts'),
      'plugin-test': path.join(root, 'packages/app/plugin-kit/plugin-test.ts'),
      'sqlite-thread': path.join(root, 'kernel/store/sqlite/sqlite-thread.ts'),
    },
    outdir: path.join(root, 'dist'),
    outExtension: { '.js': '.mjs' },
    external: [...installed],
    plugins: [absentModules],
  });
  const host = await bundled({
    ...forNode20,
    target: 'node24',
    entryPoints: [path.join(root, 'kernel/run/sandbox/host-process.ts')],
  });
  const guest = await bundled({
    ...neutral,
    format: 'iife',
    minify: true,
    globalName: 'guestRuntime',
    banner: { js: '"use strict";' },
    entryPoints: [path.join(root, 'kernel/run/sandbox/guest-runtime.ts')],
  });
  const types = await readFile(
    path.join(root, 'packages/app/plugin-kit/plugin-test.d.ts.txt'),
    'utf8',
  );
  return new Map<string, Uint8Array | string>([
    ['package.json', await kitManifest(root)],
    ...(await copied(root, ['LICENSE'])),
    ['README.md', await readFile(path.join(from, 'package-readme.md'))],
    ['THIRD-PARTY.txt', await licensesOf(root, packagesIn(metafile))],
    ['bin.mjs', await readFile(path.join(from, 'bin.mjs'))],
    ['dist/plugin-test.d.ts', types],
    ['dist/plugin-host.mjs', host.text],
    ['dist/guest-runtime.js', guest.text],
    ...outputFiles.map(
      ({ path: file, contents }) => [`dist/${path.basename(file)}`, contents] as const,
    ),
    ...(await templateFiles(root)),
  ]);
}

/** Versions are those of the server, so that a plugin is tested on what it will run on. */
async function kitManifest(root: string): Promise<string> {
  const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
    readonly dependencies: Readonly<Record<string, string>>;
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const { name, version, license, dependencies, optionalDependencies } = own;
  const needed = installed.map((one) => [one, dependencies[one]] as const);
  const manifest = {
    name,
    version,
    description: 'Runs, tests, checks and packs plugins of the media server Vitrine.',
    license,
    type: 'module',
    bin: { vitrine: 'bin.mjs' },
    files: ['dist', 'templates', 'bin.mjs', 'THIRD-PARTY.txt'],
    exports: {
      './plugin-test': { types: './dist/plugin-test.d.ts', default: './dist/plugin-test.mjs' },
      './package.json': './package.json',
    },
    engines: { node: '>=20' },
    dependencies: Object.fromEntries(needed),
    optionalDependencies,
    peerDependencies: { '@vitrine/plugin-api': `^${version}`, vitest: '*', typescript: '*' },
    peerDependenciesMeta: { vitest: { optional: true }, typescript: { optional: true } },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** What npm installs beside the kit: native code, and what is loaded by its name. */
const installed = ['esbuild', 'fflate', 'isolated-vm'] as const;

const neutral: BuildOptions = {
  bundle: true,
  platform: 'neutral',
  format: 'esm',
  target: 'es2023',
};
const forNode20: BuildOptions = { bundle: true, platform: 'node', format: 'esm', target: 'node20' };

async function bundled(options: BuildOptions): Promise<{ readonly text: string }> {
  const { outputFiles } = await build({ ...options, write: false, logLevel: 'warning' });
  return { text: outputFiles?.[0]?.text ?? '' };
}

async function copied(
  folder: string,
  names: readonly string[],
): Promise<readonly (readonly [string, Uint8Array])[]> {
  return Promise.all(
    names.map(
      async (name) => [name, await readFile(path.join(folder, ...name.split('/')))] as const,
    ),
  );
}

/**
 * What the commands never use: drivers of other databases, a watcher of libraries, metrics. They
 * fail when they are used.
 */
const absent =
  /^(sqlite3|pg|pg-query-stream|better-sqlite3|mysql2?(\/promise)?|mariadb\/callback|oracledb|tedious|@parcel\/watcher|@prometheus-io\/client)$/;

const absentModules: Plugin = {
  name: 'absent-modules',
  setup(build) {
    build.onResolve({ filter: absent }, ({ path: name }) => ({ path: name, namespace: 'absent' }));
    build.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path: name }) => ({
      contents: `module.exports = new Proxy({}, { get() { throw new Error(${JSON.stringify(`${name} is not in the kit.`)}); } });`,
    }));
  },
};

/**
 * The files of a text in which a line `// host/kv.d.ts` precedes each file. Imports end in `.js`, which
 * every resolver supports.
 */
function declarationsIn(text: string): ReadonlyMap<string, string> {
  const parts = text.split(/^\/\/ ([a-z-]+(?:\/[a-z-]+)*\.d\.ts)\n/m).slice(1);
  return new Map(
    parts.flatMap((part, at) =>
      at % 2 === 0
        ? [[part, (parts[at + 1] ?? '').replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")]]
        : [],
    ),
  );
}
