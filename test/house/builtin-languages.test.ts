/** What an admin reads of the plugins of the server is there in the languages of the web app. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readLocales, untranslated } from '../../kernel/run/locales/index.ts';
import { createManifestReader } from '../../kernel/run/manifest/index.ts';
import type { ConfigField, FieldTexts } from '../../plugin-api/index.ts';

const folder = path.resolve(import.meta.dirname, '../../builtin-plugins');
const reader = createManifestReader();
const read = (...parts: readonly string[]): string =>
  readFileSync(path.join(folder, ...parts), 'utf8');
const ids = readdirSync(folder).filter((id) => existsSync(path.join(folder, id, 'manifest.json')));

function pluginIn(id: string) {
  const manifest = reader.parse(JSON.parse(read(id, 'manifest.json')));
  if (!manifest.ok) throw new Error(manifest.faults.join(' '));
  const files = new Map([['locales/de.json', read(id, 'locales', 'de.json')]]);
  const locales = readLocales(files, manifest.value, reader);
  if (!locales.ok) throw new Error(locales.faults.join(' '));
  return { manifest: manifest.value, locales: locales.value };
}

/** The fields with a help in the manifest and without one here. */
const withoutHelp = (
  form: readonly Pick<ConfigField, 'key' | 'description'>[] = [],
  texts: Readonly<Record<string, FieldTexts>> = {},
): readonly string[] =>
  form
    .filter(({ key, description }) => description !== undefined && !texts[key]?.description)
    .map(({ key }) => key);

test('all plugins of the server are looked at', () => {
  expect(ids.length).toBeGreaterThan(15);
});

describe.each(ids)('the plugin %s', (id) => {
  test('has each of its texts in German', () => {
    const { manifest, locales } = pluginIn(id);
    const { name, description, configuration, profileConfiguration } = locales.get('de') ?? {};

    expect(untranslated(locales, manifest)).toEqual(new Map([['de', []]]));
    expect([name, description]).toEqual([expect.any(String), expect.any(String)]);
    expect(description).not.toBe(manifest.description);
    expect(withoutHelp(manifest.configuration, configuration)).toEqual([]);
    expect(withoutHelp(manifest.profileConfiguration, profileConfiguration)).toEqual([]);
  });
});
