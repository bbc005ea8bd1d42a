/** The types that a module exports, as one declaration file. */
import ts from 'typescript';

/**
 * The declarations that the exports of a declaration file reach, with their comments. What `outside`
 * names stays an import: a folder, and the package that authors install in its place.
 */
export function rolledDeclarations(
  entry: string,
  outside: { readonly folder: string; readonly name: string },
): string {
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    types: [],
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entry);
  const module = file && checker.getSymbolAtLocation(file);
  if (!module) throw new Error(`${entry} exports nothing.`);
  const own = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  const texts = new Map<ts.Symbol, string>();
  const imported = new Set<string>();
  const exported = new Set(checker.getExportsOfModule(module).map(own));

  function take(symbol: ts.Symbol): void {
    if (texts.has(symbol)) return;
    const nodes = (symbol.declarations ?? []).filter((node) => isTopLevel(node));
    const [first] = nodes;
    const from = first?.getSourceFile().fileName ?? '';
    if (first === undefined || program.isSourceFileDefaultLibrary(first.getSourceFile())) return;
    if (from.includes('/node_modules/')) return;
    if (from.startsWith(outside.folder)) return void imported.add(symbol.name);
    texts.set(symbol, '');
    texts.set(symbol, nodes.map((node) => textOf(node, exported.has(symbol))).join('\n'));
    for (const node of nodes) visit(node);
  }

  function visit(node: ts.Node): void {
    if (ts.isIdentifier(node)) {
      const found = checker.getSymbolAtLocation(node);
      if (found) take(own(found));
    }
    ts.forEachChild(node, visit);
  }

  for (const symbol of exported) take(symbol);
  const bodies = [...texts].sort(([one], [other]) => (one.name < other.name ? -1 : 1));
  const names = bodies.map(([{ name }]) => name);
  if (new Set(names).size < names.length)
    throw new Error(`Two types have one name: ${names.join(', ')}`);
  const head = `import type {\n${[...imported]
    .sort()
    .map((name) => `  ${name},\n`)
    .join('')}} from '${outside.name}';\n`;
  return [head, ...bodies.map(([, text]) => `${text}\n`)].join('\n');
}

const isTopLevel = (node: ts.Node): boolean =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isFunctionDeclaration(node) ||
  (ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent));

function textOf(node: ts.Node, isExported: boolean): string {
  const whole = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const comment = ts.getJSDocCommentsAndTags(whole).filter(ts.isJSDoc).at(-1)?.getText() ?? '';
  const bare = whole.getText().replace(/^(export )?(declare )?/, '');
  const isValue = !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node);
  return `${comment && `${comment}\n`}${isExported ? 'export ' : ''}${isValue ? 'declare ' : ''}${bare}`;
}
