import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createManifestReader } from './manifest.ts';

const examples = path.resolve(import.meta.dirname, '../../../manifests-schema/examples/valid');
const text = readFileSync(path.join(examples, 'every-permission-with-reasons.json'), 'utf8');
const reader = createManifestReader();

describe('the manifest reader', () => {
  test('gives the manifest or faults for any JSON, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const parsed = reader.parse(value);

        return !parsed.ok && parsed.faults.length > 0 && parsed.faults.length <= 21;
      }),
    );
  });

  test('gives the manifest or faults for a sound manifest with any one value replaced', () => {
    const manifest = JSON.parse(text) as object;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(manifest)), fc.jsonValue(), (key, value) => {
        const parsed = reader.parse({ ...manifest, [key]: value });

        return parsed.ok || parsed.faults.every((fault) => /^[^\p{Cc}]+\.$/u.test(fault));
      }),
    );
  });

  test('gives faults for any text, and never throws', () => {
    fc.assert(fc.property(fc.string(), (any) => !reader.parseText(any).ok));
  });

  test('names every fault at once', () => {
    const parsed = reader.parse({ ...JSON.parse(text), id: 'NO', main: 1, version: null });

    expect(parsed.ok ? [] : parsed.faults.map((fault) => fault.split(':')[0])).toEqual([
      'id',
      'version',
      'main',
    ]);
  });

  test('names at most twenty, and says how many more there are', () => {
    const keys = Array.from({ length: 30 }, (_, index) => [`key${index}`, 1] as const);
    const parsed = reader.parse({ ...JSON.parse(text), ...Object.fromEntries(keys) });

    expect(parsed.ok ? [] : [parsed.faults.length, parsed.faults.at(-1)]).toEqual([
      21,
      'And 10 more.',
    ]);
  });

  test('refuses a text that is too long or too deep before it is parsed', () => {
    const long = reader.parseText(`{"id":"${'a'.repeat(300_000)}"}`);
    const deep = reader.parseText('['.repeat(200_000));

    expect([long, deep]).toEqual([
      { ok: false, faults: ['The manifest is 300009 characters long, above 262144.'] },
      { ok: false, faults: ['The manifest is nested more than 12 levels deep.'] },
    ]);
  });
});
