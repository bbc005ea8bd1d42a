import path from 'node:path';
import { CreateError } from './create-error.ts';

/** The templates, with a description of each. */
export const templates = {
  hook: 'adds to items what it finds in their files',
  indexer: 'asks a catalogue on the network what items are',
  filesystem: 'makes the files of another place a library',
  'view-action': 'shows something in the pages, with a button',
  notifier: 'sends messages about events to another service',
} as const;

/** The name of a template. */
export type TemplateName = keyof typeof templates;

/** The input for a new plugin; missing values follow from the folder's name. */
export interface PluginWish {
  /** The folder to create. */
  readonly folder: string;
  readonly template?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly author?: string | undefined;
  /** Where the packages for authors are: the address of a server, or a folder; the registry when absent. */
  readonly kit?: string | undefined;
}

/** A valid new plugin. */
export interface NewPlugin {
  /** Absolute. */
  readonly folder: string;
  readonly template: TemplateName;
  readonly id: string;
  readonly name: string;
  readonly author: string;
  /** A folder or an address with `index.json`; `null` = the registry. */
  readonly kit: string | null;
}

const idForm = /^(@[a-z0-9-]+\/)?[a-z0-9][a-z0-9-]*$/;
const longestId = 64;
const longestName = 80;
const longestAuthor = 200;

/** Parses the input; throws a {@link CreateError} that names the fault and what would be right. */
export function parseNewPlugin(wish: PluginWish, cwd: string): NewPlugin {
  if (wish.folder.trim() === '') throw new CreateError('Name the folder of the plugin.');
  const folder = path.resolve(cwd, wish.folder);
  const id = parseId(wish.id, path.basename(folder));
  return {
    folder,
    template: parseTemplate(wish.template),
    id,
    name: parseLine(wish.name ?? titleOf(id), '--name', longestName),
    author: parseLine(wish.author ?? 'Unknown', '--author', longestAuthor),
    kit: parseKit(wish.kit, cwd),
  };
}

/** Whether there is such a template. */
export const isTemplate = (name: string): name is TemplateName => Object.hasOwn(templates, name);

function parseTemplate(name: string | undefined): TemplateName {
  const known = Object.keys(templates).join(', ');
  if (name === undefined) throw new CreateError(`Choose a --template: ${known}.`);
  if (isTemplate(name)) return name;
  throw new CreateError(`--template ${shown(name)} is unknown; known are ${known}.`);
}

function parseId(given: string | undefined, folderName: string): string {
  const id = given ?? folderName;
  if (idForm.test(id) && id.length <= longestId) return id;
  const right = `at most ${longestId} lower-case letters, digits and dashes, optionally after a scope: film-tags, @someone/film-tags`;
  if (given !== undefined)
    throw new CreateError(`--id ${shown(given)} is not an id of a plugin: ${right}.`);
  throw new CreateError(
    `The folder's name ${shown(folderName)} is not an id of a plugin (${right}): name the folder so, or give an --id.`,
  );
}

function parseLine(given: string, flag: string, longest: number): string {
  const text = given.trim();
  const isLine = text !== '' && text.length <= longest && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
  if (isLine && text.isWellFormed()) return text;
  throw new CreateError(`${flag} ${shown(given)}: give 1 to ${longest} characters in one line.`);
}

/** A server is named by its address, with or without `/kit`. */
function parseKit(given: string | undefined, cwd: string): string | null {
  if (given === undefined) return null;
  if (given.trim() === '')
    throw new CreateError('--kit: name the address of a server or a folder.');
  if (!/^[a-z]+:\/\//i.test(given)) return path.resolve(cwd, given);
  const isWeb = /^https?:/i.test(given) && URL.canParse(given);
  if (!isWeb)
    throw new CreateError(
      `--kit ${shown(given)} is not the address of a server, such as http://127.0.0.1:8360.`,
    );
  return `${given.replace(/\/(kit\/?)?$/, '')}/kit`;
}

/** The default name: `@someone/film-tags` becomes `Film tags`. */
function titleOf(id: string): string {
  const words = id
    .slice(id.indexOf('/') + 1)
    .split('-')
    .filter(Boolean)
    .join(' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));
