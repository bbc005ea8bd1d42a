import { describe, expect, test } from 'vitest';
import { callService } from '../../../test/support/plugins/call-service.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { createTextIndexService } from '../index.ts';

const document = { id: '1', scope: 's', kind: 'item', title: 'The Garden', body: '' };

describe('host.textIndex', () => {
  const open = async () => {
    const { textIndex } = await openTestStorage();
    return callService(createTextIndexService(textIndex), { textIndex: true });
  };

  test('puts, counts, finds, suggests, removes and clears', async () => {
    const call = await open();

    expect(await call('put', { documents: [document] })).toBeNull();
    expect(await call('size', {})).toEqual({ documents: 1 });
    expect(await call('query', { terms: [{ text: 'garden' }], limit: 5 })).toEqual({
      hits: [{ id: '1', kind: 'item', title: 'The Garden', score: expect.any(Number) }],
      total: 1,
    });
    expect(await call('similar', { text: 'gardn', limit: 5 })).toEqual({
      words: [{ text: 'garden', documents: 1 }],
    });
    expect(await call('remove', { ids: ['1'] })).toBeNull();
    expect(await call('clear', {})).toBeNull();
    expect(await call('size', {})).toEqual({ documents: 0 });
  });

  test.each([
    ['put', {}],
    ['put', { documents: [{ ...document, more: 1 }] }],
    ['put', { documents: [{ ...document, id: '' }] }],
    ['put', { documents: [{ ...document, id: 'a\0' }] }],
    ['put', { documents: Array.from({ length: 501 }, () => document) }],
    ['remove', { ids: Array.from({ length: 501 }, String) }],
    ['clear', { all: true }],
    ['query', { terms: [], limit: 0 }],
    ['query', { terms: [{ text: 'x'.repeat(201) }], limit: 1 }],
    ['query', { terms: [{ text: 'x', operator: 'OR' }], limit: 1 }],
    ['query', { terms: Array.from({ length: 17 }, () => ({ text: 'x' })), limit: 1 }],
    ['similar', { text: 'x', limit: 101 }],
  ])('its schema refuses %s %#', async (method, input) => {
    const call = await open();

    await expect(call(method, input)).rejects.toThrow('schema');
  });
});
