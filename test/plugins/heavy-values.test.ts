/** Values that are short to say and long to parse: the server counts them before it makes them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

const source = `export default {
  actions: {
    answer: ({ count, value }) => new Array(count).fill(value),
    bytes: () => new Uint8Array(8 * 1024 * 1024),
    async store({ count, times }, host) {
      const value = new Array(count).fill({});
      const ends = [];
      for (let i = 0; i < times; i++)
        ends.push(await host.kv.set({ key: 'k', value }).then(() => 'stored', (error) => error.code + ': ' + error.message));
      return ends;
    },
  },
};`;

let folder: PluginFolder;
let server: PluginServer;
/** Lengths of what the server parsed since the test began. */
let parsed: number[];

beforeAll(async () => {
  folder = await createPluginFolder();
  const permissions = { kv: { quotaMb: 1 } };
  await folder.add({ id: 'heavy', permissions, actions: ['answer', 'bytes', 'store'] }, source);
  server = await startPluginServer(folder);
  await server.plugins.grants.set('heavy', permissions);
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

beforeEach(() => {
  parsed = [];
  const parse = JSON.parse;
  vi.spyOn(JSON, 'parse').mockImplementation((text: string, reviver) => {
    parsed.push(text.length);
    return parse(text, reviver);
  });
});

afterEach(() => vi.restoreAllMocks());

const act = (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  server.plugins.actions.callText('heavy', method, params);

describe('a plugin with values that are long to parse', () => {
  test.each([
    ['millions of objects', 'answer', { count: 2_300_000, value: {} }, 'characters long'],
    ['too many values', 'answer', { count: 100_000, value: 1 }, 'holds more than 100000 values'],
    ['8 MiB of bytes', 'bytes', {}, 'is bytes; JSON is expected'],
  ])('cannot answer an action with %s', async (_, method, params, why) => {
    await expect(act(method, params)).rejects.toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining(why),
    });
    expect(Math.max(...parsed)).toBeLessThan(4096);
  });

  test('has an answer of an action passed on as it is, not one value of it made here', async () => {
    const text = await act('answer', { count: 99_999, value: 7 });

    expect(text).toBe(`[${new Array(99_999).fill('7').join()}]`);
    expect(Math.max(...parsed)).toBeLessThan(4096);
  });

  test('cannot have them parsed by storing them, however often it tries', async () => {
    const ends: unknown = JSON.parse(await act('store', { count: 300_000, times: 20 }));

    expect(ends).toEqual(
      new Array(20).fill('too_large: The input of host.kv.set holds more than 100000 values.'),
    );
    expect(Math.max(...parsed)).toBeLessThan(4096);
  });

  test('stores what is below the limit', async () => {
    expect(await act('store', { count: 90_000, times: 1 })).toBe('["stored"]');
  });
});
