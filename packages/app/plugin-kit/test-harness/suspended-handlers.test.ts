/** Handlers that do not answer, in a kernel as it is, with a clock that the test moves. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { openPlugin } from '../index.ts';
import type { PluginUnderTest } from './plugin-under-test.ts';

const minuteMs = 60_000;

let author: AuthorFolder;
let plugin: PluginUnderTest;

beforeAll(async () => {
  author = createAuthorFolder(
    { actions: ['slow', 'mode', 'quick'] },
    `let mode = 'hangs';
     let asked = 0;
     export default { actions: {
       slow: () => { asked += 1; return mode === 'hangs' ? new Promise(() => {}) : 'done'; },
       mode: (params: any) => { mode = params.mode; return null; },
       quick: () => asked,
     } };`,
  );
  plugin = await openPlugin(author.folder, { deadlines: { action: 500 } });
}, 60_000);

afterAll(async () => {
  await plugin.close();
  author.remove();
});

/** The result of the call of the slow handler, and the number of its calls so far. */
async function slow(): Promise<readonly [string, unknown]> {
  const ended = await plugin.action('slow').then(
    () => 'answered',
    (error: unknown) => (String(error).includes('suspended until') ? 'suspended' : 'timed out'),
  );
  return [ended, await plugin.action('quick')];
}

test('a handler that hangs is suspended, while the others of its plugin work', async () => {
  expect(await slow()).toEqual(['timed out', 1]);
  expect(await slow()).toEqual(['timed out', 2]);
  expect(await slow()).toEqual(['timed out', 3]);
  expect(await slow()).toEqual(['suspended', 3]);

  await plugin.clock.advance(minuteMs);
  expect(await slow()).toEqual(['timed out', 4]);
  await plugin.clock.advance(5 * minuteMs - 1);
  expect(await slow()).toEqual(['suspended', 4]);

  await plugin.clock.advance(1);
  await plugin.action('mode', { mode: 'answers' });
  expect(await slow()).toEqual(['answered', 5]);
  expect(plugin.logs().map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      'The handler action slow gave no answer in time, three times in a row: it is not called for 1 min.',
      'The handler action slow gave no answer again: it is not called for 5 min.',
      'The handler action slow answers again.',
    ]),
  );
  expect(plugin.usage().failures.kinds).toEqual({ 'timed-out': 4 });
});
