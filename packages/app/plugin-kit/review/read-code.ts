/**
 * The text of a bundle for static checks: without comments, in esbuild's form, and with the globals
 * distinguished from the plugin's own names.
 */
import { lackingGlobals, pageGlobals } from './lacking-globals.ts';

/** The text and its globals. */
export interface ReadCode {
  readonly text: string;
  /** Globals that it uses and never asks for with `typeof`; `WebAssembly`, and what no sandbox has. */
  readonly globals: ReadonlySet<string>;
}

const mark = '__vitrineGlobal_';
const watched = ['WebAssembly', ...lackingGlobals.keys()];
/** esbuild knows what is in scope, so a variable of the plugin's own keeps its name. */
const define = Object.fromEntries(watched.map((name) => [name, `${mark}${name}`]));

/** Reads a valid module. */
export async function readCode(source: string): Promise<ReadCode> {
  const { transform } = await import('esbuild');
  const { code } = await transform(source, { legalComments: 'none', logLevel: 'silent', define });
  const isPageAsked = pageProof.test(code);
  const isAsked = (name: string): boolean =>
    code.includes(`typeof ${mark}${name}`) || (isPageAsked && pageGlobals.has(name));
  const used = watched.filter((name) => isUsed(name, code) && !isAsked(name));
  return { text: code.replaceAll(mark, ''), globals: new Set(used) };
}

const pageProof = new RegExp(`typeof ${mark}(?:window|document|navigator)\\b`);

const isUsed = (name: string, code: string): boolean =>
  new RegExp(`${mark}${name}\\b|\\bglobalThis\\.${name}\\(`).test(code);
