/** `vitrine plugin create` and `migrate`: create a plugin, and move it to a later server. */
import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createManifestReader,
  isDay,
  moveCompatibility,
} from '../../../kernel/run/manifest/index.ts';
import {
  askForMissing,
  CreateError,
  createPlugin,
  nextSteps,
  parseNewPlugin,
  templates,
} from '../../../plugin-api/create/index.ts';
import { ConfigError } from '../../../src/platform/config.ts';
import { writeWhole } from './plugins/plugin-packages.ts';

export interface CreateCommandParts {
  readonly cwd: string;
  /** The output folder of the build; the templates are in the sources beside it. */
  readonly folder?: string;
  readonly write: (text: string) => void;
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

type Run = (work: () => Promise<void>) => void;

interface CreateFlags {
  readonly template?: string;
  readonly id?: string;
  readonly name?: string;
  readonly author?: string;
  readonly kit?: string;
}

interface MigrateFlags {
  readonly to?: string;
  readonly apply?: true;
}

/** Adds them to `vitrine plugin`; `run` reports a mistake of the author in one line. */
export function addCreateCommands(plugin: Command, parts: CreateCommandParts, run: Run): void {
  plugin
    .command('create')
    .description('make the folder of a new plugin, with tests, ready to run')
    .argument('<folder>', 'the new folder; it must be empty or missing')
    .option('--template <name>', `one of ${Object.keys(templates).join(', ')}`)
    .option('--id <id>', "the plugin's id (the folder's name)")
    .option('--name <text>', 'display name (made from the id)')
    .option('--author <text>', 'name of the author')
    .option(
      '--kit <place>',
      'a server or a folder with the packages for authors (this installation)',
    )
    .exitOverride()
    .action((folder: string, flags: CreateFlags) => run(() => create({ ...flags, folder }, parts)));

  plugin
    .command('migrate')
    .description('list the changes since the compatibility date of a plugin, or raise that date')
    .argument('<folder>', 'the folder with manifest.json')
    .option('--to <date>', 'the new date, such as 2026-11-21 (today)')
    .option('--apply', 'write the manifest; without this flag nothing changes')
    .exitOverride()
    .action((folder: string, flags: MigrateFlags) =>
      run(() => migrate(path.resolve(parts.cwd, folder), flags, parts)),
    );
}

async function create(
  options: CreateFlags & { readonly folder: string },
  { cwd, folder, write, stdin = process.stdin }: CreateCommandParts,
): Promise<void> {
  const built = folder ?? path.resolve(import.meta.dirname, '../../../dist');
  try {
    const own = path.join(built, 'kit');
    const kit = options.kit ?? (existsSync(own) ? own : undefined);
    const asked = await askForMissing({ ...options, kit }, { input: stdin, write });
    const made = parseNewPlugin(asked, cwd);
    const places = ['../plugin-api/create/templates', '../../../src/templates'];
    const at = places.map((place) => path.join(built, place)).find((place) => existsSync(place));
    if (at === undefined) throw new Error('The templates are missing.');
    await createPlugin(made, { templates: at, today: today() });
    write(nextSteps(made, cwd));
  } catch (error) {
    if (error instanceof CreateError) throw new ConfigError(error.message);
    throw error;
  }
}

async function migrate(
  folder: string,
  { to = today(), apply }: MigrateFlags,
  { write }: CreateCommandParts,
): Promise<void> {
  if (!isDay(to)) throw new ConfigError(`--to ${to}: it must be a date such as 2026-11-21.`);
  const file = path.join(folder, 'manifest.json');
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`${folder} has no manifest.json; it is not a plugin.`);
  });
  const parsed = createManifestReader({ isForAuthor: true }).parseText(text);
  if (!parsed.ok) throw new ConfigError(`${file}: ${parsed.faults.join(' ')}`);
  const { id, compatibilityDate } = parsed.value;
  const { changes, manifest } = moveCompatibility({ ...parsed.value }, to);
  if (compatibilityDate !== undefined && compatibilityDate >= to) {
    write(`${id} has the compatibility date ${compatibilityDate}: it needs no change for ${to}.\n`);
    return;
  }
  for (const { date, summary, advice } of changes) write(`${date}  ${summary}\n  ${advice}\n`);
  if (changes.length === 0)
    write(`Nothing changed since ${compatibilityDate ?? 'the first release'}.\n`);
  if (apply === true) {
    await writeWhole(file, `${JSON.stringify(inPlace(manifest), null, 2)}\n`);
    write(`${id} now has the compatibility date ${to}.\n`);
  } else write(`${id} is unchanged: --apply sets its compatibility date to ${to}.\n`);
}

/** Puts the date next to the version of the server, where an author looks for it. */
function inPlace({ compatibilityDate, ...rest }: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(rest);
  const at = entries.findIndex(([key]) => key === 'minVersion') + 1;
  return Object.fromEntries(entries.toSpliced(at, 0, ['compatibilityDate', compatibilityDate]));
}

const today = (): string => new Date().toISOString().slice(0, 10);
