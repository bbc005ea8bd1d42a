import { describe, expect, test } from 'vitest';
import type { Permissions } from '../../../plugin-api/index.ts';
import { clamp, excess } from './permissions.ts';

const asked: Permissions = {
  net: ['*.example.org', 'api.example.net'],
  library: 'read',
  files: 'read',
  kv: { quotaMb: 10 },
  jobs: ['scan'],
  wasm: true,
  reasons: { net: 'To look up films.' },
};

describe('a grant', () => {
  test.each<Permissions>([
    {},
    asked,
    { net: ['api.example.org'], kv: { quotaMb: 1 } },
    { net: ['api.example.net:8443'] },
    { files: 'read', jobs: ['scan'] },
    { reasons: { disk: 'A reason is not a power.' } },
  ])('of %j is not wider than what was asked', (granted) => {
    expect(excess(granted, asked)).toEqual([]);
  });

  test.each<[Permissions, readonly string[]]>([
    [{ disk: 'read' }, ['disk was not asked for']],
    [{ library: 'write' }, ['library: write is wider than read']],
    [{ kv: { quotaMb: 11 } }, ['kv.quotaMb: 11 is above 10']],
    [{ net: ['example.org'] }, ['net: example.org was not asked for']],
    [{ net: ['*'] }, ['net: * was not asked for']],
    [{ jobs: ['*'] }, ['jobs: * was not asked for']],
    [{ net: ['evilexample.org'] }, ['net: evilexample.org was not asked for']],
    [{ net: ['*.example.net'] }, ['net: *.example.net was not asked for']],
    [{ jobs: ['scan', 'probe'] }, ['jobs: probe was not asked for']],
    [
      { textIndex: true, secrets: true },
      ['textIndex was not asked for', 'secrets was not asked for'],
    ],
  ])('of %j is too wide, and it is said by how much', (granted, phrases) => {
    expect(excess(granted, asked)).toEqual(phrases);
  });

  test('is cut to what a later version of the plugin still asks for', () => {
    const granted: Permissions = { ...asked, library: 'write', disk: 'read', textIndex: true };

    expect(
      clamp(granted, { library: 'read', net: ['api.example.net'], kv: { quotaMb: 3 } }),
    ).toEqual({ library: 'read', net: ['api.example.net'], kv: { quotaMb: 3 } });
  });

  test('that was narrower stays so', () => {
    expect(
      clamp({ library: 'read', net: ['a.example.org'] }, { ...asked, library: 'write' }),
    ).toEqual({ library: 'read', net: ['a.example.org'] });
  });
});
