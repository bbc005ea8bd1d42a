import { describe, expect, test } from 'vitest';
import type { Manifest } from '../../../plugin-api/index.ts';
import { createManifestReader } from '../manifest/manifest.ts';
import { findText, readLocales, translated, untranslated, type Locales } from './index.ts';

const reader = createManifestReader();

const manifest: Manifest = {
  manifestVersion: 1,
  id: 'tags',
  name: 'Tags',
  version: '1.0.0',
  description: 'Adds tags.',
  author: 'Ada',
  license: 'MIT',
  main: 'index.js',
  minVersion: '>=0.1.0',
  capabilities: [],
  mediaTypes: [],
  permissions: { net: ['a.test'], reasons: { net: 'To ask for tags.' } },
  configuration: [
    { key: 'most', label: 'Most tags', input: 'number', description: 'For each film.' },
    { key: 'isOn', label: 'On', input: 'toggle' },
  ],
  profileConfiguration: [{ key: 'own', label: 'Own tags', input: 'toggle' }],
  exports: [
    {
      name: 'tagsOf',
      description: 'Gives tags.',
      input: { type: 'object' },
      output: { type: 'array' },
    },
  ],
};

const read = (files: Readonly<Record<string, unknown>>) =>
  readLocales(
    new Map(
      Object.entries(files).map(([name, file]) => [
        `locales/${name}`,
        typeof file === 'string' ? file : JSON.stringify(file),
      ]),
    ),
    manifest,
    reader,
  );

function sound(files: Readonly<Record<string, unknown>>): Locales {
  const found = read(files);
  if (!found.ok) throw new Error(found.faults.join(' '));
  return found.value;
}

const en = { texts: { title: 'Tags of {film}', found: { one: 'One tag', other: '{count} tags' } } };

describe('a language file is refused', () => {
  test.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['that is not JSON', { 'de.json': '{' }, ['locales/de.json', 'not JSON']],
    ['without a language', { 'german.txt': {} }, ['locales/german.txt', 'locales/<language>.json']],
    ['in a folder', { 'de/x.json': {} }, ['locales/de/x.json', 'locales/<language>.json']],
    ['with another spelling', { 'de_at.json': {} }, ['"de_at"', 'right is de-AT.json']],
    ['with a name that is not a tag', { 'x y.json': {} }, ['"x y"', 'BCP 47', 'pt-BR']],
    ['with an unknown part', { 'de.json': { nmae: 'x' } }, ['nmae is not known', 'name may be']],
    [
      'with a field that the manifest lacks',
      { 'de.json': { configuration: { mots: { label: 'x' } } } },
      ['locales/de.json: configuration.mots', 'no such text', 'known are most, isOn'],
    ],
    [
      'with a reason that the manifest does not give',
      { 'de.json': { reasons: { kv: 'Harmlos.' } } },
      ['reasons.kv', 'no such text', 'known are net'],
    ],
    [
      'with a method that the manifest does not export',
      { 'de.json': { exports: { tags: 'x' } } },
      ['exports.tags', 'known are tagsOf'],
    ],
    [
      'with a help that the manifest lacks',
      { 'de.json': { configuration: { isOn: { description: 'x' } } } },
      ['configuration.isOn.description', 'add it there'],
    ],
    ['with a permission', { 'de.json': { permissions: {} } }, ['permissions is not known']],
    ['with a long name', { 'de.json': { name: 'x'.repeat(81) } }, ['name', 'more than 80']],
    ['with a text that is a number', { 'de.json': { texts: { a: 1 } } }, ['texts.a', 'plural']],
    [
      'with forms without other',
      { 'en.json': { texts: { a: { one: 'x' } } } },
      ['locales/en.json', 'texts.a', 'plural'],
    ],
    [
      'with texts and without English',
      { 'de.json': { texts: { a: 'x' } } },
      ['locales/de.json', 'locales/en.json is missing'],
    ],
    [
      'with a key that English lacks',
      { 'en.json': en, 'de.json': { texts: { titel: 'x' } } },
      ['locales/de.json: texts.titel is not in locales/en.json'],
    ],
    [
      'without a value that English has',
      { 'en.json': en, 'de.json': { texts: { title: 'Schlagworte' } } },
      ['texts.title lacks {film}'],
    ],
    [
      'with a value that English lacks',
      { 'en.json': en, 'de.json': { texts: { title: '{film} {jahr}' } } },
      ['texts.title: {jahr} is not in the text of locales/en.json'],
    ],
    [
      'without the number where it counts',
      { 'en.json': en, 'de.json': { texts: { found: { one: 'Eins', other: 'Viele' } } } },
      ['texts.found.other lacks {count}'],
    ],
    ['that is large', { 'de.json': `{"name":"x"}${' '.repeat(65_536)}` }, ['at most 65536']],
    [
      'of a fifty-first language',
      Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x${at}.json`, {}])),
      ['51 files', 'at most 50 languages'],
    ],
    [
      'with a key of a prototype',
      { 'de.json': '{"texts":{"__proto__":"x"}}' },
      ['locales/de.json', '__proto__', 'never allowed'],
    ],
  ])('%s, and the message names file, key and remedy', (_, files, words) => {
    const found = read(files);

    const said = found.ok ? '' : found.faults.join('\n');
    for (const word of words) expect(said).toContain(word);
  });
});

describe('the words of a plugin', () => {
  const de = {
    name: 'Schlagworte',
    description: 'Fügt Schlagworte hinzu.',
    configuration: { most: { label: 'Höchstens', description: 'Je Film.' } },
    profileConfiguration: { own: { label: 'Eigene' } },
    reasons: { net: 'Um nach Schlagworten zu fragen.' },
    exports: { tagsOf: 'Gibt Schlagworte.' },
    texts: { title: 'Schlagworte zu {film}' },
  };
  const locales = sound({ 'en.json': en, 'de.json': de, 'de-CH.json': { name: 'Tägs' } });

  test('are those of the language, else of its parent, and nothing but words changes', () => {
    expect(translated(manifest, locales, 'de-AT')).toEqual({
      ...manifest,
      name: 'Schlagworte',
      description: 'Fügt Schlagworte hinzu.',
      permissions: { net: ['a.test'], reasons: { net: 'Um nach Schlagworten zu fragen.' } },
      configuration: [
        { key: 'most', label: 'Höchstens', input: 'number', description: 'Je Film.' },
        { key: 'isOn', label: 'On', input: 'toggle' },
      ],
      profileConfiguration: [{ key: 'own', label: 'Eigene', input: 'toggle' }],
      exports: [{ ...manifest.exports?.[0], description: 'Gibt Schlagworte.' }],
    });
    expect(translated(manifest, locales, 'de-CH').name).toBe('Tägs');
    for (const none of ['fr', 'constructor', null])
      expect(translated(manifest, locales, none)).toEqual(manifest);
  });

  const asked = { key: 'title', values: { film: 'Heat' } };

  test.each([
    ['de-AT', 'Schlagworte zu Heat'],
    ['de-CH', 'Schlagworte zu Heat'],
    ['fr', 'Tags of Heat'],
    [null, 'Tags of Heat'],
  ])('of a view are those for %s, else English', (locale, text) => {
    expect(findText(locales, { ...asked, locale })).toEqual({ ok: true, text });
  });

  test.each([
    ['en', 1, 'One tag'],
    ['en', 2, '2 tags'],
    ['pl', 3, '3 tagi'],
    ['pl', 5, '5 tagów'],
  ])('in %s have the form for %s', (locale, count, text) => {
    const found = { one: 'Jeden tag', few: '{count} tagi', other: '{count} tagów' };
    const both = sound({ 'en.json': en, 'pl.json': { texts: { found } } });

    expect(findText(both, { locale, key: 'found', values: { count } })).toEqual({ ok: true, text });
  });

  test.each([
    ['toString', {}, 'the text "toString" is not in locales/en.json'],
    ['title', {}, 'the text "title" needs the value film in "with"'],
    ['found', {}, 'the text "found" needs the value count in "with"'],
    ['title', { film: 'x'.repeat(10_000) }, 'the text "title" has more than 10000 characters'],
  ])('that lack %s are refused with the reason', (key, values, reason) => {
    expect(findText(locales, { locale: 'de', key, values })).toEqual({ ok: false, reason });
  });

  test('that a language leaves out are listed', () => {
    expect(
      untranslated(sound({ 'en.json': en, 'en-GB.json': {}, 'de.json': de }), manifest),
    ).toEqual(new Map([['de', ['configuration.isOn', 'texts.found']]]));
  });
});
