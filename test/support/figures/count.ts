/** What a parser counts in one file. */
import ts from 'typescript';

/** Of functions with more than one line: how many there are, and how many are long. */
export interface Counts {
  readonly statements: number;
  readonly functions: number;
  readonly above40: number;
  readonly above50: number;
  readonly above100: number;
}

/** A block does not count, but its statements do. */
export function count(name: string, text: string): Counts {
  const file = ts.createSourceFile(
    name,
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    false,
  );
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  const lengths: number[] = [];
  let statements = 0;
  const visit = (node: ts.Node): void => {
    if (isStatement(node)) statements++;
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined)
      lengths.push(lineAt(node.end) - lineAt(node.getStart(file)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const above = (most: number): number => lengths.filter((length) => length > most).length;
  return {
    statements,
    functions: above(1),
    above40: above(40),
    above50: above(50),
    above100: above(100),
  };
}

const isStatement = ({ kind }: ts.Node): boolean =>
  (kind >= ts.SyntaxKind.FirstStatement && kind <= ts.SyntaxKind.LastStatement) ||
  declarations.has(kind);

const declarations: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.ModuleDeclaration,
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.ExportAssignment,
]);
