import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openSandboxes,
  startPlugin,
  type TestPlugin,
} from '../../../test/support/plugins/open-sandboxes.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import type { HostCall, HostReply } from '../../call/running-plugin.ts';
import type { Sandboxes } from './sandbox.ts';

let sandboxes: Sandboxes;
beforeAll(() => {
  sandboxes = openSandboxes();
});
afterAll(() => sandboxes.stop());

const viewerOf = (identity: string): DispatchViewer => ({
  identity,
  shownTo: (pluginId) => ({ role: 'user', profile: `${identity}-for-${pluginId}`, locale: 'de' }),
});
const kid = viewerOf('kid');

/** The result of a host call, as the plugin sees it. */
const tried = `const tried = async (call) => { try { return await call(); } catch (error) { return error.code; } };`;

/** Starts a plugin whose host calls answer with the name of the person that they were made for. */
async function start(definition: string, asked: HostCall[] = []): Promise<TestPlugin> {
  const gate = async (call: HostCall): Promise<HostReply> => {
    asked.push(call);
    return { ok: true, body: JSON.stringify(call.viewer?.identity ?? 'nobody') };
  };
  return startPlugin(sandboxes, { process: 'shared', prelude: tried, definition, gate });
}

const value = async (reply: ReturnType<TestPlugin['call']>): Promise<unknown> => {
  const ended = await reply;
  return ended.kind === 'returned' ? JSON.parse(String(ended.body)) : ended;
};

describe('host.viewer', () => {
  const definition = `methods: {
    viewer: (input, host) => [host.viewer, Object.isFrozen(host.viewer), host.viewer === host.viewer],
    forged: (input, host) => {
      try { host.viewer = { role: 'admin' }; } catch {}
      try { host.viewer.role = 'admin'; } catch {}
      return host.viewer.role;
    },
    given: (input, host) => host.viewer,
  },`;

  test('names the person who caused the call, frozen, in the form for this plugin', async () => {
    const plugin = await start(definition);

    expect(await value(plugin.callFor(kid, 'viewer'))).toEqual([
      { role: 'user', profile: 'kid-for-under-test', locale: 'de' },
      true,
      true,
    ]);
    expect(await value(plugin.callFor(kid, 'forged'))).toBe('user');
  });

  test('is null where no person did, for any input', async () => {
    const plugin = await start(definition);

    expect(await value(plugin.call('given', { viewer: { role: 'admin' } }))).toBeNull();
  });
});

describe('a host call', () => {
  test('comes with the person for whom the dispatch runs, each with its own', async () => {
    const plugin = await start(`methods: {
      slow: async (input, host) => { await new Promise((done) => setTimeout(done, 30)); return host.kv.get({}); },
      quick: (input, host) => host.kv.get({}),
    },`);

    const slow = plugin.callFor(kid, 'slow');
    const others = [plugin.call('quick'), plugin.callFor(viewerOf('admin'), 'quick')];

    expect(await Promise.all([slow, ...others].map(value))).toEqual(['kid', 'nobody', 'admin']);
  });

  test('by the host of another dispatch has the rights of that one, and none when it has ended', async () => {
    const asked: HostCall[] = [];
    const plugin = await start(
      `methods: {
        keep: async (input, host) => {
          globalThis.kept = host;
          globalThis.get = host.kv.get;
          globalThis.begun = host.kv;
          await new Promise((done) => { globalThis.end = done; });
          return 1;
        },
        use: async () => {
          const during = await tried(() => kept.kv.get({}));
          end();
          return during;
        },
        late: async (input, host) => [
          await tried(() => kept.kv.get({})),
          await tried(() => get({})),
          await tried(() => begun.get({})),
          await host.kv.get({}),
        ],
      },`,
      asked,
    );
    const keeping = plugin.callFor(kid, 'keep');

    expect(await value(plugin.callFor(viewerOf('admin'), 'use'))).toBe('kid');
    await keeping;
    asked.length = 0;

    expect(await value(plugin.call('late'))).toEqual(['no_call', 'no_call', 'no_call', 'nobody']);
    expect(asked).toHaveLength(1);
  });

  test('for a profile says so beside the input, with the word that the plugin gave, and ends with its dispatch', async () => {
    const asked: HostCall[] = [];
    const plugin = await start(
      `methods: {
        act: async (input, host) => {
          globalThis.ada = host.as('ada');
          await ada.viewing.lists({ as: 'ben' });
          await host.as({ toString: () => 'x'.repeat(300) }).viewing.lists({});
          await host.viewing.lists({});
          return [typeof ada.media.list, 'kv' in ada];
        },
        late: async () => tried(() => ada.viewing.lists({})),
      },`,
      asked,
    );

    expect(await value(plugin.call('act'))).toEqual(['function', false]);
    expect(asked.map(({ as }) => as?.slice(0, 100))).toEqual(['ada', 'x'.repeat(100), undefined]);
    expect(asked.map(({ as = '' }) => as.length)).toEqual([3, 100, 0]);
    expect(await value(plugin.call('late'))).toBe('no_call');
  });

  test('cannot be made in the name of another dispatch by anything that a host is made of', async () => {
    const plugin = await start(`methods: {
      keep: async (input, host) => { globalThis.kept = host; await new Promise((done) => { globalThis.end = done; }); return 1; },
      forge: async (input, host) => {
        const made = [
          () => new host.constructor({ call: 1, viewer: '' }).kv.get({}),
          () => new (Object.getPrototypeOf(host).constructor)({ call: 1, viewer: '' }).kv.get({}),
          () => new (Object.getPrototypeOf(host.kv).constructor)(1).get({}),
          () => Object.create(host).kv.get({}),
          () => Object.create(host.kv).get({}),
          () => host.kv.get.call({ call: 1 }, {}),
          () => host.kv.get({ dispatch: 1, viewer: null }),
          () => { Object.getPrototypeOf(host).kv = kept.kv; return host.kv.get({}); },
          () => { Object.defineProperty(Object.getPrototypeOf(host.kv), 'get', { get: () => kept.kv.get }); return host.kv.get({}); },
        ];
        const answers = [];
        for (const make of made) answers.push(await tried(make).then((answer) => answer ?? 'refused'));
        end();
        return answers;
      },
    },`);
    const keeping = plugin.callFor(viewerOf('admin'), 'keep');

    const answers = await value(plugin.callFor(kid, 'forge'));
    await keeping;

    expect(answers).not.toContain('admin');
    expect(answers).toHaveLength(9);
    expect(answers).toContain('kid');
  });
});
