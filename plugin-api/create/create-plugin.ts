/** Makes the folder of a plugin: a copy of a template in which its own words stand. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateError } from './create-error.ts';
import type { NewPlugin } from './new-plugin.ts';
import { createTemplateFiller, type TemplateFiller } from './fill-template.ts';

/** What making one takes. */
export interface CreateParts {
  /** The folder of the templates. */
  readonly templates: string;
  /** `2026-11-21`: the day whose behaviour of the server the plugin is written for. */
  readonly today: string;
}

/** What an author may leave in a template's folder, and nobody wants in a plugin. */
const leftOut = /(^|\/)(node_modules|dist)(\/|$)|\.vplugin$/;

/**
 * Writes the files and gives their names. Nothing is written unless the folder is empty or not there;
 * throws a {@link CreateError} then.
 */
export async function createPlugin(
  plugin: NewPlugin,
  { templates, today }: CreateParts,
): Promise<readonly string[]> {
  const { folder, template } = plugin;
  await assertFree(folder);
  const from = path.join(templates, template);
  const names = (await filesIn(from)).toSorted();
  const words = createTemplateFiller(plugin, today);
  for (const name of names) await writeFilled(from, name, { folder, words });
  return names.map(nameInPlugin);
}

async function assertFree(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') throw new CreateError(`${folder} is a file; name a folder.`);
    throw error;
  });
  if (entries.length === 0) return;
  throw new CreateError(
    `${folder} is not empty: name a folder that is empty or not there. Nothing was written.`,
  );
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => !leftOut.test(name));
}

/**
 * Two files have another name in a template: npm packs no `.gitignore`, and a `tsconfig.json` would
 * count for the template itself, which is checked as a part of Vitrine.
 */
const renamed: ReadonlyMap<string, string> = new Map([
  ['gitignore', '.gitignore'],
  ['tsconfig.template.json', 'tsconfig.json'],
]);

const nameInPlugin = (name: string): string => renamed.get(name) ?? name;

async function writeFilled(
  from: string,
  name: string,
  { folder, words }: { readonly folder: string; readonly words: TemplateFiller },
): Promise<void> {
  const to = path.join(folder, ...nameInPlugin(name).split('/'));
  const text = await readFile(path.join(from, ...name.split('/')), 'utf8');
  await mkdir(path.dirname(to), { recursive: true });
  // Whoever puts a file there at this very moment keeps it.
  await writeFile(to, words.fill(name, text), { flag: 'wx' });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
