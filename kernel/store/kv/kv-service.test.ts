import { describe, expect, test } from 'vitest';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createKvService } from '../index.ts';

describe('host.kv', () => {
  const open = async () => {
    const { kv } = await openTestStorage();
    return callService(createKvService(kv), { kv: { quotaMb: 0.0001 } });
  };

  test('sets, gets, lists and removes', async () => {
    const call = await open();

    expect(await call('set', { key: 'a', value: { x: 1 } })).toBeNull();
    expect(await call('get', { key: 'a' })).toBe('{"x":1}');
    expect(await call('list', {})).toEqual({ keys: ['a'], cursor: null });
    expect(await call('remove', { key: 'a' })).toBeNull();
    expect(await call('get', { key: 'a' })).toBe('null');
  });

  test('counts 1 MB as 1 000 000 bytes of keys and values', async () => {
    const call = await open();

    await call('set', { key: 'a', value: 'x'.repeat(97) });
    await expect(call('set', { key: 'b', value: 1 })).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
  });

  const three = [1, 2, 3].map((value) => ({ key: `a/${value}`, value }));
  const openWide = async () => {
    const { kv } = await openTestStorage();
    return callService(createKvService(kv), { kv: { quotaMb: 10 } });
  };
  const scan = async (call: Awaited<ReturnType<typeof openWide>>, input: object) =>
    JSON.parse((await call('scan', input)) as string) as {
      entries: { key: string; value: unknown }[];
      cursor: string | null;
    };

  test('scans entries by prefix in both directions, page by page', async () => {
    const call = await openWide();
    await call('batch', { set: [...three, { key: 'b', value: 0 }] });

    const first = await scan(call, { prefix: 'a/', limit: 2 });
    expect(first).toEqual({ entries: three.slice(0, 2), cursor: 'a/2' });
    expect(await scan(call, { prefix: 'a/', limit: 2, cursor: first.cursor })).toEqual({
      entries: three.slice(2),
      cursor: null,
    });
    expect((await scan(call, { prefix: 'a/', reverse: true })).entries).toEqual(three.toReversed());
    expect(
      (await scan(call, { prefix: 'a/', reverse: true, cursor: 'a/2' })).entries.map(
        ({ key }) => key,
      ),
    ).toEqual(['a/1']);
    expect(await scan(call, { prefix: 'c' })).toEqual({ entries: [], cursor: null });
  });

  test('ends a page of large entries before it is too large to cross', async () => {
    const call = await openWide();
    const set = Array.from({ length: 6 }, (_, no) => ({
      key: `${no}`,
      value: 'x'.repeat(900_000),
    }));
    await call('batch', { set });

    const { entries, cursor } = await scan(call, {});

    expect(entries).toHaveLength(4);
    expect((await scan(call, { cursor })).entries).toHaveLength(2);
  });

  test('writes all of a batch, or nothing when it exceeds the quota', async () => {
    const call = await open();
    await call('set', { key: 'a', value: 1 });

    await call('batch', { remove: ['a', 'gone'], set: [{ key: 'b', value: 2 }] });
    expect(await call('list', {})).toMatchObject({ keys: ['b'] });

    const tooMuch = { remove: ['b'], set: [{ key: 'c', value: 'x'.repeat(100) }] };
    await expect(call('batch', tooMuch)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await call('list', {})).toMatchObject({ keys: ['b'] });
  });

  test('frees in a batch what it removes, and counts a key that is set again once', async () => {
    const call = await open();
    const full = { key: 'a', value: 'x'.repeat(97) };
    await call('batch', { set: [full] });

    await call('batch', { remove: ['a'], set: [{ ...full, key: 'b' }] });
    await call('batch', { set: [{ ...full, key: 'b' }] });

    expect(await call('list', {})).toMatchObject({ keys: ['b'] });
  });

  test('counts keys by their beginning, no further than asked', async () => {
    const call = await openWide();
    await call('batch', { set: [...three, { key: 'b', value: 0 }] });

    expect(await call('count', { prefix: 'a/', most: 100 })).toEqual({ count: 3 });
    expect(await call('count', { prefix: 'a/', most: 2 })).toEqual({ count: 2 });
    expect(await call('count', { prefix: 'c', most: 2 })).toEqual({ count: 0 });
  });

  test('trims entries of a prefix to the last ones, and frees their bytes', async () => {
    const call = await open();
    const set = ['a/1', 'a/2', 'a/3', 'b'].map((key) => ({ key, value: 'xxxxxxxxxx' }));
    await call('batch', { set });

    expect(await call('trim', { prefix: 'a/', keep: 1 })).toEqual({ removed: 2 });
    expect(await call('trim', { prefix: 'a/', keep: 1 })).toEqual({ removed: 0 });
    expect(await call('list', {})).toMatchObject({ keys: ['a/3', 'b'] });
    await call('set', { key: 'c', value: 'x'.repeat(60) });
  });

  test.each([
    ['batch', { set: [{ key: 'a' }] }],
    ['scan', { limit: 501 }],
    ['count', { prefix: 'a' }],
    ['trim', { prefix: 'a', keep: -1 }],
    ['get', {}],
    ['get', { key: 1 }],
    ['get', { key: 'a', more: 1 }],
    ['get', { key: 'x'.repeat(513) }],
    ['set', { key: 'a' }],
    ['list', { limit: 0 }],
    ['list', { limit: 1001 }],
    ['list', { prefix: null }],
    ['remove', null],
  ])('its schema refuses %s(%j)', async (method, input) => {
    const call = await open();

    await expect(call(method, input)).rejects.toThrow('schema');
  });
});
