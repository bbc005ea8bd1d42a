import { describe, expect, test } from 'vitest';
import { createPublisher } from '../../../test/support/packages.ts';
import { isRotation, leadsTo, rotateKey } from './key-rotation.ts';

const at = '2026-11-21T07:44:53.123Z';

describe('a rotation of keys', () => {
  const [first, second, third, stranger] = [
    createPublisher(),
    createPublisher(),
    createPublisher(),
    createPublisher(),
  ];

  test('is good when the key that it leaves has signed it', async () => {
    const record = rotateKey(first, second.publicKey, at);

    expect(await isRotation(record)).toBe(true);
    expect(await isRotation({ ...record, to: stranger.publicKey })).toBe(false);
    expect(await isRotation({ ...record, from: stranger.publicKey })).toBe(false);
    expect(await isRotation({ ...record, issuedAt: '2027-11-21T07:44:53.123Z' })).toBe(false);
    expect(await isRotation(rotateKey(first, first.publicKey, at))).toBe(false);
    expect(await isRotation(rotateKey(first, `01${'00'.repeat(31)}`, at))).toBe(false);
  });

  test('leads from the pinned key over any number of records, and never back', async () => {
    const records = [
      rotateKey(second, third.publicKey, at),
      rotateKey(first, second.publicKey, at),
    ];

    expect(await leadsTo(first.publicKey, first.publicKey, [])).toBe(true);
    expect(await leadsTo(first.publicKey, second.publicKey, records)).toBe(true);
    expect(await leadsTo(first.publicKey, third.publicKey, records)).toBe(true);
    expect(await leadsTo(third.publicKey, first.publicKey, records)).toBe(false);
    expect(await leadsTo(first.publicKey, stranger.publicKey, records)).toBe(false);
  });

  test('that somebody else signed leads nowhere, and a ring of them ends', async () => {
    const forged = { ...rotateKey(stranger, stranger.publicKey, at), from: first.publicKey };
    const ring = [rotateKey(first, second.publicKey, at), rotateKey(second, first.publicKey, at)];

    expect(await leadsTo(first.publicKey, stranger.publicKey, [forged])).toBe(false);
    expect(await leadsTo(first.publicKey, third.publicKey, ring)).toBe(false);
  });
});
