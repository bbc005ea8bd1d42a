/** The source and the manifest of a plugin in its author's folder. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createManifestReader } from '../../../kernel/plugins/manifest/index.ts';
import { readLocales } from '../../../kernel/plugins/locales/index.ts';
import { localeTextsIn } from '../../../kernel/plugins/packages/index.ts';
import type { Manifest } from '../../../plugin-api/index.ts';
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

/** The author edits TypeScript where there is some; `main` is then the build output. */
function findEntry(folder: string, main: string): string {
  const stem = main.replace(/\.m?js$/, '');
  const base = path.posix.basename(stem);
  const names = [`${stem}.ts`, `src/${base}.ts`, `${base}.ts`, main];
  const found = names.find((name) => existsSync(path.join(folder, name)));
  if (found !== undefined) return path.join(folder, found);
  throw new PluginFault(
    'missing_entry',
    `${folder}: manifest.json names ${main}, and neither that nor ${names.slice(0, -1).join(', ')} is there.`,
  );
}
