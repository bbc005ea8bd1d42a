/** `host.plugins.call`: one plugin calls a method of another one, in real sandboxes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createPluginFolder,
  startPluginServer,
  type PluginFolder,
  type PluginServer,
} from './plugin-server.ts';

const film = {
  type: 'object',
  required: ['imdb'],
  additionalProperties: false,
  properties: {
    imdb: { type: 'string', maxLength: 20, description: 'an id such as tt0113277' },
    text: { type: 'string' },
  },
};
const stars = {
  type: 'object',
  required: ['stars'],
  properties: { stars: { type: 'integer', minimum: 0, maximum: 10 }, text: { type: 'string' } },
};
const method = (name: string) => ({ name, description: 'Says it.', input: film, output: stars });
const open = { type: 'object' };

const factsMethods = ['rating', 'wrong', 'large', 'throws', 'refuses', 'hangs', 'unwritten'];

const facts = `
  export default {
    exports: {
      rating: ({ caller, input }) => ({ stars: 7, text: caller + ' asks for ' + input.imdb }),
      wrong: () => ({ stars: 'seven' }),
      large: () => ({ stars: 1, text: 'x'.repeat(300000) }),
      throws: () => { throw new Error('There is no film.'); },
      refuses: () => { throw Object.assign(new Error('Not that one.'), { code: 'not_rated' }); },
      hangs: () => new Promise(() => {}),
    },
  };`;

const asker = `
  const tried = (promise) => promise.then(
    (value) => ({ ok: true, value }),
    ({ code, message }) => ({ ok: false, code, message }),
  );
  export default {
    actions: {
      call: (input, host) => tried(host.plugins.call(input)),
      many: async ({ count, ...input }, host) =>
        Promise.all(Array.from({ length: count }, () => tried(host.plugins.call(input)))),
    },
  };`;

/** Each of the two calls the other, for ever. */
const ring = (other: string) => `
  const go = (host) => host.plugins.call({ plugin: '${other}', method: 'go' });
  export default {
    exports: { go: async (_call, host) => ({ by: await go(host) }) },
    actions: {
      go: (_input, host) => go(host).then(() => null, ({ code, message }) => ({ code, message })),
    },
  };`;

const go = [{ name: 'go', description: 'Goes on.', input: open, output: open }];

let folder: PluginFolder;
let server: PluginServer;

beforeAll(async () => {
  folder = await createPluginFolder();
  await folder.add({ id: 'facts', exports: factsMethods.map(method) }, facts);
  const calls = [...factsMethods, 'missing', 'secret'].map((name) => `facts:${name}`);
  await folder.add(
    {
      id: 'asker',
      permissions: { calls: [...calls, 'nobody:rating'] },
      actions: ['call', 'many'],
    },
    asker,
  );
  for (const [id, other] of [
    ['ring-a', 'ring-b'],
    ['ring-b', 'ring-a'],
  ] as const) {
    const permissions = { calls: [`${other}:go`] };
    await folder.add({ id, permissions, exports: go, actions: ['go'] }, ring(other));
  }
  server = await startPluginServer(folder);
  const { grants } = server.plugins;
  const granted = calls.filter((name) => name !== 'facts:secret');
  await grants.set('asker', { calls: [...granted, 'nobody:rating'] });
  await grants.set('ring-a', { calls: ['ring-b:go'] });
  await grants.set('ring-b', { calls: ['ring-a:go'] });
});

afterAll(async () => {
  await server.stop();
  await folder.remove();
});

const imdb = 'tt0113277';

const ask = (input: object): Promise<unknown> =>
  server.plugins.actions.call('asker', 'call', { plugin: 'facts', input: { imdb }, ...input });

const refused = (code: string, ...words: readonly string[]) => ({
  ok: false,
  code,
  message: expect.stringMatching(new RegExp(words.join('.*'))),
});

describe('a call of a plugin', () => {
  test('gives the answer of the other plugin, which learns who calls', async () => {
    expect(await ask({ method: 'rating' })).toEqual({
      ok: true,
      value: { stars: 7, text: `asker asks for ${imdb}` },
    });
  });

  test.each<[string, object, string, readonly string[]]>([
    ['was not granted', { method: 'secret' }, 'permission_denied', ['facts:secret']],
    ['names no plugin', { plugin: 'nobody', method: 'rating' }, 'not_found', ['Plugin nobody']],
    ['names no method', { method: 'missing' }, 'not_found', ['missing of plugin facts']],
    [
      'has another input than the schema',
      { method: 'rating', input: { imdb: 7 } },
      'invalid_argument',
      ['facts:rating', 'imdb: 7 is a number, not a text', 'an id such as'],
    ],
    [
      'has a key too many',
      { method: 'rating', input: { imdb, year: 1995 } },
      'invalid_argument',
      ['year is not known'],
    ],
    [
      'has too much input',
      { method: 'rating', input: { imdb, text: 'x'.repeat(264_000) } },
      'too_large',
      ['host.plugins.call'],
    ],
    ['waits too long', { method: 'rating', timeoutMs: 60_000 }, 'invalid_argument', ['30000']],
    ['gets a wrong answer', { method: 'wrong' }, 'plugin_failed', ['stars: "seven" is a text']],
    ['gets too large an answer', { method: 'large' }, 'plugin_failed', ['facts:large', '262144']],
    ['meets an error', { method: 'throws' }, 'plugin_failed', ['There is no film']],
    ['meets a code', { method: 'refuses' }, 'plugin_failed', ['not_rated: Not that one']],
    ['gets no answer', { method: 'hangs', timeoutMs: 50 }, 'plugin_failed', ['no answer in 50 ms']],
    ['finds no handler', { method: 'unwritten' }, 'plugin_failed', ['no handler']],
  ])('that %s is refused, and the error says why', async (_what, input, code, words) => {
    expect(await ask(input)).toEqual(refused(code, ...words));
  });

  test('that the other plugin answered wrongly is a failure of that plugin', async () => {
    await ask({ method: 'wrong' });

    const { failures } = server.plugins.usage.of('facts');
    expect(failures.handlers).toContainEqual(
      expect.objectContaining({ handler: 'export wrong', kind: 'reply-refused' }),
    );
  });

  test('waits with no more than sixteen others', async () => {
    const input = { plugin: 'facts', method: 'hangs', input: { imdb }, timeoutMs: 2000, count: 17 };

    const all = (await server.plugins.actions.call('asker', 'many', input)) as readonly {
      readonly code: string;
    }[];

    expect(all.filter(({ code }) => code === 'overloaded')).toHaveLength(1);
  });

  test('stands in the usage with the method that was called', async () => {
    await ask({ method: 'secret' });

    const { refusals } = server.plugins.usage.of('asker');
    expect(refusals).toContainEqual(
      expect.objectContaining({ call: 'plugins.call', subject: 'facts:secret' }),
    );
  });

  test('of plugins that call each other ends, and both answer again', async () => {
    const end = await server.plugins.actions.call('ring-a', 'go', {});

    expect(end).toMatchObject({
      code: 'plugin_failed',
      message: expect.stringContaining('more than 4 deep: ring-a, ring-b, ring-a, ring-b, ring-a'),
    });
    expect(await server.plugins.actions.call('ring-b', 'go', {})).toMatchObject({
      code: 'plugin_failed',
    });
  });

  test('finds the other plugin stopped, and says so', async () => {
    await server.plugins.lifecycle.disable('facts');

    expect(await ask({ method: 'rating' })).toEqual(refused('plugin_not_running', 'facts'));

    await server.plugins.lifecycle.enable('facts');
  });
});
