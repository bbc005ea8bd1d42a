import { expect, test } from 'vitest';
import { createForms } from './forms.ts';

const bytes = Buffer.from('a page of films');

test('bytes are compressed once for each coding, also for concurrent requests', async () => {
  const made: string[] = [];
  const { encoded } = createForms(async (_bytes, encoding) => {
    made.push(encoding);
    return Buffer.from(encoding);
  });

  const [one, other] = await Promise.all([encoded(bytes, 'br'), encoded(bytes, 'br')]);
  expect(one).toBe(other);
  expect(encoded(bytes, 'br')).toBe(one);
  await encoded(bytes, 'gzip');
  await encoded(Buffer.from(bytes), 'gzip');
  expect(made).toEqual(['br', 'gzip', 'gzip']);
});

test('a failure to compress is not kept', async () => {
  let hasFailed = false;
  const { encoded } = createForms(async () => {
    if (hasFailed) return bytes;
    hasFailed = true;
    throw new Error('No memory.');
  });

  await expect(encoded(bytes, 'br')).rejects.toThrow('No memory.');
  expect(await encoded(bytes, 'br')).toBe(bytes);
});

test('equal bytes have one tag, other bytes another', () => {
  const { tag } = createForms(async () => bytes);

  expect(tag(Buffer.from(bytes))).toBe(tag(bytes));
  expect(tag(Buffer.from('another page'))).not.toBe(tag(bytes));
});
