import { describe, expect, test } from 'vitest';
import type { LicenseState } from '../../plugin-api/index.ts';
import { graceMs, judge } from './judge.ts';

const start = Date.UTC(2026, 10, 21);
const claims = {
  id: 'license-1',
  tier: 'home',
  limits: { users: 5 },
  seats: 1,
  iat: start / 1000,
  exp: start / 1000 + 365 * 86_400,
};
const state: LicenseState = {
  claims,
  now: start,
  activatedAt: start,
  confirmedAt: start,
  hasAuthority: true,
  refusal: null,
};
const statusOf = (changes: Partial<LicenseState>) => judge({ ...state, ...changes }).status;

describe('a license', () => {
  test('is active with what the issuer signed, until its grace period ends', () => {
    expect(judge(state)).toEqual({
      status: 'active',
      tier: 'home',
      limits: { users: 5 },
      until: start + graceMs,
    });
  });

  test('is invalid when the activation service was not reached for 14 days', () => {
    expect(statusOf({ now: start + graceMs - 1 })).toBe('active');
    expect(statusOf({ now: start + graceMs })).toBe('invalid');
  });

  test('needs no confirmation where there is no activation service', () => {
    expect(statusOf({ hasAuthority: false, now: start + 2 * graceMs })).toBe('active');
  });

  test('is expired from its last second on, even if it was confirmed', () => {
    const end = claims.exp * 1000;

    expect(statusOf({ confirmedAt: end, now: end - 1 })).toBe('active');
    expect(statusOf({ confirmedAt: end, now: end })).toBe('expired');
    expect(statusOf({ hasAuthority: false, now: end })).toBe('expired');
  });

  test.each(['seats', 'refused'] as const)('is invalid when it was refused: %s', (refusal) => {
    expect(statusOf({ refusal })).toBe('invalid');
  });

  test('keeps its limits when it is no longer active', () => {
    expect(judge({ ...state, refusal: 'refused' }).limits).toEqual({ users: 5 });
  });
});
