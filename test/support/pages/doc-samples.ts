/** The TypeScript and JavaScript of the pages and of the comments of plugin-api, as modules. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { commentOf } from './api-reference.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** One sample, and where it stands. */
export interface DocSample {
  /** `docs/plugins.md:5` */
  readonly place: string;
  readonly language: 'ts' | 'js';
  readonly code: string;
  /** What was written before it as JSON on the same page, the closest first. */
  readonly json: readonly string[];
}

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
    .map((name) => path.join(folder, name));

export function samplesOfPages(): readonly DocSample[] {
  const pages = ['README.md', ...['docs', 'plugin-api', 'examples'].flatMap(pagesIn)];
  return pages.flatMap(samplesOfPage);
}

function samplesOfPage(page: string): readonly DocSample[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  const json: string[] = [];
  const samples: DocSample[] = [];
  for (const { index, groups } of text.matchAll(/^```(?<language>\w+)\n(?<code>.*?)^```/gms)) {
    const { language = '', code = '' } = groups ?? {};
    const place = `${page}:${text.slice(0, index).split('\n').length}`;
    if (language === 'json') json.unshift(code);
    if (language === 'ts' || language === 'js')
      samples.push({ place, language, code, json: [...json] });
  }
  return samples;
}

/** The examples in the comments of plugin-api. */
export function samplesOfComments(): readonly DocSample[] {
  const folder = path.join(root, 'plugin-api');
  const files = ['.', 'host'].flatMap((below) =>
    readdirSync(path.join(folder, below))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => path.join(folder, below, name)),
  );
  return files.flatMap((file) => {
    const parsed = ts.createSourceFile(
      file,
      readFileSync(file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const place = path.relative(root, file);
    return parsed.statements.flatMap((statement) => {
      const { text, examples } = commentOf(statement);
      const fenced = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
      return [...fenced, ...examples].map((code): DocSample => {
        const { line } = parsed.getLineAndCharacterOfPosition(statement.getStart());
        return { place: `${place}:${line + 1}`, language: 'ts', code, json: [] };
      });
    });
  });
}

/** Whether it is a plugin from its first line to its last. */
export const isWholePlugin = ({ code }: DocSample): boolean => /^export default /m.test(code);
