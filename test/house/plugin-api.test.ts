/** plugin-api as authors get it: its interface is as committed, documented, packed, and of use. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unpackKit } from '../support/plugins/unpack-kit.ts';

const root = path.resolve(import.meta.dirname, '../..');
const source = path.join(root, 'plugin-api');

/** An author's project with the packed package installed. */
let project: string;
let packed: readonly string[];

beforeAll(async () => {
  project = await mkdtemp(path.join(tmpdir(), 'vitrine-author-'));
  const installed = path.join(project, 'node_modules/@vitrine/plugin-api');
  packed = await unpackKit('@vitrine/plugin-api', installed);
});

afterAll(() => rm(project, { recursive: true }));

/** The compiler's own settings of the package. */
function apiProgram(options: ts.CompilerOptions = {}): ts.Program {
  const config = ts.getParsedCommandLineOfConfigFile(path.join(source, 'tsconfig.json'), options, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: () => undefined,
  });
  if (!config) throw new Error('plugin-api has no tsconfig.json.');
  return ts.createProgram(config.fileNames, config.options);
}

describe('the interface of plugin-api', () => {
  /** A change here is a change for every author: it belongs into CHANGELOG.md. */
  test('is the committed one (vitest -u writes it)', async () => {
    const files = new Map<string, string>();
    apiProgram().emit(
      undefined,
      (name, text) => files.set(path.relative(path.join(source, 'dist'), name), text),
      undefined,
      true,
    );

    const declarations = [...files]
      // Authors do not get what is for the server alone.
      .filter(([name]) => !/^server[\\/]/.test(name))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const text = declarations.map(([name, part]) => `// ${name.replaceAll('\\', '/')}\n${part}`);
    await expect(text.join('\n')).toMatchFileSnapshot('../../plugin-api/api-snapshot.d.ts.txt');
  });

  test('has a docstring for every export', () => {
    const program = apiProgram();
    const checker = program.getTypeChecker();
    const index = program.getSourceFile(path.join(source, 'index.ts'));
    const module = index && checker.getSymbolAtLocation(index);

    const exported = module ? checker.getExportsOfModule(module) : [];
    const bare = exported.filter((symbol) => {
      const { flags } = symbol;
      const meant = flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return meant.getDocumentationComment(checker).length === 0;
    });
    expect(exported.length).toBeGreaterThan(50);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });

  test('exports every type that its files export, so that an author can name each', async () => {
    const index = await readFile(path.join(source, 'index.ts'), 'utf8');
    const names = (await readdir(source, { recursive: true, encoding: 'utf8' })).filter(
      (name) => /^(host\/)?[a-z-]+\.ts$/.test(name.replaceAll('\\', '/')) && name !== 'index.ts',
    );
    const missing: string[] = [];
    for (const name of names) {
      const all = await readFile(path.join(source, name), 'utf8');
      const text = all.replaceAll(/@internal \*\/\nexport const/g, 'const');
      for (const [, one = ''] of text.matchAll(/^export (?:interface|type|const) (\w+)/gm)) {
        if (!new RegExp(`\\b${one}\\b`).test(index)) missing.push(`${name}: ${one}`);
      }
    }

    expect(missing).toEqual([]);
  });
});

describe('the package of plugin-api', () => {
  test('holds one script, the declarations of each source, schemas and globals, and nothing else', async () => {
    const sources = (await readdir(source, { recursive: true, encoding: 'utf8' }))
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => /^(host\/)?[a-z-]+\.ts$/.test(name))
      .map((name) => name.slice(0, -'.ts'.length));

    expect([...packed].sort()).toEqual(
      [
        ...['LICENSE', 'README.md', 'package.json', 'globals.d.ts', 'dist/index.js'],
        ...[
          'schemas/locale.schema.json',
          'schemas/permissions.schema.json',
          'schemas/plugin.schema.json',
        ],
        ...sources.map((name) => `dist/${name}.d.ts`),
      ].sort(),
    );
  });

  describe('used by a plugin', () => {
    const mistakes = [
      ['a field that an event does not have', 'data.title', 'data.titel', "'titel' does not exist"],
      [
        'an event that is none',
        "'library.item.added'",
        "'library.item.eaten'",
        'does not exist in type',
      ],
      ['a hook that gives no delta', 'fields: { words }', 'felds: { words }', 'BundleDelta'],
      ['an unknown layout', "layout: 'chips'", "layout: 'table'", '"table"'],
      ['a host method that is none', 'host.kv.set', 'host.kv.put', "'put' does not exist"],
      [
        'a value that the form does not have',
        '{ most }',
        '{ mots: most }',
        "'mots' does not exist",
      ],
      ['a value of another type', 'limit: most', 'prefix: most', "'number' is not assignable"],
    ] as const;
    const nameOf = (what: string): string => `${what.replaceAll(' ', '-')}.ts`;
    let faults: ReadonlyMap<string, readonly string[]>;

    beforeAll(async () => {
      const texts = mistakes.map(
        ([what, right, wrong]) => [nameOf(what), plugin.replace(right, wrong)] as const,
      );
      faults = await faultsOf(new Map([['right.ts', plugin], ...texts]));
    });

    test('type-checks under strict, its declarations included', () => {
      const wrong = new Set(mistakes.map(([what]) => nameOf(what)));
      expect([...faults].filter(([name]) => !wrong.has(name))).toEqual([]);
    });

    test.each(mistakes)('finds %s', (what, _right, _wrong, said) => {
      expect(faults.get(nameOf(what))?.join('\n')).toContain(said);
    });
  });

  test('is bundled by esbuild into a plugin that a server takes', async () => {
    const outfile = path.join(project, 'index.mjs');
    const entry = await writePlugin('bundled.ts', plugin);
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', logLevel: 'silent' });

    const { default: definition } = (await import(outfile)) as { default: object };

    expect(Object.keys(definition)).toEqual(['events', 'hooks', 'views', 'actions', 'methods']);
    expect((await readFile(outfile)).length).toBeLessThan(4000);
  });
});

async function writePlugin(name: string, text: string): Promise<string> {
  const file = path.join(project, name);
  await writeFile(file, text);
  return file;
}

/** What the compiler says of each file that has a fault, by name; '' = of none. */
async function faultsOf(
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = await Promise.all([...texts].map(([name, text]) => writePlugin(name, text)));
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    types: [],
    noEmit: true,
  });
  const faults = new Map<string, string[]>();
  for (const { file, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = path.basename(file?.fileName ?? '');
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    faults.set(name, [...(faults.get(name) ?? []), text]);
  }
  return faults;
}

const plugin = `
import { definePlugin, type Host, type UISchema } from '@vitrine/plugin-api';

const wordsIn = (text: string): readonly string[] => text.split(' ');

async function panel(itemId: string, host: Host): Promise<readonly UISchema[]> {
  const { title } = await host.library.item({ itemId });
  const fields = wordsIn(title).map((key) => ({ key }));
  return [{ type: 'metadata', slot: 'detail-metadata', id: 'words', title, layout: 'chips', fields }];
}

type Configuration = Readonly<{ most: number }>;

async function count({ kv, config }: Host<Configuration>): Promise<number> {
  const { most } = await config.get({});
  return (await kv.list({ limit: most })).keys.length;
}

export default definePlugin<Configuration>({
  events: {
    'library.item.added': ({ data }, host) => host.kv.set({ key: data.itemId, value: data.title }),
  },
  hooks: {
    'pipeline.scan.prepare': ({ libraryType }) => libraryType === 'books' ? { extensions: ['cbz'] } : null,
    'pipeline.index.afterProcess': ({ bundle }) => {
      const words = bundle.files.media.flatMap(({ filename }) => wordsIn(filename));
      return { fields: { words } };
    },
  },
  views: { 'ui.item.detail.panels': ({ itemId }, host) => panel(itemId, host) },
  actions: { count: (_, host) => count(host) },
  methods: { 'job.run': async ({ checkpoint }) => ({ done: true, result: { checkpoint } }) },
});
`;
