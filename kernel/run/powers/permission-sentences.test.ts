import { describe, expect, test } from 'vitest';
import { permissionsSchema } from '../../../manifests-schema/index.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { powersOf } from './permissions.ts';
import { sentenceOf, sentencesOf } from './permission-sentences.ts';

const everything: Permissions = {
  net: ['api.example.org', '*.example.net:8443', '*'],
  files: 'read',
  disk: 'read',
  library: 'read',
  viewing: 'write',
  metadata: 'write',
  kv: { quotaMb: 5 },
  textIndex: true,
  events: 'emit',
  eventLog: true,
  jobs: ['scan', 'probe'],
  calls: ['film-facts:rating'],
  schedule: true,
  secrets: true,
  notifications: true,
  wasm: true,
  serves: ['search'],
  hears: ['library'],
  hooks: ['pipeline.scan.prepare'],
  reasons: { net: 'To look up films.' },
};

describe('a permission in words', () => {
  test('is one sentence for each that a manifest can have', () => {
    const names = Object.keys(permissionsSchema.properties).filter((name) => name !== 'reasons');

    const sentences = sentencesOf(everything);

    expect(sentences.map(({ permission }) => permission)).toEqual(powersOf(everything));
    expect(sentences.map(({ permission }) => permission).sort()).toEqual(names.sort());
    for (const { sentence } of sentences) expect(sentence).toMatch(/^It [^.].*\.$/);
  });

  test('names the hosts and what is meant by patterns of them', () => {
    expect(sentenceOf('net', everything)).toBe(
      'It can send to and read from api.example.org, every host below example.net on port 8443 and any host on the internet.',
    );
  });

  test('names the methods of other plugins, by plugin', () => {
    const calls = ['film-facts:rating', '@ada/casts:people', 'film-facts:year'];

    expect(sentenceOf('calls', { calls })).toBe(
      'It can call rating and year of the plugin film-facts and people of the plugin @ada/casts, which gets what it sends and answers it.',
    );
  });

  test('tells writing from reading', () => {
    const [reads, writes] = (['read', 'write'] as const).map((library) =>
      sentenceOf('library', { library }),
    );
    expect(reads).not.toMatch(/change/);
    expect(writes).toMatch(/change/);
  });

  test('has the reason of the author beside it, and says when there is none', () => {
    const reasons = sentencesOf({ net: ['*'], wasm: true, reasons: { net: 'Films.' } });

    expect(reasons.map(({ reason }) => reason)).toEqual(['Films.', null]);
    expect(sentenceOf('kv', {})).toBeNull();
  });

  test('is said in German to people who read German', () => {
    const german = sentencesOf(everything, { locale: 'de-AT' });

    expect(german.map(({ permission }) => permission)).toEqual(powersOf(everything));
    for (const { sentence } of german) expect(sentence).toMatch(/^Es [^.].*\.$/);
    expect(sentenceOf('files', everything, { locale: 'de', places: 'Filme' })).toBe(
      'Es kann die Dateien von Filme lesen, und keine anderen.',
    );
    expect(sentencesOf(everything, { locale: 'fr' })).toEqual(sentencesOf(everything));
  });
});
