/** The types of a plugin, as the TypeScript in its own folder sees them. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Finding } from '../../plugin-kit/index.ts';

const mostErrors = 20;
const limitMs = 300_000;

/** The projects of a folder: the tests need the types of Node, and the sources must not have them. */
const projects = ['.', 'src'];

/** The options of the templates, for a folder without a tsconfig.json. */
const usual = [
  ...['--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
  // The globals of pages cover those of a sandbox; `check` finds the rest in the code.
  ...['--target', 'es2023', '--lib', 'es2023,dom'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler'],
];

/**
 * Runs `tsc --noEmit` with the tsconfig.json of the folder and of `src`. Without one it checks the
 * TypeScript that the bundle is made from as the templates do; of JavaScript there is nothing to say.
 */
export async function reviewTypes(folder: string, entry: string): Promise<readonly Finding[]> {
  const configured = projects
    .filter((name) => existsSync(path.join(folder, name, 'tsconfig.json')))
    .map((name) => ['-p', name]);
  const found =
    configured.length === 0 && /\.[mc]?tsx?$/.test(entry) ? [[...usual, entry]] : configured;
  if (found.length === 0) return [];
  const compiler = findCompiler(folder);
  if (compiler === null)
    return unchecked('typescript is not installed; npm install typescript in the folder does it.');
  const failed = (await Promise.all(found.map((asked) => run(compiler, folder, asked)))).filter(
    ({ isOk }) => !isOk,
  );
  if (failed.length === 0) return [];
  const errors = [...new Set(failed.flatMap(({ output }) => errorsIn(output)))];
  // Without these types all that depends on them would be told as an error.
  if (configured.length === 0 && errors.some((one) => one.includes("'@vitrine/plugin-api'")))
    return unchecked('@vitrine/plugin-api is not installed in the folder.');
  if (errors.length === 0)
    return unchecked(`tsc failed: ${failed[0]?.output.trim().slice(0, 500) ?? ''}`);
  const rest = errors.length - mostErrors;
  return [
    ...errors.slice(0, mostErrors).map(wrong),
    ...(rest > 0 ? [wrong(`And ${rest} more errors of types; npx tsc --noEmit lists them.`)] : []),
  ];
}

const unchecked = (why: string): readonly Finding[] => [
  { level: 'warning', code: 'types-unchecked', message: `Types were not checked: ${why}` },
];

const wrong = (message: string): Finding => ({ level: 'error', code: 'types-wrong', message });

/** As node finds it from there, so that the author's own version judges. */
function findCompiler(folder: string): string | null {
  try {
    const manifest = createRequire(path.join(folder, 'package.json')).resolve(
      'typescript/package.json',
    );
    return path.join(path.dirname(manifest), 'bin', 'tsc');
  } catch {
    return null;
  }
}

interface Ran {
  readonly isOk: boolean;
  readonly output: string;
}

function run(compiler: string, folder: string, asked: readonly string[]): Promise<Ran> {
  const args = [compiler, '--noEmit', '--pretty', 'false', ...asked];
  const options = { cwd: folder, timeout: limitMs, maxBuffer: 16 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const ended = error?.killed === true ? `It took more than ${limitMs / 1000} s.` : '';
      const said = stdout.trim() === '' ? stderr : stdout;
      resolve({ isOk: error === null, output: said.trim() === '' ? ended : said });
    });
  });
}

/** `src/index.ts(1,7): error TS2322: …`, and what has no place; what explains it further is indented. */
const errorsIn = (output: string): readonly string[] =>
  output.split(/\r?\n/).flatMap((line) => {
    const [, file, at, column, said] =
      /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+: .*)$/.exec(line) ?? [];
    if (said === undefined) return [];
    return [file === undefined ? said : `${file}:${at ?? ''}:${column ?? ''}: ${said}`];
  });
