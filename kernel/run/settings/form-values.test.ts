import { describe, expect, test } from 'vitest';
import type { ConfigField } from '../../../plugin-api/index.ts';
import {
  effectiveValues,
  enteredHosts,
  fittingValues,
  maskedValues,
  parseConfiguration,
} from './form-values.ts';

const form: readonly ConfigField[] = [
  { key: 'language', label: 'Language', input: 'text', default: 'en' },
  { key: 'apiKey', label: 'API key', input: 'secret', required: true },
  { key: 'limit', label: 'Limit', input: 'number', min: 1, max: 100 },
  { key: 'isEager', label: 'Eager', input: 'toggle' },
  { key: 'size', label: 'Size', input: 'select', options: ['s', 'l', 3] },
  { key: 'kinds', label: 'Kinds', input: 'multi-select', options: ['poster', 'banner'] },
  { key: 'hosts', label: 'Hosts', input: 'string-list' },
  { key: 'folder', label: 'Folder', input: 'file-path' },
  { key: 'accent', label: 'Accent', input: 'color' },
  { key: 'share', label: 'Share', input: 'slider', min: 0, max: 1 },
];

const full = {
  language: 'de',
  apiKey: 'k-1',
  limit: 100,
  isEager: false,
  size: 3,
  kinds: [],
  hosts: ['a', 'b'],
  folder: '/srv/media',
  accent: '#36F',
  share: 0.5,
};

describe('a field that grants a host', () => {
  const standard = 'https://api.example.org/v1';
  const mirror: readonly ConfigField[] = [
    { key: 'baseUrl', label: 'Address', input: 'text', default: standard, grants: 'host' },
  ];

  test.each([
    ['https://nas.lan/ws', ['nas.lan:443']],
    ['http://192.168.1.10:5000', ['192.168.1.10:5000']],
    [standard, []],
    [undefined, []],
    ['javascript:alert(1)', []],
  ])('with %s grants %j', (baseUrl, hosts) => {
    expect(enteredHosts(mirror, baseUrl === undefined ? {} : { baseUrl })).toEqual(hosts);
  });

  test('names a host once that stands in several addresses', () => {
    const pictures: ConfigField = {
      key: 'pictures',
      label: 'Pictures',
      input: 'text',
      grants: 'host',
    };
    const kept = { baseUrl: 'http://nas.lan/3', pictures: 'http://nas.lan/t' };

    expect(enteredHosts([...mirror, pictures], kept)).toEqual(['nas.lan:80']);
  });

  test.each(['nas.lan', 'ftp://nas.lan', 'https://a:b@nas.lan', 'https://nas.lan/?a=1'])(
    'refuses %s',
    (baseUrl) => {
      const parsed = parseConfiguration(mirror, { baseUrl }, {});

      expect(parsed.ok ? '' : parsed.faults.join(' ')).toContain('is not an address such as');
    },
  );
});

describe('a configuration', () => {
  test('that fits the form is kept as it was set', () => {
    expect(parseConfiguration(form, full, {})).toEqual({ ok: true, value: full });
  });

  test.each([
    ['language', 1, 'language: 1 is a number, not text.'],
    ['language', 'x'.repeat(10_001), 'is longer than 10000 characters.'],
    ['apiKey', 7, 'apiKey: the secret is a number, not text.'],
    ['apiKey', '', 'apiKey is missing; API key is required.'],
    ['limit', 0, 'limit: 0 is below 1.'],
    ['limit', 101, 'limit: 101 is above 100.'],
    ['limit', '7', 'limit: "7" is a text, not a number.'],
    ['isEager', 'yes', 'isEager: "yes" is a text, not true or false.'],
    ['size', 'm', 'size: "m" is not one of the options "s", "l", 3.'],
    ['kinds', 'poster', 'kinds: "poster" is a text, not a list of options.'],
    ['kinds', ['logo'], 'kinds: ["logo"] has "logo", which is not one of the options'],
    ['kinds', ['poster', 'poster'], 'kinds: ["poster","poster"] has an option twice.'],
    ['hosts', ['a', 1], 'hosts: ["a",1] has at [1] something that is a number, not text.'],
    ['hosts', 'a', 'hosts: "a" is a text, not a list of texts.'],
    ['folder', 'a\0b', 'has a zero byte.'],
    ['accent', 'red', 'accent: "red" is not a color; right is #rgb, #rrggbb or #rrggbbaa.'],
    ['share', 1.1, 'share: 1.1 is above 1.'],
    ['share', null, 'share: null is null, not a number.'],
    ['other', 1, '"other" is not a key of the form; known are language, apiKey'],
    ['values', {}, 'send the values themselves'],
    ['toString', 1, '"toString" is not a key of the form'],
  ])('with %s = %j is refused', (key, value, message) => {
    const parsed = parseConfiguration(form, { ...full, [key]: value }, {});

    expect(parsed.ok ? 'It was taken.' : parsed.faults.join(' ')).toContain(message);
  });

  test.each([[null], [[]], ['text'], [JSON.parse('{"__proto__": {}}') as unknown]])(
    'of %j is refused',
    (input) => {
      expect(parseConfiguration(form, input, {}).ok).toBe(false);
    },
  );

  test('never names a secret in a refusal', () => {
    const parsed = parseConfiguration(form, { ...full, apiKey: ['hunter2'] }, {});

    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });

  test('keeps the secret when *** comes back, and takes *** for no secret when there is none', () => {
    const kept = parseConfiguration(form, { apiKey: '***' }, { apiKey: 'k-1' });
    const none = parseConfiguration(form, { apiKey: '***' }, {});

    expect(kept).toEqual({ ok: true, value: { apiKey: 'k-1' } });
    expect(none).toEqual({ ok: false, faults: ['apiKey is missing; API key is required.'] });
  });

  test('has defaults for what was not set, and no key that the form has not', () => {
    expect(effectiveValues(form, { apiKey: 'k-1', gone: 1 })).toEqual({
      language: 'en',
      apiKey: 'k-1',
    });
  });

  test('shows *** for every secret that is set', () => {
    expect(maskedValues(form, { apiKey: 'k-1' })).toEqual({ language: 'en', apiKey: '***' });
    expect(maskedValues(form, {})).toEqual({ language: 'en' });
  });

  test('of an older form is used as far as it still fits', () => {
    expect(fittingValues(form, { limit: 500, language: 'de', gone: 1 })).toEqual({
      language: 'de',
    });
  });

  test('ignores inherited keys of objects', () => {
    const tricky: readonly ConfigField[] = [{ key: 'toString', label: 'T', input: 'text' }];

    expect(effectiveValues(tricky, {})).toEqual({});
    expect(parseConfiguration(tricky, {}, {})).toEqual({ ok: true, value: {} });
  });
});
