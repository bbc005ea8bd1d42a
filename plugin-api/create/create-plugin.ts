/** Makes the folder of a plugin: a copy of a template, filled with the plugin's own values. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CreateError } from './create-error.ts';
import { addKit, fetchKit } from './fetch-kit.ts';
import type { NewPlugin } from './new-plugin.ts';
import { createTemplateFiller, type TemplateFiller } from './fill-template.ts';

/** The parts of a creation. */
export interface CreateParts {
  /** The folder of the templates. */
  readonly templates: string;
  /** `2026-11-21`: the day whose behaviour of the server the plugin is written for. */
  readonly today: string;
}

/** Files that an author may leave in a template's folder and that do not belong in a plugin. */
const leftOut = /(^|\/)(node_modules|dist)(\/|$)|\.vplugin$/;

/**
 * Writes the files and returns their names. The folder must be empty or missing; otherwise it throws
 * a {@link CreateError} and writes nothing.
 */
export async function createPlugin(
  plugin: NewPlugin,
  { templates, today }: CreateParts,
): Promise<readonly string[]> {
  const { folder, template, kit } = plugin;
  await assertFree(folder);
  const found = kit === null ? null : await fetchKit(kit);
  const from = path.join(templates, template);
  const names = (await filesIn(from)).toSorted();
  const words = createTemplateFiller(plugin, today);
  for (const name of names) await writeFilled(from, name, { folder, words });
  if (found !== null) await addKit(folder, found);
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
    `${folder} is not empty: name an empty or new folder. Nothing was written.`,
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
 * Some files have other names in a template: npm does not pack a `.gitignore`, and a `tsconfig.json`
 * would apply to the template itself, which is checked as a part of Vitrine.
 */
const renamed: ReadonlyMap<string, string> = new Map([
  ['gitignore', '.gitignore'],
  ['tsconfig.template.json', 'tsconfig.json'],
  ['src/tsconfig.template.json', 'src/tsconfig.json'],
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
  // `wx`: a file that appears there at this moment is not overwritten.
  await writeFile(to, words.fill(name, text), { flag: 'wx' });
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
