/**
 * The reference of plugin-api, made of nothing but its own comments and
 * declarations. A page for each of its parts; on it each export with what is said of it, its examples,
 * and its declaration with the comments on its members.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { formatted } from '../formatted.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const source = path.join(root, 'plugin-api');

/** The parts, in the order in which they are read; each file of plugin-api stands on one page. */
const parts: readonly (readonly [page: string, title: string, files: readonly string[]])[] = [
  ['plugin', 'The plugin', ['define-plugin']],
  ['manifest', 'The manifest', ['manifest', 'permissions']],
  ['events', 'Events', ['events']],
  ['hooks', 'Hooks', ['hooks', 'bundle']],
  ['views', 'Views', ['views']],
  [
    'methods',
    'Methods of capabilities',
    ['methods', 'indexing', 'probe', 'license-verdict', 'webhooks'],
  ],
  ['host', 'The host', ['host/host']],
];

const toolFiles = 'What comes with it';

/** An export of plugin-api. */
interface Exported {
  readonly name: string;
  readonly file: string;
  readonly declaration: ts.Declaration;
  readonly kind: 'value' | 'type';
}

/** The text of each page, by its name. */
export async function apiReference(): Promise<ReadonlyMap<string, string>> {
  const exports = readExports();
  const pages = new Map<string, { readonly title: string; readonly files: readonly string[] }>();
  for (const [page, title, files] of parts) pages.set(page, { title, files });
  const files = [...new Set(exports.map(({ file }) => file))].sort();
  for (const file of files.filter((name) => name.startsWith('host/') && name !== 'host/host'))
    pages.set(file.replace('/', '-'), { title: `\`host.${serviceOf(file)}\``, files: [file] });
  const placed = new Set([...pages.values()].flatMap((page) => page.files));
  pages.set('tools', { title: toolFiles, files: files.filter((file) => !placed.has(file)) });

  const pageOf = new Map<string, string>();
  for (const [page, { files: own }] of pages)
    for (const { name, file } of exports) if (own.includes(file)) pageOf.set(name, page);
  const texts = new Map<string, string>();
  for (const [page, { title, files: own }] of pages) {
    const onPage = own.flatMap((file) => exports.filter((one) => one.file === file));
    const body = onPage.map((one) => sectionOf(one, page, pageOf));
    texts.set(`${page}.md`, await asPage([`# ${title}`, ...body].join('\n\n')));
  }
  texts.set('tests.md', await asPage(await testsPage()));
  texts.set('README.md', await asPage(indexOf(pages, exports)));
  return texts;
}

/** The types of `vitrine/plugin-test`, which are committed as one file. */
async function testsPage(): Promise<string> {
  const name = path.join(root, 'packages/app/plugin-kit/plugin-test.d.ts.txt');
  const file = ts.createSourceFile(
    'plugin-test.d.ts',
    await readFile(name, 'utf8'),
    ts.ScriptTarget.ES2023,
    true,
  );
  const sections = file.statements.filter(isDeclared).map((statement) => {
    const declared = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations[0]?.name
      : statement.name;
    const text = withoutExport(statement.getText(file)).replace(/^declare /, '');
    const words = commentOf(statement).text.replace(/\{@link ([\w.]+)\}/g, '`$1`');
    return [`## ${declared?.getText(file) ?? ''}`, words, fenced(text)].join('\n\n');
  });
  const intro =
    'What `vitrine/plugin-test` exports, and the types that it uses. `docs/trying-plugins.md` says how tests are written.';
  return ['# Tests', intro, ...sections].join('\n\n');
}

type Declared =
  | ts.InterfaceDeclaration
  | ts.TypeAliasDeclaration
  | ts.FunctionDeclaration
  | ts.ClassDeclaration
  | ts.VariableStatement;

const isDeclared = (statement: ts.Statement): statement is Declared =>
  ts.isInterfaceDeclaration(statement) ||
  ts.isTypeAliasDeclaration(statement) ||
  ts.isFunctionDeclaration(statement) ||
  ts.isClassDeclaration(statement) ||
  ts.isVariableStatement(statement);

const serviceOf = (file: string): string =>
  path.basename(file).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function readExports(): readonly Exported[] {
  const program = ts.createProgram([path.join(source, 'index.ts')], {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const index = program.getSourceFile(path.join(source, 'index.ts'));
  const module = index && checker.getSymbolAtLocation(index);
  return checker
    .getExportsOfModule(module ?? fail('plugin-api has no index.'))
    .map((symbol): Exported => {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const declaration = meant.declarations?.[0] ?? fail(`${symbol.name} is declared nowhere.`);
      const file = path.relative(source, declaration.getSourceFile().fileName);
      return {
        name: symbol.name,
        file: file.replaceAll('\\', '/').replace(/\.ts$/, ''),
        declaration,
        kind: meant.flags & ts.SymbolFlags.Value ? 'value' : 'type',
      };
    })
    .sort((one, other) => one.declaration.pos - other.declaration.pos);
}

function fail(why: string): never {
  throw new Error(why);
}

type PageOf = ReadonlyMap<string, string>;

function sectionOf({ name, declaration }: Exported, page: string, pageOf: PageOf): string {
  const { text, examples } = commentOf(statementOf(declaration));
  const linked = (words: string): string =>
    words.replace(/\{@link (\w+)(?:\.\w+)?\}/g, (_, to: string) => {
      const place = pageOf.get(to);
      if (place === undefined) return `\`${to}\``;
      return `[\`${to}\`](${place === page ? '' : `${place}.md`}#${to.toLowerCase()})`;
    });
  return [
    `## ${name}`,
    linked(text),
    ...examples.map((example) => fenced(example)),
    fenced(declared(declaration)),
  ].join('\n\n');
}

const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\``;

/** What carries the comment: of a constant, the statement around it. */
const statementOf = (declaration: ts.Declaration): ts.Node =>
  ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;

/** The words of a comment, and its examples. */
export function commentOf(node: ts.Node): {
  readonly text: string;
  readonly examples: readonly string[];
} {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).slice(-1);
  if (!comment) return { text: '', examples: [] };
  const examples = (comment.tags ?? [])
    .filter(({ tagName }) => tagName.text === 'example')
    .map((tag) => plainText(tag.comment).trim());
  return { text: plainText(comment.comment).trim(), examples };
}

/** Links as they are written. */
function plainText(comment: ts.JSDoc['comment']): string {
  if (comment === undefined || typeof comment === 'string') return comment ?? '';
  return comment
    .map((part) => (part.kind === ts.SyntaxKind.JSDocText ? part.text : part.getText()))
    .join('');
}

/** The declaration with the comments on its members; of code only how it is called. */
function declared(declaration: ts.Declaration): string {
  const file = declaration.getSourceFile();
  if (ts.isFunctionDeclaration(declaration) && declaration.body) {
    const text = file.text.slice(declaration.getStart(file), declaration.body.getStart(file));
    return withoutExport(`${text.trim()};`);
  }
  if (ts.isClassDeclaration(declaration)) return declaredClass(declaration, file);
  if (ts.isVariableDeclaration(declaration)) return declaredValue(declaration, file);
  return withoutExport(declaration.getText(file));
}

const withoutExport = (text: string): string => text.replace(/^export /, '');

function declaredClass(declaration: ts.ClassDeclaration, file: ts.SourceFile): string {
  const fields = declaration.members.filter(ts.isPropertyDeclaration);
  const head = `class ${declaration.name?.text ?? ''} extends Error {`;
  return [head, ...fields.map((field) => `  ${field.getText(file)}`), '}'].join('\n');
}

const longestValue = 1500;

function declaredValue(declaration: ts.VariableDeclaration, file: ts.SourceFile): string {
  const { initializer, type } = declaration;
  const name = declaration.name.getText(file);
  if (initializer && ts.isArrowFunction(initializer)) {
    const { parameters, type: result } = initializer;
    const given = parameters.map((one) => one.getText(file)).join(', ');
    return `const ${name}: (${given}) => ${result?.getText(file) ?? 'unknown'};`;
  }
  const text = initializer?.getText(file) ?? '';
  const told = text.length > longestValue ? '…' : text;
  return `const ${name}${type ? `: ${type.getText(file)}` : ''} = ${told};`;
}

function indexOf(
  pages: ReadonlyMap<string, { readonly title: string; readonly files: readonly string[] }>,
  exports: readonly Exported[],
): string {
  const rows = [...pages].map(([page, { title, files }]) => {
    const names = exports.filter(({ file }) => files.includes(file));
    const links = names.map(({ name }) => `[${name}](${page}.md#${name.toLowerCase()})`);
    return `- **[${title}](${page}.md)**: ${links.join(', ')}`;
  });
  return [
    '# The reference of plugin-api',
    'Made from the comments of `@vitrine/plugin-api`; `vitrine task docs` regenerates it. `docs/plugins.md` says how the parts are used.',
    [...rows, '- **[Tests](tests.md)**: what `vitrine/plugin-test` exports'].join('\n'),
  ].join('\n\n');
}

async function asPage(text: string): Promise<string> {
  return formatted('page.md', text);
}
