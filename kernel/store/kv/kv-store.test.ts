import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { describeEachDriver, useSharedStorage } from '../../../test/support/storage/storage.ts';
import { rounds } from '../../../test/support/run/nightly.ts';
import { endOfPrefix } from './key.ts';
import type { KvStore } from './kv-store.ts';

const quota = 1_000_000;
const all = { prefix: '', cursor: null, limit: 1000 };

describeEachDriver('the key-value store over %s', (driver) => {
  const storage = useSharedStorage(driver);
  const open = async (): Promise<KvStore> => storage().kv;
  afterEach(async () => {
    for (const plugin of ['p', 'q']) await storage().kv.removeAll(plugin);
  });

  test('gives back what was set, and null for what was not', async () => {
    const kv = await open();

    await kv.set('p', { key: 'a', json: '{"x":[1,null]}' }, quota);
    await kv.set('p', { key: 'a', json: '"ünï\u{1f3ac}"' }, quota);

    expect(await kv.get('p', 'a')).toBe('"ünï\u{1f3ac}"');
    expect(await kv.get('p', 'b')).toBeNull();
  });

  test('separates the plugins', async () => {
    const kv = await open();
    await kv.set('p', { key: 'a', json: '1' }, quota);
    await kv.set('q', { key: 'a', json: '2' }, quota);

    await kv.removeAll('q');

    expect(await kv.get('p', 'a')).toBe('1');
    expect(await kv.get('q', 'a')).toBeNull();
    expect(await kv.usedBytes('q')).toBe(0);
  });

  test('counts the bytes of keys and values, also of replaced and removed ones', async () => {
    const kv = await open();

    await kv.set('p', { key: 'ä', json: '"ä"' }, quota);
    await kv.set('p', { key: 'b', json: '"bbb"' }, quota);
    await kv.set('p', { key: 'b', json: '"b"' }, quota);
    await kv.remove('p', 'ä');
    await kv.remove('p', 'nothing');

    expect(await kv.usedBytes('p')).toBe(1 + 3);
  });

  test('refuses a write past the quota, and changes nothing', async () => {
    const kv = await open();
    await kv.set('p', { key: 'a', json: '"1234567"' }, 10);

    const past = kv.set('p', { key: 'b', json: '1' }, 10);

    await expect(past).rejects.toMatchObject({
      code: 'quota_exceeded',
      message: "The plugin's store would take 12 bytes; its quota is 10.",
    });
    expect(await kv.list('p', all)).toEqual({ keys: ['a'], cursor: null });
    expect(await kv.usedBytes('p')).toBe(10);
  });

  test('lets a plugin shrink what it has after its quota was lowered', async () => {
    const kv = await open();
    await kv.set('p', { key: 'a', json: '"1234567"' }, 10);

    await kv.set('p', { key: 'a', json: '"12345"' }, 5);

    expect(await kv.usedBytes('p')).toBe(8);
  });

  test('holds the quota when many writes come at once', async () => {
    const kv = await open();

    const writes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        kv.set('p', { key: String.fromCharCode(97 + index), json: '"1234567"' }, 55),
      ),
    );

    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await kv.usedBytes('p')).toBe(50);
  });

  test('takes a value of 1 000 000 bytes and no larger one', async () => {
    const kv = await open();
    const value = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

    await kv.set('p', { key: 'a', json: value(1_000_000) }, 2 * quota);
    const larger = kv.set('p', { key: 'a', json: value(1_000_001) }, 2 * quota);

    await expect(larger).rejects.toMatchObject({ code: 'too_large' });
  });

  test.each([
    ['a key of 513 characters', '\u{1f3ac}'.repeat(513)],
    ['a NUL character', 'a\0b'],
    ['half of a surrogate pair', 'a\ud800'],
  ])('refuses %s', async (_, key) => {
    const kv = await open();
    const invalid = { code: 'invalid_argument' };

    await expect(kv.set('p', { key, json: '1' }, quota)).rejects.toMatchObject(invalid);
    await expect(kv.get('p', key)).rejects.toMatchObject(invalid);
    await expect(kv.remove('p', key)).rejects.toMatchObject(invalid);
    await expect(kv.list('p', { ...all, prefix: key })).rejects.toMatchObject(invalid);
    await expect(kv.list('p', { ...all, cursor: key })).rejects.toMatchObject(invalid);
  });

  test('takes any key of 512 characters', async () => {
    const kv = await open();
    const key = '\u{1f3ac}'.repeat(512);

    await kv.set('p', { key, json: '1' }, quota);

    expect(await kv.get('p', key)).toBe('1');
  });

  test('lists the keys with a prefix in pages, ascending by code point', async () => {
    const kv = await open();
    const keys = ['a', 'b%', 'b/1', 'b/10', 'b/2', 'b/\u{10ffff}', 'b/\uffee', 'b_', 'c'];
    for (const key of keys) await kv.set('p', { key, json: '1' }, quota);

    const pages = [];
    for (let cursor: string | null = null, page; ; cursor = page.cursor) {
      page = await kv.list('p', { prefix: 'b/', cursor, limit: 2 });
      pages.push(page.keys);
      if (page.cursor === null) break;
    }

    expect(pages).toEqual([['b/1', 'b/10'], ['b/2', 'b/\uffee'], ['b/\u{10ffff}']]);
  });

  test('lists exactly the keys that begin with a prefix', async () => {
    const kv = await open();
    const text = fc.string({ unit: fc.constantFrom('a', 'B', '%', '_', '\ud7ff', '\u{10ffff}') });
    let round = 0;

    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text), text, async (keys, prefix) => {
        const pluginId = `p${(round += 1)}`;
        for (const key of keys) await kv.set(pluginId, { key, json: '1' }, quota);

        const page = await kv.list(pluginId, { ...all, prefix });

        expect(new Set(page.keys)).toEqual(new Set(keys.filter((key) => key.startsWith(prefix))));
      }),
      { numRuns: rounds(10, 30) },
    );
  });
});

describe('endOfPrefix', () => {
  test('steps over the surrogates, and over characters that have no successor', () => {
    expect(['a', 'a\ud7ff', 'a\u{10ffff}', '\u{10ffff}', ''].map(endOfPrefix)).toEqual([
      'b',
      'a\ue000',
      'b',
      null,
      null,
    ]);
  });
});
