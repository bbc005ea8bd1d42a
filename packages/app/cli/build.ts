/**
 * Builds what `vitrine` runs: the server and the plugin host as one file each, so that a start
 * reads two files and not hundreds, the guest runtime as one script, and every built-in plugin,
 * packed like any other plugin. The build is skipped when nothing changed.
 */
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import zlib from 'node:zlib';
import { buildKit } from './author-kit/build-kit.ts';
import { isBuilt, sourceStamp } from './build-stamp.mjs';
import { pageWords } from './page-words.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const dist = path.join(root, 'dist');

const node: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
};

const guest: BuildOptions = {
  bundle: true,
  platform: 'neutral',
  format: 'iife',
  target: 'es2023',
  minify: true,
  logLevel: 'warning',
};

/** Builds into `dist/`, unless it is up to date with the sources. */
export async function buildAll(): Promise<'built' | 'current'> {
  if (isBuilt(root)) return 'current';
  const stamp = sourceStamp(root);
  const staging = path.join(dist, `.staging-${process.pid}`);
  await mkdir(staging, { recursive: true });
  try {
    await Promise.all([
      buildServer(staging),
      buildPluginHost(staging),
      buildPluginPreset(staging),
      buildGuestRuntime(staging),
      buildBuiltins(path.join(staging, 'builtin-plugins')),
      buildWeb(path.join(staging, 'web')).then((kept) =>
        buildInstall(path.join(staging, 'console'), kept),
      ),
      buildBrokerPages(path.join(staging, 'broker-pages')),
      buildKit({ root, to: path.join(staging, 'kit'), bundling: asOneFile }),
    ]);
    await packBuiltins(path.join(staging, 'builtin-plugins'), path.join(staging, 'plugin-scripts'));
    await writeFile(path.join(staging, 'stamp'), stamp);
    const made = new Set(await readdir(staging));
    await rm(path.join(dist, 'plugin-scripts'), { recursive: true, force: true });
    await moveInto(staging, dist);
    await removeOldChunks(made);
    await removeStale(path.join(dist, 'broker-pages'));
    await removeStale(path.join(dist, 'web'));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return 'built';
}

/**
 * Moves file by file, so that a server that starts meanwhile never reads half a file. The order of
 * the names puts the server after its parts.
 */
async function moveInto(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    await (entry.isDirectory() ? moveInto(source, target) : rename(source, target));
  }
}

/** Bundled, because a start needs few of its many small files. */
const typebox = path.join(root, 'node_modules/@sinclair/typebox/build/esm/index.mjs');

/** Not bundled: native modules, and modules that are loaded on demand. */
const outside = [
  'sqlite3',
  '@parcel/watcher',
  '@prometheus-io/client',
  'esbuild',
  'fflate',
  'modern-tar',
  'pg',
  'undici',
];
/** Drivers of databases that knex supports and Vitrine does not. */
const absent = [
  'better-sqlite3',
  'mysql',
  'mysql2',
  'mysql2/promise',
  'mariadb/callback',
  'oracledb',
  'tedious',
  'pg-query-stream',
];

/** Globals that CommonJS modules expect. */
const forCommonJs = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
  'const { dirname: __dirname, filename: __filename } = import.meta;',
].join('\n');

/** Bundles a program and its dependencies into one file, so that a start loads few files. */
export const asOneFile: BuildOptions = {
  ...node,
  packages: 'bundle',
  external: [...outside, ...absent],
  banner: { js: forCommonJs },
  alias: { '@sinclair/typebox': typebox },
};

const chunkName = /^server-.+\.mjs(\.map)?$/;
/** A running server may still load parts of the build that it was started from. */
const chunkLifeMs = 7 * 24 * 3_600_000;

async function removeOldChunks(made: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(dist)) {
    if (!chunkName.test(name) || made.has(name)) continue;
    const { mtimeMs } = await stat(path.join(dist, name));
    if (Date.now() - mtimeMs > chunkLifeMs) await rm(path.join(dist, name));
  }
}

async function buildServer(to: string): Promise<void> {
  if (!existsSync(path.join(root, 'packages/app/cli/main.ts'))) return;
  await build({
    ...asOneFile,
    splitting: true,
    chunkNames: 'server-[name]-[hash]',
    entryPoints: {
      server: path.join(root, 'packages/app/cli/main.ts'),
      'disk-worker': path.join(root, 'src/files/disk/disk-worker.ts'),
      'sqlite-thread': path.join(root, 'kernel/store/sqlite/sqlite-thread.ts'),
    },
    outdir: to,
    outExtension: { '.js': '.mjs' },
  });
}

/** `vitrine/plugin-test`, which runs in the process of an author's tests. */
async function buildPluginPreset(to: string): Promise<void> {
  const entry = path.join(root, 'packages/app/plugin-kit/plugin-test.ts');
  if (!existsSync(entry)) return;
  await build({ ...node, entryPoints: [entry], outfile: path.join(to, 'plugin-test.mjs') });
}

async function buildPluginHost(to: string): Promise<void> {
  const entry = path.join(root, 'kernel/run/sandbox/host-process.ts');
  if (!existsSync(entry)) return;
  await build({ ...node, entryPoints: [entry], outfile: path.join(to, 'plugin-host.mjs') });
}

async function buildGuestRuntime(to: string): Promise<void> {
  const entry = path.join(root, 'kernel/run/sandbox/guest-runtime.ts');
  if (!existsSync(entry)) return;
  await build({
    ...guest,
    globalName: 'guestRuntime',
    banner: { js: '"use strict";' },
    entryPoints: [entry],
    outfile: path.join(to, 'guest-runtime.js'),
  });
}

/** The files of the console that are served as they stand. */
const copiedFiles = ['icon.svg', 'icon-192.png', 'icon-512.png', 'manifest.webmanifest'];

/** The addresses of files that the service worker keeps. */
interface KeptFiles {
  /** The app, as far as it works without the server. */
  readonly shellFiles: readonly string[];
  /** The reader of PDFs, which is kept with the first PDF. */
  readonly pdfFiles: readonly string[];
  /** The styles of the documents, which the page without the server has. */
  readonly documentStyle: string;
}

/** What browser pages are built for. */
const browser = {
  bundle: true,
  platform: 'browser',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  minify: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

/** Writes a document: the head that all have, and the lines that this one has beside it. */
async function writeDocument(
  source: string,
  { to, lines }: { readonly to: string; readonly lines: readonly string[] },
): Promise<void> {
  const common = await readFile(path.join(root, 'packages/lib/page-kit/head.html'), 'utf8');
  const text = await readFile(source, 'utf8');
  const own = lines.map((line) => `    ${line}\n`).join('');
  await writeFile(
    to,
    text
      .replace('<head>\n', () => `<head>\n${common.replaceAll(/^(?=.)/gm, '    ')}`)
      .replace('  </head>', () => `${own}  </head>`),
  );
}

const styleLine = (address: string): string => `<link rel="stylesheet" href="${address}" />`;
const scriptLine = (address: string): string => `<script type="module" src="${address}"></script>`;
const preloadLine = (address: string): string => `<link rel="modulepreload" href="${address}" />`;

/** How the app gets onto a device: its icons, the service worker, and the pages around that. */
async function buildInstall(to: string, kept: KeptFiles): Promise<void> {
  const from = path.join(root, 'packages/app/web/install');
  await mkdir(to, { recursive: true });
  for (const name of copiedFiles) await copyFile(path.join(from, name), path.join(to, name));
  const style = styleLine(kept.documentStyle);
  const install = [style, scriptLine('/console/install.js')];
  for (const [name, lines] of [
    ['install.html', install],
    ['offline.html', [style]],
  ] as const)
    await writeDocument(path.join(from, name), { to: path.join(to, name), lines });
  const defined = Object.entries(kept).map(([name, value]) => [name, JSON.stringify(value)]);
  await build({
    ...browser,
    format: 'esm',
    entryPoints: ['install.ts', 'service-worker.ts'].map((name) => path.join(from, name)),
    define: Object.fromEntries(defined) as Record<string, string>,
    outdir: to,
  });
}

/** What of the app works without the server: the downloads, the players of films and music, the readers. */
const worksOffline =
  /(?:^|\/)packages\/app\/web\/(main\.tsx|later\.ts|downloads\/|messages\/|pages\/(watch|read)\.tsx|reader\/(comic|epub)-reader\.tsx|player\/(dock\.tsx|queue-player\.ts)|styles\/)/;

/** The addresses of these files and of all that they import, the document and its first script first. */
function shellFilesOf(metafile: Metafile, early: string): readonly string[] {
  const names = Object.entries(metafile.outputs)
    .filter(([, { entryPoint }]) => worksOffline.test(entryPoint ?? ''))
    .map(([file]) => path.basename(file));
  const all = new Set(names.flatMap((name) => [name, ...staticImports(metafile, name)]));
  return ['index.html', early, ...[...all].sort()].map((name) => `/web/${name}`);
}

/** The modules that the app needs at its start and that pages use too. */
function sharedModules(metafile: Metafile, script: string): ReadonlySet<string> {
  const names = staticImports(metafile, script);
  return new Set(
    Object.entries(metafile.outputs)
      .filter(([file]) => names.has(path.basename(file)))
      .flatMap(([, { inputs }]) => Object.keys(inputs))
      .filter((file) => !file.endsWith('.json'))
      .map((file) => path.join(root, file)),
  );
}

/** The sources of the files that begin something: the app, its pages, what is loaded when it is needed. */
const beginnings = ({ outputs }: Metafile): ReadonlySet<string> =>
  new Set(
    Object.values(outputs)
      .flatMap(({ entryPoint }) => entryPoint ?? [])
      .filter((file) => /^packages\/app\/web\/.+\.tsx?$/.test(file))
      .map((file) => path.join(root, file)),
  );

/** Modules that belong together, and the beginnings that import one of them or more. */
interface ModuleSet {
  readonly modules: ReadonlySet<string>;
  readonly pages: ReadonlySet<string>;
}

/** The modules that a page needs beside those of `others`, and all pages that need one of them. */
function setOfPage(metafile: Metafile, page: string, others: ReadonlySet<string>): ModuleSet {
  const entries = Object.entries(metafile.outputs).filter(
    ([, { entryPoint }]) =>
      entryPoint !== undefined && /^packages\/app\/web\/.+\.tsx?$/.test(entryPoint),
  );
  const isOther = beginnings(metafile);
  const needs = (file: string): readonly string[] =>
    [...sharedModules(metafile, path.basename(file))].filter(
      (one) => !others.has(one) && !isOther.has(one),
    );
  const [file = ''] = entries.find(([, { entryPoint }]) => entryPoint?.endsWith(page)) ?? [];
  const modules = new Set(needs(file));
  const pages = entries
    .filter(([name]) => needs(name).some((one) => modules.has(one)))
    .map(([, { entryPoint = '' }]) => path.join(root, entryPoint));
  return { modules, pages: new Set(pages) };
}

/**
 * Puts the modules of each set into one file. esbuild makes a file for each set of pages that use the same
 * modules, some twenty for the start, and a browser loads six at a time over HTTP/1.1. Here each page of a
 * set imports all of its modules, so that they are one set.
 */
const asOneFileEach = (sets: readonly ModuleSet[]): Plugin => ({
  name: 'as-one-file-each',
  setup({ onResolve, onLoad, resolve }) {
    const all = 'all-modules-of-set';
    const isInSet = (file: string): boolean => sets.some(({ modules }) => modules.has(file));
    onResolve({ filter: new RegExp(`^${all}-\\d+$`) }, ({ path: name }) => ({
      path: name,
      namespace: all,
    }));
    onLoad({ filter: /^/, namespace: all }, ({ path: name }) => ({
      contents: [...(sets[Number(name.slice(all.length + 1))]?.modules ?? [])]
        .map((file) => `import ${JSON.stringify(file)};`)
        .join('\n'),
      resolveDir: root,
    }));
    onLoad({ filter: /\.tsx?$/ }, async ({ path: file }) => {
      const imports = sets.flatMap(({ pages }, at) =>
        pages.has(file) ? [`import '${all}-${at}';\n`] : [],
      );
      return imports.length === 0
        ? undefined
        : {
            contents: imports.join('') + (await readFile(file, 'utf8')),
            loader: file.endsWith('x') ? 'tsx' : 'ts',
          };
    });
    // Of a module without side effects, an import that uses nothing is left out.
    onResolve(
      { filter: /^(\/|\.{1,2}\/|@?preact)/ },
      async ({ path: name, pluginData, ...where }) => {
        if (pluginData === all || where.kind === 'entry-point') return undefined;
        const found = await resolve(name, { ...where, pluginData: all });
        return isInSet(found.path) ? { path: found.path, sideEffects: true } : undefined;
      },
    );
  },
});

/** The files that a page needs beside those of the start, by the beginning of its address. */
async function pageFilesOf(
  metafile: Metafile,
  { routes, script }: { readonly routes: string; readonly script: string },
): Promise<Readonly<Record<string, readonly string[]>>> {
  const atStart = staticImports(metafile, script);
  const lines = /pattern: '\/(\w+)(\/:id[^']*)?', load: \(\) => import\('\.\/([^']+)'\)/g;
  const pages = [...(await readFile(routes, 'utf8')).matchAll(lines)]
    .filter(([, place]) => place !== 'admin')
    .map(([, place = '', id, source = '']) => {
      const [file = ''] =
        Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
          entryPoint?.endsWith(`packages/app/web/${source}`),
        ) ?? [];
      const name = path.basename(file);
      const files = [name, ...staticImports(metafile, name)].filter((one) => !atStart.has(one));
      return [id === undefined ? place : `${place}/`, files] as const;
    });
  return Object.fromEntries(pages);
}

/**
 * The script that runs before the first paint. It is small, since the first paint waits for it.
 * Gives its name.
 */
async function buildEarly(
  from: string,
  { to, metafile, script }: { to: string; metafile: Metafile; script: string },
): Promise<string> {
  const words = Object.entries(metafile.outputs).flatMap(([file, { entryPoint }]) => {
    const [, language] = /^words:start\/(\w+)$/.exec(entryPoint ?? '') ?? [];
    return language === undefined ? [] : [[language, path.basename(file)] as const];
  });
  const pages = await pageFilesOf(metafile, { routes: path.join(from, 'routes.ts'), script });
  const { metafile: made } = await build({
    ...browser,
    metafile: true,
    format: 'iife',
    entryPoints: [path.join(from, 'early.ts')],
    entryNames: '[name]-[hash]',
    define: {
      wordFiles: JSON.stringify(Object.fromEntries(words)),
      pageFiles: JSON.stringify(pages),
    },
    plugins: ofPages,
    outdir: to,
  });
  return path.basename(Object.keys(made.outputs)[0] ?? '');
}

/**
 * The app of `packages/app/web`. Its files have a hash of their content in their names, so a browser
 * keeps them for ever; the document names the ones that every page needs, so that a browser loads
 * them at once. Each file lies compressed beside itself. Gives the addresses of those that work offline.
 */
async function buildWeb(to: string): Promise<KeptFiles> {
  const from = path.join(root, 'packages/app/web');
  await mkdir(to, { recursive: true });
  const options = {
    ...browser,
    splitting: true,
    metafile: true,
    absWorkingDir: root,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: {
      main: path.join(from, 'main.tsx'),
      style: path.join(from, 'styles/style.css'),
      further: path.join(from, 'styles/further.css'),
    },
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    outdir: to,
  } satisfies BuildOptions;
  const entryOf = ({ outputs }: Metafile, start: string, end: string): string =>
    Object.keys(outputs)
      .map((file) => path.basename(file))
      .find((name) => name.startsWith(start) && name.endsWith(end)) ?? '';
  const { metafile: apart } = await build({ ...options, write: false, plugins: ofPages });
  const ofStart = {
    modules: sharedModules(apart, entryOf(apart, 'main-', '.js')),
    pages: beginnings(apart),
  };
  // Most pages that lead to one another need what the page of a title needs.
  const ofTitle = setOfPage(apart, 'pages/item.tsx', ofStart.modules);
  const plugins = [asOneFileEach([ofStart, ofTitle]), ...ofPages];
  const { metafile } = await build({ ...options, plugins });
  const entry = (start: string, end: string): string => entryOf(metafile, start, end);
  const [script, style] = [entry('main-', '.js'), entry('style-', '.css')];
  const early = await buildEarly(from, { to, metafile, script });
  const styles = [
    styleLine(`/web/${style}`),
    `<meta name="further-styles" content="/web/${entry('further-', '.css')}" />`,
  ];
  await writeDocument(path.join(from, 'index.html'), {
    to: path.join(to, 'index.html'),
    lines: [
      `<script src="/web/${early}"></script>`,
      ...styles,
      ...[...staticImports(metafile, script)].map((name) => preloadLine(`/web/${name}`)),
      scriptLine(`/web/${script}`),
    ],
  });
  const documentStyle = await buildDocuments(from, to);
  const pdfScripts = await buildPdfReader(path.join(from, 'reader/pdf'), { to, styles });
  await compressAll(to);
  const pdfParts = await copyPdfFiles(path.join(to, 'pdf'));
  const files = Object.fromEntries((await readdir(to)).sort().map((name) => [name, true]));
  await writeFile(path.join(to, 'bundle.json'), `${JSON.stringify({ files }, null, 2)}\n`);
  const pdfFiles = [...pdfScripts, ...pdfParts.map((name) => `pdf/${name}`)];
  return {
    shellFiles: shellFilesOf(metafile, early),
    pdfFiles: pdfFiles.map((name) => `/web/${name}`),
    documentStyle,
  };
}

/**
 * The pages that are documents of their own. They share no file with the app, so that no file of the app
 * grows. Gives the address of their styles.
 */
async function buildDocuments(from: string, to: string): Promise<string> {
  const options = {
    ...browser,
    splitting: true,
    metafile: true,
    absWorkingDir: root,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: {
      documents: path.join(from, 'documents/main.tsx'),
      'documents-style': path.join(from, 'styles/documents.css'),
    },
    entryNames: '[name]-[hash]',
    chunkNames: 'documents-[name]-[hash]',
    outdir: to,
  } satisfies BuildOptions;
  const nameIn = ({ outputs }: Metafile, source: string): string =>
    Object.entries(outputs)
      .filter(([, { entryPoint }]) => entryPoint?.endsWith(source))
      .map(([file]) => path.basename(file))[0] ?? '';
  const first = 'documents/main.tsx';
  const { metafile: apart } = await build({ ...options, write: false, plugins: ofPages });
  const modules = sharedModules(apart, nameIn(apart, first));
  const plugins = [asOneFileEach([{ modules, pages: beginnings(apart) }]), ...ofPages];
  const { metafile } = await build({ ...options, plugins });
  const script = nameIn(metafile, first);
  const style = `/web/${nameIn(metafile, 'styles/documents.css')}`;
  await writeDocument(path.join(from, 'documents/document.html'), {
    to: path.join(to, 'documents.html'),
    lines: [
      styleLine(style),
      ...[...staticImports(metafile, script)].map((name) => preloadLine(`/web/${name}`)),
      scriptLine(`/web/${script}`),
    ],
  });
  return style;
}

/**
 * The PDF reader, which is two documents of their own: the page, and the frame in it that runs PDF.js.
 * They share no file with the app, so that no file of the app grows. Gives the names of all its files.
 */
async function buildPdfReader(
  from: string,
  { to, styles }: { readonly to: string; readonly styles: readonly string[] },
): Promise<readonly string[]> {
  const common = {
    ...browser,
    metafile: true as const,
    entryNames: '[name]-[hash]',
    outdir: to,
  } satisfies BuildOptions;
  // A frame of an opaque origin may load no module, so its scripts are plain ones.
  const plain = { format: 'iife', logOverride: { 'empty-import-meta': 'silent' } } as const;
  const [page, parser, frame] = await Promise.all([
    build({
      ...common,
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      chunkNames: 'pdf-[name]-[hash]',
      entryPoints: { 'pdf-page': path.join(from, 'document.tsx') },
      plugins: ofPages,
    }),
    build({ ...common, ...plain, entryPoints: { 'pdf-parser': path.join(from, 'worker.ts') } }),
    build({
      ...common,
      ...plain,
      entryPoints: {
        'pdf-frame': path.join(from, 'frame.ts'),
        'pdf-paper': path.join(from, 'frame.css'),
      },
    }),
  ]);
  const nameIn = ({ metafile }: { readonly metafile: Metafile }, start: string): string =>
    Object.keys(metafile.outputs)
      .map((file) => path.basename(file))
      .find((name) => name.startsWith(`${start}-`)) ?? '';
  await writeDocument(path.join(from, 'document.html'), {
    to: path.join(to, 'pdf.html'),
    lines: [...styles, scriptLine(`/web/${nameIn(page, 'pdf-page')}`)],
  });
  await writeDocument(path.join(from, 'frame.html'), {
    to: path.join(to, 'pdf-frame.html'),
    lines: [
      styleLine(`/web/${nameIn(frame, 'pdf-paper')}`),
      `<meta name="parser" content="/web/${nameIn(parser, 'pdf-parser')}" />`,
      `<script src="/web/${nameIn(frame, 'pdf-frame')}" defer></script>`,
    ],
  });
  const made = [page, parser, frame].flatMap(({ metafile }) => Object.keys(metafile.outputs));
  return ['pdf.html', 'pdf-frame.html', ...made.map((file) => path.basename(file)).sort()];
}

/** What PDF.js asks for by name: tables of characters, the fonts that each PDF may use, decoders. Gives the names. */
async function copyPdfFiles(to: string): Promise<readonly string[]> {
  const from = path.join(root, 'node_modules/pdfjs-dist');
  const wanted = {
    cmaps: /\.bcmap$/,
    standard_fonts: /\.(pfb|ttf)$/,
    wasm: /^(jbig2|openjpeg)\.wasm$/,
  };
  await mkdir(to, { recursive: true });
  for (const [folder, pattern] of Object.entries(wanted))
    for (const name of await readdir(path.join(from, folder)))
      if (pattern.test(name)) await copyFile(path.join(from, folder, name), path.join(to, name));
  return (await readdir(to)).sort();
}

/** Writes the brotli form of each file beside it. */
async function compressAll(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const bytes = await readFile(path.join(folder, name));
    const options = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } };
    await writeFile(path.join(folder, `${name}.br`), zlib.brotliCompressSync(bytes, options));
  }
}

/**
 * The broker's pages, with the SHA-256 of each file beside them. The broker serves only these
 * bytes, so a user can compare the hashes with what the browser received.
 */
async function buildBrokerPages(to: string): Promise<void> {
  const from = path.join(root, 'packages/app/broker/pages');
  await mkdir(to, { recursive: true });
  await copyFile(path.join(from, 'icon.svg'), path.join(to, 'icon.svg'));
  const { metafile } = await build({
    ...browser,
    splitting: true,
    metafile: true,
    format: 'esm',
    target: ['chrome123', 'firefox139', 'safari18'],
    entryPoints: [path.join(from, 'main.ts'), path.join(from, 'style.css')],
    chunkNames: '[name]-[hash]',
    plugins: ofPages,
    outdir: to,
  });
  await writeDocument(path.join(from, 'index.html'), {
    to: path.join(to, 'index.html'),
    lines: [
      styleLine('/pages/style.css'),
      ...[...staticImports(metafile, 'main.js')].map((name) => preloadLine(`/pages/${name}`)),
      scriptLine('/pages/main.js'),
    ],
  });
  const files = await Promise.all(
    (await readdir(to)).sort().map(async (name) => {
      const bytes = await readFile(path.join(to, name));
      return [name, createHash('sha256').update(bytes).digest('hex')] as const;
    }),
  );
  const listed = { files: Object.fromEntries(files) };
  await writeFile(path.join(to, 'bundle.json'), `${JSON.stringify(listed, null, 2)}\n`);
}

/**
 * Static imports of a script, to be preloaded; otherwise a browser finds them one after the other.
 */
function staticImports({ outputs }: Metafile, script: string): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (name: string): void => {
    const output = Object.entries(outputs).find(([file]) => path.basename(file) === name)?.[1];
    for (const { path: file, kind } of output?.imports ?? []) {
      const imported = path.basename(file);
      if (kind !== 'import-statement' || found.has(imported)) continue;
      found.add(imported);
      walk(imported);
    }
  };
  walk(script);
  return found;
}

/**
 * Our modules have no side effects, so a page loads only the exports that it uses from a folder's
 * index.
 */
const onlyWhatIsUsed: Plugin = {
  name: 'only-what-is-used',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\/.+\.tsx?$/ }, ({ path: name, resolveDir, kind }) =>
      kind === 'entry-point'
        ? undefined
        : { path: path.resolve(resolveDir, name), sideEffects: false },
    ),
};

/** What every build of pages does beside. */
const ofPages = [onlyWhatIsUsed, pageWords(path.join(root, 'packages/app/web'))];

/** Removes files of older builds, whose names contain a hash of their content. */
async function removeStale(folder: string): Promise<void> {
  const text = await readFile(path.join(folder, 'bundle.json'), 'utf8');
  const { files } = JSON.parse(text) as { readonly files: Readonly<Record<string, string>> };
  const isStale = (name: string): boolean => name !== 'bundle.json' && !Object.hasOwn(files, name);
  for (const name of (await readdir(folder)).filter(isStale)) await rm(path.join(folder, name));
}

async function buildBuiltins(to: string): Promise<void> {
  const folder = path.join(root, 'builtin-plugins');
  const entries = await readdir(folder, { withFileTypes: true });
  const ids = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  await Promise.all(
    ids
      .filter((id) => existsSync(path.join(folder, id, 'index.ts')))
      .map((id) => buildPlugin(path.join(folder, id), path.join(to, id))),
  );
}

/** Packs the scripts that the isolates of the built-ins evaluate, so that the first start does not. */
async function packBuiltins(plugins: string, to: string): Promise<void> {
  const { createPacker } = await import('../../../kernel/run/scripts/index.ts');
  const { silentLog } = await import('../../../kernel/index.ts');
  const packer = createPacker({ cacheFolder: to, log: silentLog });
  for (const name of await readdir(plugins))
    await packer.toScript(await readFile(path.join(plugins, name, 'index.js'), 'utf8'));
}

/**
 * Bundles one plugin's `index.ts` to the ES module that its manifest names, beside the manifest. An
 * imported WebAssembly module is embedded in the bundle, because an isolate cannot load files.
 */
export async function buildPlugin(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await copyFile(path.join(from, 'manifest.json'), path.join(to, 'manifest.json'));
  const locales = path.join(from, 'locales');
  if (existsSync(locales)) await cp(locales, path.join(to, 'locales'), { recursive: true });
  await build({
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    minify: true,
    logLevel: 'warning',
    entryPoints: [path.join(from, 'index.ts')],
    outfile: path.join(to, 'index.js'),
    loader: { '.wasm': 'binary' },
    alias: { '@vitrine/plugin-api': path.join(root, 'plugin-api/index.ts') },
  });
}

if (import.meta.main) await buildAll();
