import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthorFolder } from '../../../../test/support/plugins/author-plugin.ts';
import { templates } from '../../../../plugin-api/create/index.ts';
import type { Manifest } from '../../../../plugin-api/index.ts';
import { configurationTypes, isOutdated, writeConfigurationTypes } from './configuration-types.ts';
import { readPluginSource } from './plugin-source.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

test('each input has the type of its value, and a field without a default may be absent', () => {
  const text = configurationTypes({
    configuration: [
      { key: 'name', label: 'A */ name', input: 'text', default: '' },
      { key: 'token', label: 'Token', input: 'secret', required: true },
      { key: 'most', label: 'Most', input: 'slider', min: 1, max: 9, default: 3 },
      { key: 'is.on', label: 'On', input: 'toggle', default: false },
      { key: 'way', label: 'Way', input: 'select', options: ["it's", 2, true] },
      { key: 'ways', label: 'Ways', input: 'multi-select', options: ['a', 'b'], default: [] },
      { key: 'hosts', label: 'Hosts', input: 'string-list' },
    ],
    profileConfiguration: [{ key: 'token', label: 'Token', input: 'secret' }],
  });

  expect(text.split('\n').filter((line) => !line.includes('/**'))).toEqual([
    '// Made from manifest.json by `vitrine plugin types`. Change manifest.json instead.',
    '',
    'export type Configuration = Readonly<{',
    '  name: string;',
    '  token?: string;',
    '  most: number;',
    "  'is.on': boolean;",
    "  way?: 'it\\'s' | 2 | true;",
    "  ways: readonly ('a' | 'b')[];",
    '  hosts?: readonly string[];',
    '}>;',
    '',
    'export type ProfileConfiguration = Readonly<{',
    '  token?: true;',
    '}>;',
    '',
  ]);
  expect(text).toContain('  /** A * / name */');
});

test('the file is written beside the source, again when the manifest changes, and over no other', async () => {
  const form = [{ key: 'most', label: 'Most', input: 'number' }];
  const { folder, write, remove } = createAuthorFolder({}, 'export default {};');
  onTestFinished(remove);
  const source = async () => {
    const { entry, manifest } = await readPluginSource(folder);
    return [entry, manifest] as const;
  };
  const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as object;

  expect(await writeConfigurationTypes(...(await source()))).toBeNull();
  write('manifest.json', JSON.stringify({ ...manifest, configuration: form }));
  expect(await writeConfigurationTypes(...(await source()))).toBe(
    path.join(folder, 'configuration.ts'),
  );
  expect(await isOutdated(...(await source()))).toBe(false);
  write('manifest.json', JSON.stringify({ ...manifest, configuration: [] }));
  expect(await isOutdated(...(await source()))).toBe(true);

  write('configuration.ts', 'export const mine = 1;');
  expect(await isOutdated(...(await source()))).toBe(false);
  await expect(writeConfigurationTypes(...(await source()))).rejects.toThrow(
    /configuration\.ts is the author's own.*Rename it/,
  );
});

test.each(Object.keys(templates))('the template %s has the types of its manifest', (name) => {
  const folder = path.join(root, 'plugin-api/create/templates', name);
  const text = readFileSync(path.join(folder, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const types = () => readFileSync(path.join(folder, 'src/configuration.ts'), 'utf8');

  if (manifest.configuration === undefined) expect(types).toThrow('ENOENT');
  else expect(types()).toBe(configurationTypes(manifest));
});
