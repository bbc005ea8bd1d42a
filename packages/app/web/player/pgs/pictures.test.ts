import { expect, test } from 'vitest';
import { missingFrom } from './pictures.ts';

test('parts are loaded around the time that plays, and the next one before it is needed', () => {
  const parts = [
    { from: 70, next: 200 },
    { from: 200, next: 400 },
    { from: 400, next: Infinity },
  ];
  expect(missingFrom([], 100)).toBe(70);
  expect(missingFrom([], 10)).toBe(0);
  expect(missingFrom(parts.slice(0, 1), 100)).toBe(undefined);
  expect(missingFrom(parts.slice(0, 1), 160)).toBe(200);
  expect(missingFrom(parts.slice(0, 2), 160)).toBe(undefined);
  expect(missingFrom(parts.slice(0, 1), 50)).toBe(20);
  expect(missingFrom(parts.slice(0, 1), 900)).toBe(870);
  expect(missingFrom(parts, 5000)).toBe(undefined);
});
