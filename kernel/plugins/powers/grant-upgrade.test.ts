import { describe, expect, test } from 'vitest';
import type { Permissions } from '../../../plugin-api/index.ts';
import { upgradeGrant, keptPowers } from './grant-upgrade.ts';

const asked: Permissions = {
  metadata: 'write',
  jobs: ['tidy'],
  serves: ['search', 'job:tidy'],
  hears: ['library'],
  hooks: ['pipeline.index.afterProcess', 'pipeline.scan.prepare'],
};
const old = (granted: Permissions) => ({
  asked: { metadata: 'write', jobs: ['tidy'] } as const,
  granted,
  reach: 'all' as const,
  isPartial: true as const,
});

describe('a grant that names permissions alone', () => {
  test('has all that the plugin could do with it', () => {
    const grant = old({ metadata: 'write', jobs: ['tidy'] });

    expect(upgradeGrant(grant, asked)).toEqual({ asked, granted: asked, reach: 'all' });
    expect(keptPowers(grant, asked)).toEqual({
      serves: asked.serves,
      hears: asked.hears,
      hooks: asked.hooks,
    });
  });

  test('has no item hook and no job that the plugin did not get', () => {
    expect(upgradeGrant(old({}), asked).granted).toEqual({
      serves: ['search'],
      hears: ['library'],
      hooks: ['pipeline.scan.prepare'],
    });
  });

  test('omits what the server called no plugin for then, and asks for no decision on it', () => {
    const served: Permissions = { serves: ['notifier', 'search'] };

    expect(upgradeGrant(old({}), served)).toMatchObject({
      asked: served,
      granted: { serves: ['search'] },
    });
  });

  test('keeps earlier decisions', () => {
    const grant = { ...old({}), asked: { ...asked }, granted: { serves: ['search'] } };

    expect(upgradeGrant(grant, asked).granted).toEqual({ serves: ['search'] });
    expect(keptPowers(grant, asked)).toEqual({});
  });
});

test('a complete grant stays unchanged', () => {
  const grant = { asked: {}, granted: {}, reach: 'all' } as const;

  expect(upgradeGrant(grant, asked)).toBe(grant);
  expect(keptPowers(grant, asked)).toEqual({});
});
