import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { transform } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../log.ts';
import { createFailurePlaces } from './failure-places.ts';
import { createPacker, type Packer } from '../scripts/packer.ts';
import { framesOf } from '../scripts/script-positions.ts';

let folder: string;
let packer: Packer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vitrine-places-'));
  packer = createPacker({ cacheFolder: folder, log: silentLog });
});

afterAll(() => rm(folder, { recursive: true }));

const source = `const twice = (value) => value.trim() + value;

export default {
  actions: { boom: (params) => twice(params.text) },
};`;

/** The stack of what the action of the packed script throws, as an isolate tells it. */
function stackOf(script: string): string {
  const run = new Script(`${script}\n__plugin.default.actions.boom({});`, {
    filename: 'plugin.js',
  });
  try {
    run.runInNewContext();
    return '';
  } catch (error) {
    return String((error as { readonly stack: unknown }).stack);
  }
}

function open(read: () => string = () => source) {
  const clock = createFakeClock();
  let made = 0;
  const places = createFailurePlaces({
    file: 'index.js',
    positions: (text) => {
      made += 1;
      return packer.positions(text);
    },
    read: async () => read(),
    digest: (text) => text,
    clock,
  });
  places.runs(source);
  return { places, clock, made: () => made };
}

describe('the places of a failure', () => {
  test('are those of the file of the plugin, the innermost first', async () => {
    const { places } = open();

    const found = await places.of(stackOf(await packer.toScript(source)));

    expect(found).toEqual(['twice (index.js:1:32)', 'boom (index.js:4:32)']);
  });

  test('are computed once for all requests within five minutes', async () => {
    const { places, clock, made } = open();
    const stack = stackOf(await packer.toScript(source));

    await places.of(stack);
    await places.of(stack);
    expect(made()).toBe(1);
    await clock.advance(5 * 60_000);
    await places.of(stack);

    expect(made()).toBe(2);
    await clock.advance(5 * 60_000);
    expect(clock.timers()).toBe(0);
  });

  test('are unknown when the file has changed', async () => {
    const { places } = open(() => 'export default {};');

    expect(await places.of(stackOf(await packer.toScript(source)))).toEqual([]);
  });

  test("name a source of the plugin's own map in one line of 200 characters at most", async () => {
    const sourcefile = `\u001b[31m\n${'x'.repeat(5000)}.ts`;
    const { code } = await transform(source, { sourcemap: 'inline', sourcefile });
    const { places } = open(() => code);
    places.runs(code);

    const [found = ''] = await places.of(stackOf(await packer.toScript(code)));

    expect(found).toMatch(/^twice \( \[31m x{100,200}:1:\d+\)$/);
  });

  test.each([
    '',
    'Error: x\n    at somewhere',
    `at ${'x'.repeat(2000)}`,
    '    at a (/etc/passwd:1:2)',
    '    at a (plugin.js:99999999999:1)',
    '    at a (plugin.js:900000:900000)',
  ])('are none for a text that is not a stack of the plugin: %j', async (stack) => {
    const { places } = open();

    expect(await places.of(stack)).toEqual([]);
  });

  test('are eight at most, with names that are names', () => {
    const frames = framesOf(`    at a\u001b[31m (plugin.js:1:2)\n`.repeat(40));

    expect(frames).toHaveLength(8);
    expect(frames[0]).toEqual({ name: '', line: 1, column: 2 });
  });
});
