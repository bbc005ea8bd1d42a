/** The source and the manifest of a plugin in its author's folder. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createManifestReader } from '../../../../kernel/run/manifest/index.ts';
import { readLocales } from '../../../../kernel/run/locales/index.ts';
import { localeTextsIn } from '../../../../kernel/run/packages/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { PluginFault } from './plugin-fault.ts';

/** A plugin in its author's folder. */
export interface PluginSourceFiles {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The texts of the language files, by their paths in the folder. */
  readonly localeTexts: ReadonlyMap<string, string>;
  /** The file that is bundled: TypeScript where there is some, else `main` itself. */
  readonly entry: string;
}

/** Where the manifest is. */
export const manifestFile = (folder: string): string => path.join(folder, 'manifest.json');

/** Reads the manifest and finds the source; throws a {@link PluginFault} that says what is wrong. */
export async function readPluginSource(folder: string): Promise<PluginSourceFiles> {
  const file = manifestFile(folder);
  const text = await readFile(file, 'utf8').catch(() => {
    throw new PluginFault(
      'invalid_manifest',
      `${folder} has no manifest.json; it is not a plugin.`,
    );
  });
  const reader = createManifestReader({ isForAuthor: true });
  const parsed = reader.parseText(text);
  if (!parsed.ok) throw new PluginFault('invalid_manifest', `${file}: ${parsed.faults.join(' ')}`);
  const manifest = parsed.value;
  const texts = await localeTextsIn(folder);
  const locales = texts.ok ? readLocales(texts.value, manifest, reader) : texts;
  if (!locales.ok) throw new PluginFault('invalid_locale', locales.faults.join(' '));
  const localeTexts = texts.ok ? texts.value : new Map<string, string>();
  return { folder, manifest, localeTexts, entry: findEntry(folder, manifest.main) };
}

/** The source of a plugin whose manifest may be wrong; null = there is none in a usual place. */
export async function sourceIn(folder: string): Promise<string | null> {
  const text = await readFile(manifestFile(folder), 'utf8').catch(() => '');
  const [, named] = /"main"\s*:\s*"([\w@+./-]+\.m?js)"/.exec(text) ?? [];
  for (const main of [named, 'dist/index.js', 'index.js']) {
    const found = main !== undefined && !main.includes('..') && entryIn(folder, main);
    if (found) return found;
  }
  return null;
}

const entriesOf = (main: string): readonly string[] => {
  const stem = main.replace(/\.m?js$/, '');
  const base = path.posix.basename(stem);
  return [`${stem}.ts`, `src/${base}.ts`, `${base}.ts`, main];
};

function entryIn(folder: string, main: string): string | undefined {
  const found = entriesOf(main).find((name) => existsSync(path.join(folder, name)));
  return found === undefined ? undefined : path.join(folder, found);
}

/** The author edits TypeScript where there is some; `main` is then the build output. */
function findEntry(folder: string, main: string): string {
  const found = entryIn(folder, main);
  if (found !== undefined) return found;
  const names = entriesOf(main);
  throw new PluginFault(
    'missing_entry',
    `${folder}: manifest.json names ${main}, and neither that nor ${names.slice(0, -1).join(', ')} is there.`,
  );
}
