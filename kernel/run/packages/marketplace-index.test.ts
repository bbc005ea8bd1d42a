import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  marketplaceIndexSchema,
  packageSignatureSchema,
  permissionsSchema,
} from '../../../manifests-schema/index.ts';
import { createPackage, createPublisher } from '../../../test/support/plugins/packages.ts';
import type { Signer } from './signature.ts';
import { isExpired } from './index-lifetime.ts';
import { rotateKey } from './key-rotation.ts';
import { createIndexReader, indexDigest, signIndex } from './marketplace-index.ts';
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
  author: 'A test',
  license: 'MIT',
  publisherKey: key.publicKey,
  versions: [version],
};
const draft = {
  name: 'A source',
  indexId: 'ab'.repeat(16),
  sequence: 1,
  updatedAt: '2026-11-21T07:44:53.000Z',
  expiresAt: '2026-12-05T07:44:53.000Z',
  plugins: [plugin],
};
const rotation = (from: Signer, to: string) =>
  rotateKey(from, { to, issuedAt: draft.updatedAt, packages: [] });
const [old, next, other] = [createPublisher(), createPublisher(), createPublisher()];

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

  test('is refused when any part differs from what was signed', async () => {
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
    ['a day that is none', { updatedAt: '2026-11-99T07:44:53Z' }, /not a moment of a calendar/],
    ['no end', { expiresAt: undefined }, /expiresAt is missing; right is a moment/],
    ['an end before it begins', { expiresAt: draft.updatedAt }, /is not after updatedAt/],
    ['an end too late', { expiresAt: '2026-12-21T07:44:53.001Z' }, /is more than 30 days after/],
    ['an invalid sequence', { sequence: 0 }, /sequence: 0 is below 1/],
    ['an invalid id', { indexId: 'AB' }, /indexId: "AB" does not fit/],
    [
      'a key that is replaced twice',
      { rotations: [rotation(old, next.publicKey), rotation(old, other.publicKey)] },
      /two rotation records replace the key/,
    ],
    [
      'its own key, replaced',
      { rotations: [rotation(key, next.publicKey)] },
      /a key that it declares replaced/,
    ],
    ['a plugin twice', { plugins: [plugin, plugin] }, /a-plugin is listed twice/],
    [
      'a version twice',
      { plugins: [{ ...plugin, versions: [version, version] }] },
      /has the version 1.0.0 twice/,
    ],
    [
      'a version that is not a version',
      { plugins: [{ ...plugin, versions: [{ ...version, version: 'v1' }] }] },
      /which is not a semantic version/,
    ],
    [
      'a version in another spelling',
      { plugins: [{ ...plugin, versions: [{ ...version, version: 'v1.0.0' }] }] },
      /which is not a semantic version/,
    ],
    [
      'a package above the limit',
      { plugins: [{ ...plugin, versions: [{ ...version, size: 10_485_761 }] }] },
      /above 10485760/,
    ],
    [
      'an unknown permission',
      { plugins: [{ ...plugin, versions: [{ ...version, permissions: { shell: true } }] }] },
      /shell is not known here/,
    ],
    ['an id with a path', { plugins: [{ ...plugin, id: '../a' }] }, /plugins\[0\]\.id/],
  ])('with %s is refused, with what is wrong', async (_, more, message) => {
    expect(await faultOf({ ...signIndex(draft, key), ...more })).toMatch(message);
  });

  test('in the form without an expiry says what its publisher must do', async () => {
    const { name, updatedAt, plugins, ...fresh } = signIndex(draft, key);
    const { publisherKey, signature } = fresh;
    const older = { name, updatedAt, plugins, publisherKey, signature };

    expect(await faultOf(older)).toMatch(/an older version made it. Publish the packages with/);
  });

  test('may last 30 days to the millisecond, and expires at the end', () => {
    const expiresAt = '2026-12-21T07:44:53.000Z';
    const index = signIndex({ ...draft, expiresAt }, key);
    const end = Date.parse(expiresAt);

    expect([end - 1, end].map((now) => isExpired(index, now))).toEqual([false, true]);
  });

  test('has a digest of what was signed, for any spacing and order of keys', () => {
    const index = signIndex(draft, key);
    const { name, ...rest } = index;
    const raised = signIndex({ ...draft, sequence: 2 }, key);

    expect(indexDigest({ ...rest, name })).toBe(indexDigest(index));
    expect(indexDigest(raised)).not.toBe(indexDigest(index));
  });

  test('that is not JSON, too long or too deep is refused before it is parsed', async () => {
    expect(await faultOf('{')).toBe('The index is not JSON.');
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
