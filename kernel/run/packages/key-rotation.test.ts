import { describe, expect, test } from 'vitest';
import { createPublisher } from '../../../test/support/plugins/packages.ts';
import { departedFault, departureOf, isRotation, leadsTo, rotateKey } from './key-rotation.ts';

const issuedAt = '2026-11-21T07:44:53.123Z';
const [early, late] = ['ab'.repeat(32), 'cd'.repeat(32)];

describe('a rotation of keys', () => {
  const [first, second, third, stranger] = [
    createPublisher(),
    createPublisher(),
    createPublisher(),
    createPublisher(),
  ];
  const rotate = (
    from: typeof first,
    { publicKey: to }: { readonly publicKey: string },
    packages: readonly string[] = [],
  ) => rotateKey(from, { to, issuedAt, packages });

  test('is good when the key that it leaves has signed it', async () => {
    const record = rotate(first, second, [early]);

    expect(await isRotation(record)).toBe(true);
    expect(await isRotation({ ...record, to: stranger.publicKey })).toBe(false);
    expect(await isRotation({ ...record, from: stranger.publicKey })).toBe(false);
    expect(await isRotation({ ...record, issuedAt: '2027-11-21T07:44:53.123Z' })).toBe(false);
    expect(await isRotation({ ...record, packages: [early, late] })).toBe(false);
    expect(await isRotation(rotate(first, first))).toBe(false);
    expect(await isRotation(rotate(first, { publicKey: `01${'00'.repeat(31)}` }))).toBe(false);
  });

  test('leads from the pinned key over several records, and never back', async () => {
    const records = [rotate(second, third), rotate(first, second)];

    expect(await leadsTo(first.publicKey, first.publicKey, [])).toBe(true);
    expect(await leadsTo(first.publicKey, second.publicKey, records)).toBe(true);
    expect(await leadsTo(first.publicKey, third.publicKey, records)).toBe(true);
    expect(await leadsTo(third.publicKey, first.publicKey, records)).toBe(false);
    expect(await leadsTo(first.publicKey, stranger.publicKey, records)).toBe(false);
  });

  test('with another signature leads nowhere, and a ring of them ends', async () => {
    const forged = { ...rotate(stranger, stranger), from: first.publicKey };
    const ring = [rotate(first, second), rotate(second, first)];

    expect(await leadsTo(first.publicKey, stranger.publicKey, [forged])).toBe(false);
    expect(await leadsTo(first.publicKey, third.publicKey, ring)).toBe(false);
  });

  test('comes first or not at all: a thief who signs another misleads no server', async () => {
    const forged = { ...rotate(stranger, stranger), from: first.publicKey };
    const honest = rotate(first, second, [early]);
    const ofTheThief = rotate(first, stranger, [late]);
    const records = [forged, honest, ofTheThief];

    expect(await departureOf(first.publicKey, records)).toEqual(honest);
    expect(await leadsTo(first.publicKey, stranger.publicKey, records)).toBe(false);
  });

  test('keeps the packages of the old key that the record names, and no others', async () => {
    const records = [rotate(first, second, [early])];
    const signedBy = ({ publicKey: publisherKey }: typeof first, sha256: string) =>
      departedFault({ publisherKey, sha256 }, records);

    expect(await signedBy(first, early)).toBeNull();
    expect(await signedBy(first, late)).toMatch(/a key that was replaced by/);
    expect(await signedBy(second, late)).toBeNull();
  });
});
