import { expect, test } from 'vitest';
import { lockedPackages } from './locked-packages.ts';

const known = {
  '': { version: '1.0.0' },
  'node_modules/runner': {
    version: '5.1.0',
    dependencies: { glob: '^2', '@a/b': '^1' },
    license: 'MIT',
  },
  'node_modules/runner/node_modules/glob': {
    version: '2.0.0',
    peerDependencies: { absent: '*', other: '*' },
    peerDependenciesMeta: { other: { optional: true } },
  },
  'node_modules/glob': { version: '1.0.0' },
  'node_modules/@a/b': { version: '1.2.3', optionalDependencies: { glob: '^1' } },
  'node_modules/other': { version: '9.0.0' },
};

test('takes a package with what it needs, each from where Node finds it, and nothing else', () => {
  const locked = lockedPackages(['runner', 'unknown'], known);

  expect(Object.keys(locked)).toEqual([
    'node_modules/@a/b',
    'node_modules/glob',
    'node_modules/runner',
    'node_modules/runner/node_modules/glob',
  ]);
  expect(locked['node_modules/runner']).toEqual({
    ...known['node_modules/runner'],
    dev: true,
  });
});

test('names no registry, so that a mirror that npm is set to is asked', () => {
  const resolved = 'https://mirror.example/runner/-/runner-5.1.0.tgz';

  const locked = lockedPackages(['runner'], {
    'node_modules/runner': { version: '1.0.0', resolved },
  });

  expect(locked).toEqual({ 'node_modules/runner': { version: '1.0.0', dev: true } });
});

test('ends where packages need each other', () => {
  const pair = {
    'node_modules/one': { version: '1.0.0', dependencies: { two: '*' } },
    'node_modules/two': { version: '1.0.0', peerDependencies: { one: '*' } },
  };

  expect(Object.keys(lockedPackages(['one'], pair))).toEqual(Object.keys(pair));
});
