import { expect, test } from 'vitest';
import { secretProblems } from './index.ts';

test('secrets that the key of the server does not open are one problem that names their owners', () => {
  expect(secretProblems({ plugins: [], isLicenseLost: false })).toEqual([]);
  expect(secretProblems({ plugins: ['webhooks'], isLicenseLost: true })).toMatchObject([
    {
      code: 'secrets_unreadable',
      detail:
        'They were sealed with another server.key: the license and secrets of the plugins webhooks.',
    },
  ]);
});
