import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../log.ts';
import { createPacker, type Packer } from './packer.ts';

let cacheFolder: string;
let packer: Packer;

beforeEach(async () => {
  cacheFolder = await mkdtemp(path.join(tmpdir(), 'vitrine-scripts-'));
  packer = createPacker({ cacheFolder, log: silentLog });
});

afterEach(() => rm(cacheFolder, { recursive: true }));

/** The default export that the script stores for the guest. */
function evaluated(script: string): unknown {
  return vm.runInNewContext(`${script}; JSON.stringify(__plugin.default)`);
}

describe('the packer', () => {
  test('makes one script that leaves the default export in __plugin', async () => {
    const script = await packer.toScript('const n = 1; export { n as default, n as other };');

    expect(evaluated(script)).toBe('1');
  });

  test('returns a cached script from the folder', async () => {
    const made = await packer.toScript('export default 1;');
    const [name = ''] = await readdir(cacheFolder);
    const again = await createPacker({ cacheFolder, log: silentLog }).toScript('export default 1;');

    expect(again).toBe(made);
    expect(await readdir(cacheFolder)).toEqual([name]);
  });

  test('takes a script that came with the server, and writes nothing', async () => {
    const builtFolder = path.join(cacheFolder, 'built');
    const made = await createPacker({ cacheFolder: builtFolder, log: silentLog }).toScript(
      'export default 1;',
    );
    const [name = ''] = await readdir(builtFolder);
    const other = path.join(cacheFolder, 'other');
    const next = createPacker({ cacheFolder: other, builtFolder, log: silentLog });

    expect(await next.toScript('export default 1;')).toBe(made);
    await expect(readdir(other)).rejects.toThrow('ENOENT');

    await writeFile(path.join(builtFolder, name), 'damaged');
    expect(await next.toScript('export default 1;')).toBe(made);
    expect(await readdir(other)).toEqual([name]);
  });

  test('makes a damaged script again', async () => {
    const made = await packer.toScript('export default 1;');
    const [name = ''] = await readdir(cacheFolder);
    const file = path.join(cacheFolder, name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('1', '2'));

    expect(await packer.toScript('export default 1;')).toBe(made);
  });

  test('works without a writable cache', async () => {
    const file = path.join(cacheFolder, 'a-file');
    await writeFile(file, '');
    const unable = createPacker({ cacheFolder: path.join(file, 'below'), log: silentLog });

    expect(evaluated(await unable.toScript('export default 7;'))).toBe('7');
  });

  test('removes scripts that it was not asked for, and no other files', async () => {
    await packer.toScript('export default 1;');
    await writeFile(path.join(cacheFolder, 'notes.js'), '');
    const next = createPacker({ cacheFolder, log: silentLog });
    await next.toScript('export default 2;');
    const before = await readdir(cacheFolder);

    await next.sweep();

    const after = await readdir(cacheFolder);
    expect([before.length, after.length, after.includes('notes.js')]).toEqual([3, 2, true]);
  });

  test('packs many at once', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);

    const scripts = await Promise.all(
      numbers.map((number) => packer.toScript(`export default ${number};`)),
    );

    expect(scripts.map(evaluated)).toEqual(numbers.map(String));
  });

  test.each([
    [
      "import fs from 'fs'; export default fs;",
      'imports "fs"; a sandbox has no modules of Node; host.fs',
    ],
    ["import a from 'lodash'; export default a;", 'imports "lodash"; bundle it into main (line 1'],
    ["export { default } from './other.js';", 'imports "./other.js"'],
    ["export default import('plugin');", 'imports "plugin"'],
    ["export default require('fs');", 'imports "fs"'],
    ['export default await 1;', 'move the await into a handler'],
    ['\nexport default await 1;', '(line 2, column'],
    ['export default {', '(line 2, column'],
    ['export const named = 1;', 'no default export; right is: export default definePlugin'],
    ['module.exports = {};', 'no default export'],
    ['', 'no default export'],
  ])('refuses %j with what is wrong', async (source, message) => {
    await expect(packer.toScript(source)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining(message),
    });
    expect(await readdir(cacheFolder)).toEqual([]);
  });
});
