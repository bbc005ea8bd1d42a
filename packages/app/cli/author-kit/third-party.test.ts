import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licensesOf, packagesIn } from './third-party.ts';

test('a package that lies within another one is named with its own license', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'vitrine-licenses-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = path.join(root, 'node_modules/outer/node_modules/inner');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{"version": "1.2.3", "license": "MIT"}');
  await writeFile(path.join(folder, 'LICENSE'), 'Do as you like.');
  const about = { bytes: 1, imports: [] };
  const inputs = {
    'node_modules/outer/node_modules/inner/lib/a.js': about,
    'node_modules/outer/node_modules/inner/b.js': about,
    'src/own.ts': about,
  };

  const folders = packagesIn({ inputs, outputs: {} });

  expect(folders).toEqual(['node_modules/outer/node_modules/inner']);
  expect(await licensesOf(root, folders)).toBe('inner 1.2.3 (MIT)\n\nDo as you like.');
});
