import { describe, expect, test } from 'vitest';
import { callService } from '../../../test/support/call-service.ts';
import { openTestStorage } from '../../../test/support/storage.ts';
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

  test.each([
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
