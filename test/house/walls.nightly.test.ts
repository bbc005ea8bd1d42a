import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folders = ['kernel', 'packages', 'src', 'plugin-api', 'builtin-plugins', 'manifests-schema'];

test('the wall checker sees every source file, so that it cannot pass by seeing none', async () => {
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.includes('node_modules') && !name.includes('dist'),
    ),
  );
  const depcruise = path.join(root, 'node_modules/.bin/depcruise');

  const { stdout } = await promisify(execFile)(
    depcruise,
    ['--config', '.dependency-cruiser.mjs', '--no-progress', '--output-type', 'json', ...folders],
    { cwd: root, maxBuffer: 1 << 28 },
  ).catch((error: unknown) => error as { stdout: string });

  const { modules } = JSON.parse(stdout) as { modules: { source: string }[] };
  const seen = modules.filter(({ source }) => folders.some((one) => source.startsWith(`${one}/`)));
  expect(seen.length).toBeGreaterThanOrEqual(files.length);
});
