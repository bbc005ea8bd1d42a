import { expect, test } from 'vitest';
import { quoted } from '../../platform/text.ts';
import { spaceProblems, taskProblems } from './index.ts';

const task = {
  name: 'backup',
  lastError: null,
  lastSuccess: '2026-11-21T07:44:53.000Z',
  isOverdue: false,
};

test('a task that failed is a problem with its reason, until it succeeds', () => {
  expect(taskProblems([task])).toEqual([]);
  expect(taskProblems([{ ...task, name: 'marketplace', lastError: 'No network.' }])).toMatchObject([
    {
      code: 'task_failed',
      subject: { type: 'task', id: 'marketplace' },
      severity: 'warning',
      detail: quoted('No network.'),
    },
  ]);
});

test('a backup that failed and is overdue is both problems', () => {
  const failed = { ...task, lastError: 'The disk is full.', isOverdue: true };

  expect(taskProblems([failed])).toMatchObject([
    { code: 'backup_failed', detail: quoted('The disk is full.') },
    { code: 'backup_overdue', detail: { english: 'It was made at 2026-11-21T07:44:53.000Z.' } },
  ]);
  expect(taskProblems([{ ...failed, lastSuccess: null }])[1]).toMatchObject({
    message: { english: 'No scheduled backup has succeeded yet.' },
  });
});

test('a disk that fills up is a warning, then an error, and one with space is neither', () => {
  const mebibyte = 1024 ** 2;

  expect(spaceProblems(2000 * mebibyte)).toEqual([]);
  expect(spaceProblems(900 * mebibyte)).toMatchObject([
    {
      severity: 'warning',
      detail: { english: expect.stringMatching(/^900 MiB are free/) as string },
    },
  ]);
  expect(spaceProblems(100 * mebibyte)).toMatchObject([{ severity: 'error' }]);
});
