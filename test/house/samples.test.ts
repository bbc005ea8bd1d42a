/** Every sample of the docs and of plugin-api's comments is true: it type-checks, and plugins run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testByNight } from '../support/run/test-by-night.ts';
import * as api from '../../plugin-api/index.ts';
import { openPlugin } from '../../packages/app/plugin-kit/plugin-test.ts';
import { authorManifest } from '../support/plugins/author-plugin.ts';
import {
  isWholePlugin,
  samplesOfComments,
  samplesOfPages,
  type DocSample,
} from '../support/pages/doc-samples.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** They speak of a page in a browser, and are parsed alone. */
const forBrowsers = ['docs/accounts.md', 'docs/identity.md', 'docs/broker.md'];

const isForBrowsers = ({ place }: DocSample): boolean =>
  forBrowsers.some((page) => place.startsWith(`${page}:`));

/** What examples in comments stand among. */
const context: Readonly<Record<string, string>> = {
  host: "import('@vitrine/plugin-api').Host",
  file: "import('@vitrine/plugin-api').ProbeFile",
  id: 'string',
  at: 'number',
  body: 'string',
};

const samples = [...samplesOfPages(), ...samplesOfComments()];
const names = new Map(samples.map((sample, at) => [fileOf(sample, at), sample]));

function fileOf({ language }: DocSample, at: number): string {
  return path.join(root, 'docs', `sample-${at}.${language}`);
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-samples-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The sample as a module: with imports of what it uses of plugin-api, and what stands around it. */
function moduleOf(sample: DocSample): string {
  const { code } = sample;
  if (sample.language === 'js') return `${code}\nexport {};\n`;
  const parsed = ts.createSourceFile('sample.ts', code, ts.ScriptTarget.Latest, true);
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) (isDeclared(node) ? declared : used).add(node.text);
    node.forEachChild(visit);
  };
  visit(parsed);
  const free = [...used].filter((name) => !declared.has(name));
  const imports = free.filter((name) => Object.hasOwn(api, name));
  const around = free.filter((name) => Object.hasOwn(context, name) && !isWholePlugin(sample));
  return [
    `import { ${imports.join(', ')} } from '@vitrine/plugin-api';`,
    ...around.map((name) => `declare const ${name}: ${context[name] ?? 'never'};`),
    code,
    'export {};',
    '',
  ].join('\n');
}

/** A name that is made here, or imported; parameters and parts of patterns, too. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  const isName = 'name' in parent && parent.name === node;
  return isName && !ts.isPropertyAccessExpression(parent) && !ts.isPropertyAssignment(parent);
}

/** What the compiler says of each, all of them in one program. */
function checkAll(): ReadonlyMap<string, readonly string[]> {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const compilerOptions: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    erasableSyntaxOnly: false,
    verbatimModuleSyntax: false,
  };
  const checked = [...names].filter(([, sample]) => !isForBrowsers(sample));
  const texts = new Map(checked.map(([name, sample]) => [name, moduleOf(sample)]));
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, languageVersion, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile(name, languageVersion, ...rest)
      : ts.createSourceFile(name, text, languageVersion, true);
  };
  const program = ts.createProgram([...texts.keys()], compilerOptions, host);
  return new Map(
    checked.map(([name, { place, language }]) => {
      const file = program.getSourceFile(name);
      const found = [
        ...program.getSyntacticDiagnostics(file),
        // JavaScript says nothing of the types of its parameters.
        ...(language === 'ts' ? program.getSemanticDiagnostics(file) : []),
      ];
      return [
        place,
        found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
      ];
    }),
  );
}

test('there are samples on pages and in comments, and whole plugins among them', () => {
  expect(samplesOfPages().length).toBeGreaterThan(15);
  expect(samplesOfComments().length).toBeGreaterThan(5);
  expect(samples.filter(isWholePlugin).length).toBeGreaterThan(15);
});

testByNight(
  'every sample type-checks against plugin-api',
  () => {
    const faults = [...checkAll()].filter(([, messages]) => messages.length > 0);

    expect(Object.fromEntries(faults)).toEqual({});
  },
  180_000,
);

test('samples for browsers parse', () => {
  const faults = samples.filter(isForBrowsers).flatMap(({ place, code }) => {
    const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
    return diagnostics.map(
      ({ messageText }) => `${place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });

  expect(faults).toEqual([]);
});

test('an example that says what it gives gives that', () => {
  const told = samplesOfComments().flatMap(({ place, code }) => {
    const found = /^(\w+)\((.*)\) \/\/ ('.*')$/.exec(code.trim());
    return found ? [[place, ...found] as const] : [];
  });
  expect(told.length).toBeGreaterThan(5);

  for (const [place, , name = '', args = '', result = ''] of told) {
    const call = new Map(Object.entries(api)).get(name) as (...args: unknown[]) => unknown;
    const given = JSON.parse(`[${args.replaceAll("'", '"')}]`) as unknown[];
    expect([place, call(...given)]).toEqual([place, result.slice(1, -1)]);
  }
});

testByNight(
  'every plugin among them is taken by the sandbox, and its handlers are functions',
  async () => {
    const plugins = samples.filter(isWholePlugin);
    for (const [at, { language, code }] of plugins.entries())
      writeFileSync(path.join(folder, `sample-${at}.${language}`), withImport(code));
    const imports = plugins.map(
      ({ language }, at) => `import sample${at} from './sample-${at}.${language}';`,
    );
    const list = plugins.map((_, at) => `sample${at}`).join(', ');
    const told = `[${list}].map((one) => Object.values(one).flatMap((section) =>
    Object.entries(section).map(([name, handler]) => [name, typeof handler])))`;
    writeFileSync(
      path.join(folder, 'index.js'),
      `${imports.join('\n')}\nexport default { actions: { told: () => ${told} } };\n`,
    );
    writeFileSync(path.join(folder, 'manifest.json'), authorManifest({ actions: ['told'] }));
    await using opened = await openPlugin(folder);

    const handlers = (await opened.action('told')) as readonly (readonly [string, string][])[];

    expect(handlers).toHaveLength(plugins.length);
    for (const [at, own] of handlers.entries()) {
      const { place } = plugins[at] ?? { place: '' };
      expect([place, own.length > 0]).toEqual([place, true]);
      expect(own.filter(([, type]) => type !== 'function')).toEqual([]);
    }
  },
);

/** Where it leaves it out for brevity. */
const withImport = (code: string): string =>
  /definePlugin\(/.test(code) && !code.includes('import ')
    ? `import { definePlugin } from '@vitrine/plugin-api';\n${code}`
    : code;
