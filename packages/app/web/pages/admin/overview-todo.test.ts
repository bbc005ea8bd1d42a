import { expect, test } from 'vitest';
import { toDosOf, type Waiting } from './overview-todo.ts';

const problem = (
  severity: 'warning' | 'error' | 'critical',
  code: Waiting['problems'][number]['code'],
  [type, id]: readonly [string, string],
) => ({
  ...{ severity, code, subject: { type, id }, message: code, action: 'Do it.' },
  since: '2026-11-26T12:00:00.000Z',
});

const nothing: Waiting = {
  problems: [],
  ...{ unallowed: [], failed: [], hasLibrary: true, hasMatches: false, update: null },
  catalogues: [{ id: 'wikidata', granted: true }],
};
const places = (waiting: Partial<Waiting>) =>
  toDosOf({ ...nothing, ...waiting }).map(({ href }) => href);

test('the most urgent comes first, each with the place where it is put right', () => {
  const problems = [
    problem('warning', 'library_incomplete', ['library', 'films']),
    problem('error', 'backup_failed', ['task', 'backup']),
    problem('critical', 'cannot_write', ['folder', '/srv']),
  ];
  const unallowed = [{ id: 'greeter', name: 'Greeter' }];

  expect(places({ problems, unallowed, hasMatches: true })).toEqual([
    '/admin/doctor',
    '/admin/backups',
    '/admin/plugins/greeter',
    '/admin/libraries/films',
    '/admin/matches',
  ]);
  expect(places({})).toEqual([]);
});

test('a plugin that is named twice is one thing to do, and catalogues ask together', () => {
  const problems = [
    problem('error', 'plugin_given_up', ['plugin', 'greeter']),
    problem('warning', 'permissions_pending', ['plugin', 'wikidata']),
  ];
  const failed = [{ id: 'greeter', name: 'Greeter' }];
  const catalogues = [{ id: 'wikidata', granted: false }];
  const unallowed = [{ id: 'wikidata', name: 'Wikidata' }];

  expect(places({ problems, failed, catalogues, unallowed })).toEqual([
    '/admin/plugins/greeter',
    '/admin/plugins',
  ]);
});
