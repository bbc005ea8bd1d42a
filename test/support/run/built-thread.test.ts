import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { builtThread } from './built-thread.ts';

const driver = path.resolve('kernel/storage/sqlite/node-sqlite-driver.ts');

test('connections to SQLite start the built thread', () => {
  const { transform } = builtThread;
  if (typeof transform !== 'function') throw new Error('The plugin has no transform.');

  const code = Reflect.apply(transform, undefined, [readFileSync(driver, 'utf8'), driver]);

  const script = /const script = new URL\(([^;]+)import\.meta\.url,\s*\);/.exec(String(code))?.[1];
  expect(script).toMatch(/"file:\/\/\/.+\/dist\/sqlite-thread\.mjs"/);
  expect(script).not.toContain('sqlite-thread.ts');
});
