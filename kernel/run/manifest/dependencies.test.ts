import { expect, test } from 'vitest';
import type { Manifest } from '../../../plugin-api/index.ts';
import { dependencyFaults } from './dependencies.ts';

function manifests(
  needs: Readonly<Record<string, Readonly<Record<string, string>>>>,
): ReadonlyMap<string, Manifest> {
  const entries = Object.entries(needs).map(([id, dependencies]): [string, Manifest] => [
    id,
    {
      manifestVersion: 1,
      id,
      name: id,
      version: '1.2.0',
      description: 'Made by a test.',
      author: 'A test',
      license: 'MIT',
      main: 'index.js',
      minVersion: '*',
      capabilities: [],
      mediaTypes: [],
      permissions: {},
      dependencies,
    },
  ]);
  return new Map(entries);
}

test('dependencies that are there in the right version are met', () => {
  expect(dependencyFaults(manifests({ a: { b: '^1.0.0' }, b: {} }))).toEqual(new Map());
});

test('a dependency in another version is named with both', () => {
  expect(dependencyFaults(manifests({ a: { b: '^2.0.0' }, b: {} }))).toEqual(
    new Map([['a', 'It needs the plugin b ^2.0.0; installed is 1.2.0.']]),
  );
});

test('a plugin that needs one with an unmet need cannot start either', () => {
  const faults = dependencyFaults(manifests({ a: { b: '*' }, b: { c: '*' } }));

  expect(faults.get('a')).toBe(
    'It needs the plugin b, which cannot start. It needs the plugin c *, which is not installed.',
  );
});

test('plugins in a ring of needs, or that lead to one, cannot start; others can', () => {
  const faults = dependencyFaults(
    manifests({ way: { a: '*' }, a: { b: '*' }, b: { c: '*' }, c: { a: '*' }, free: {} }),
  );

  expect([...faults.keys()].sort()).toEqual(['a', 'b', 'c', 'way']);
  expect(faults.get('b')).toContain('a → b → c → a');
});

test('a lattice of needs, in which paths double at each level, is judged quickly', () => {
  const levels = Array.from({ length: 200 }, (_, level) => [
    [`l${level}`, { [`l${level + 1}`]: '*', [`r${level + 1}`]: '*' }] as const,
    [`r${level}`, { [`l${level + 1}`]: '*', [`r${level + 1}`]: '*' }] as const,
  ]);
  const known = manifests({ ...Object.fromEntries(levels.flat()), l200: {}, r200: {} });

  expect(dependencyFaults(known)).toEqual(new Map());
});
