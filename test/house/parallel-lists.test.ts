/** Lists that two parts of the project hold say the same. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { formats } from '../../builtin-plugins/probe/formats.ts';
import { mediaExtensions } from '../../builtin-plugins/scanner/media-extensions.ts';
import type { Manifest } from '../../plugin-api/index.ts';
import { readConfig } from '../../src/platform/config.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The extensions that the manifest of a probe plugin names. */
function extensionsOf(plugin: string): readonly string[] {
  const text = readFileSync(path.join(root, 'builtin-plugins', plugin, 'manifest.json'), 'utf8');
  const manifest = JSON.parse(text) as {
    readonly capabilityConfig: { readonly probe: { readonly extensions: readonly string[] } };
  };
  return manifest.capabilityConfig.probe.extensions;
}

describe('the extensions of media', () => {
  const probe = extensionsOf('probe');
  const probeWasm = extensionsOf('probe-wasm');

  test('that the probe reads are those in its manifest', () => {
    const read = formats.flatMap(({ extensions }) => extensions);

    expect([...new Set(read)].sort()).toEqual([...probe].sort());
  });

  test('belong to one probe each', () => {
    expect(probe.filter((extension) => probeWasm.includes(extension))).toEqual([]);
  });

  test('that a probe reads are found by the scanner', () => {
    const found = new Set(mediaExtensions('a type of its own'));

    expect([...probe, ...probeWasm].filter((extension) => !found.has(extension))).toEqual([]);
  });
});

test('each built-in plugin whose answers are kept says their version', () => {
  const kept = ['probe', 'indexer', 'texts', 'pictures', 'transcode'];
  const silent = readdirSync(path.join(root, 'builtin-plugins')).filter((plugin) => {
    const file = path.join(root, 'builtin-plugins', plugin, 'manifest.json');
    if (!existsSync(file)) return false;
    const { capabilities, subscriptions, answersVersion } = JSON.parse(
      readFileSync(file, 'utf8'),
    ) as Pick<Manifest, 'capabilities' | 'subscriptions' | 'answersVersion'>;
    const isReader =
      subscriptions?.hooks || kept.some((one) => capabilities.some((own) => own === one));
    return isReader && answersVersion === undefined;
  });

  expect(silent).toEqual([]);
});

test('each setting is read by a part of the server', () => {
  const code = ['src', 'packages']
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        path.join(root, folder, name),
      ),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => !file.endsWith(path.join('platform', 'config.ts')))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

  const keys = Object.keys(readConfig({ flags: {}, env: {}, cwd: root }));
  expect(keys.length).toBeGreaterThan(30);
  expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(code))).toEqual([]);
});
