/** The types of `vitrine/plugin-test`, which the kit has without the sources of the server. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rolledDeclarations } from '../support/plugins/rolled-declarations.ts';

const root = path.resolve(import.meta.dirname, '../..');

test('the types of vitrine/plugin-test are as committed (vitest -u writes them)', async () => {
  const place = await mkdtemp(path.join(tmpdir(), 'vitrine-kit-types-'));
  try {
    const config = path.join(place, 'tsconfig.json');
    await writeFile(config, JSON.stringify(configOf(place)));
    const tsc = path.join(root, 'node_modules/typescript-native/bin/tsc');
    await promisify(execFile)(process.execPath, [tsc, '--project', config]);

    const text = rolledDeclarations(path.join(place, 'packages/app/plugin-kit/plugin-test.d.ts'), {
      folder: path.join(place, 'plugin-api'),
      name: '@vitrine/plugin-api',
    });

    await expect(text).toMatchFileSnapshot('../../packages/app/plugin-kit/plugin-test.d.ts.txt');
  } finally {
    await rm(place, { recursive: true });
  }
});

const configOf = (place: string) => ({
  extends: path.join(root, 'tsconfig.json'),
  compilerOptions: {
    // `npm run check` checks them.
    ...{ noEmit: false, noCheck: true, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: root, outDir: place },
    typeRoots: [path.join(root, 'node_modules/@types')],
  },
  files: [path.join(root, 'packages/app/plugin-kit/plugin-test.ts')],
  include: [path.join(root, 'kernel/store/*/*.d.ts')],
});
