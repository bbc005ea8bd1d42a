import path from 'node:path';
import { Script } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthorFolder } from '../../../../test/support/plugins/author-plugin.ts';
import { silentLog } from '../../../../kernel/index.ts';
import { createPacker } from '../../../../kernel/run/scripts/index.ts';
import { bundleForTestHarness } from './bundle.ts';
import { createSourcePositions } from './source-positions.ts';

/** The frames of what a script throws as it is evaluated. */
function framesOf(script: string): readonly string[] {
  try {
    new Script(script, { filename: 'plugin.js' }).runInNewContext();
    return [];
  } catch (error) {
    const { stack } = error as { readonly stack: unknown };
    return String(stack)
      .split('\n')
      .filter((frame) => frame.includes('plugin.js'));
  }
}

test('positions are those in the author’s files, in any subfolder', async () => {
  const { folder, write, remove } = createAuthorFolder({ main: 'dist/index.js' }, '');
  onTestFinished(remove);
  write('src/index.ts', "import { boom } from './deep/boom.ts';\nexport default boom();");
  write('src/deep/boom.ts', '\nexport const boom = (): object => {\n  throw new Error();\n};');
  const { code } = await bundleForTestHarness(path.join(folder, 'src/index.ts'), folder);
  const script = await createPacker({ cacheFolder: folder, log: silentLog }).toScript(code);

  const { place } = await createSourcePositions(code, folder);

  expect(framesOf(script).flatMap((frame) => place(frame) ?? [])).toEqual([
    `boom (${folder}/src/deep/boom.ts:3:9)`,
    `${folder}/src/index.ts:2:16`,
  ]);
});
