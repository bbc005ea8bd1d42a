import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  marketplaceIndexSchema,
  packageSignatureSchema,
  permissionsSchema,
} from '../../../manifests-schema/index.ts';
import { createPackage, createPublisher } from '../../../test/support/packages.ts';
import { createIndexReader, signIndex } from './marketplace-index.ts';
import { filesOf } from './plugin-archive.ts';

const key = createPublisher();
const read = createIndexReader();

const version = {
  version: '1.0.0',
  url: 'packages/a.vplugin',
  sha256: 'ab'.repeat(32),
  size: 100,
  minVersion: '>=0.1.0',
  permissions: { net: ['api.example.org'] },
};
const plugin = {
  id: 'a-plugin',
  name: 'A plugin',
  description: 'Written by a test.',
  publisherKey: key.publicKey,
  versions: [version],
};
const draft = { name: 'A source', updatedAt: '2026-11-21T07:44:53.000Z', plugins: [plugin] };

const faultOf = async (value: unknown): Promise<string> => {
  const reading = await read(typeof value === 'string' ? value : JSON.stringify(value));
  return reading.ok ? 'taken' : reading.fault;
};

describe('an index', () => {
  test('is read when its key signed it, however it is spaced', async () => {
    const index = signIndex(draft, key);

    expect(await read(JSON.stringify(index, null, 4))).toEqual({ ok: true, index });
    expect(index.publisherKey).toBe(key.publicKey);
  });

  test('is refused when any of it is another than what was signed', async () => {
    const index = signIndex(draft, key);
    const wrong = /was not signed with the key that it names/;

    expect(await faultOf({ ...index, name: 'Another' })).toMatch(wrong);
    expect(await faultOf({ ...index, plugins: [] })).toMatch(wrong);
    expect(await faultOf({ ...index, publisherKey: createPublisher().publicKey })).toMatch(wrong);
    expect(await faultOf({ ...index, publisherKey: `01${'00'.repeat(31)}` })).toMatch(wrong);
  });

  test.each<[string, object, RegExp]>([
    ['an unknown key', { colour: 1 }, /colour is not known here/],
    ['a moment that is none', { updatedAt: 'today' }, /updatedAt/],
    ['a plugin twice', { plugins: [plugin, plugin] }, /a-plugin is there twice/],
    [
      'a version twice',
      { plugins: [{ ...plugin, versions: [version, version] }] },
      /has the version 1.0.0 twice/,
    ],
    [
      'a version that is none',
      { plugins: [{ ...plugin, versions: [{ ...version, version: 'v1' }] }] },
      /which is no semantic version/,
    ],
    [
      'a package above the limit',
      { plugins: [{ ...plugin, versions: [{ ...version, size: 10_485_761 }] }] },
      /above 10485760/,
    ],
    [
      'a permission that nobody knows',
      { plugins: [{ ...plugin, versions: [{ ...version, permissions: { shell: true } }] }] },
      /shell is not known here/,
    ],
    ['an id with a path', { plugins: [{ ...plugin, id: '../a' }] }, /plugins\[0\]\.id/],
  ])('with %s is refused, with what is wrong', async (_, more, message) => {
    expect(await faultOf({ ...signIndex(draft, key), ...more })).toMatch(message);
  });

  test('that is no JSON, too long or too deep is refused before it is looked at', async () => {
    expect(await faultOf('{')).toBe('The index is no JSON.');
    expect(await faultOf('['.repeat(100))).toMatch(/nested more than 12 levels/);
    expect(await faultOf(' '.repeat(4 * 1024 * 1024 + 1))).toMatch(/above 4194304/);
    expect(await faultOf('{"__proto__": {}}')).toMatch(/never allowed/);
  });
});

test('the schemas of index and signature are valid, and fit what is made', async () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  ajv.addSchema(permissionsSchema);
  const files = await filesOf(createPackage({ id: 'a-plugin' }, { signer: key }));
  const signature = files.ok ? Buffer.from(files.files.get('signature.json') ?? []).toString() : '';

  expect(ajv.validate(marketplaceIndexSchema, signIndex(draft, key))).toBe(true);
  expect(ajv.validate(packageSignatureSchema, JSON.parse(signature))).toBe(true);
});
