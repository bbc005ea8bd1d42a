import { expect, test } from 'vitest';
import { secretProblems } from './index.ts';

test('secrets that the key of the server does not open are one problem that names their owners', () => {
  expect(secretProblems({ plugins: [], isLicenseLost: false })).toEqual([]);
  expect(secretProblems({ plugins: ['webhooks'], isLicenseLost: true })).toMatchObject([
    {
      code: 'secrets_unreadable',
      detail: {
        english:
          'They were sealed with another server.key. The license is lost. Secrets of these plugins are lost: webhooks.',
        german:
          'Sie wurden mit einem anderen server.key versiegelt. Die Lizenz ist verloren. Geheimnisse dieser Plugins sind verloren: webhooks.',
      },
    },
  ]);
});
