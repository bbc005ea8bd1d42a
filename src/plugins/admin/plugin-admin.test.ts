import { beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { testPluginViewers } from '../../../test/support/plugins/plugin-viewers.ts';
import { openTestStorage } from '../../../test/support/storage/storage.ts';
import { silentLog } from '../../../kernel/index.ts';
import type { Database } from '../../../kernel/store/index.ts';
import type { AlongsideChange, Plugin } from '../../../kernel/run/index.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../people/viewer/index.ts';
import { auditMigrations, createAudit, type Audit } from '../../platform/audit/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createViewerRateLimit, PluginAdmin } from './index.ts';

const viewer = { ...serverViewer, userId: 'ada', credentialId: 'key-1' };
const plugin = { id: 'probe' } as Plugin;
let database: Database;
let audit: Audit;
let called: string[];
/** What a decision makes of what was `kept`. */
let after: string;
let admin: PluginAdmin;

beforeEach(async () => {
  ({ database } = await openTestStorage({ migrations: [auditMigrations] }));
  audit = createAudit({ database, clock: systemClock, log: silentLog });
  called = [];
  after = 'changed';
  const clock = createFakeClock();
  admin = new PluginAdmin({
    plugins: plugins(),
    audit,
    maySend: async (_viewer, params) => params['itemId'] !== 'hidden',
    toPlugins: testPluginViewers().toPlugins,
    pace: createViewerRateLimit(clock),
  });
});

/** Decides like the kernel: in one transaction with the audit entry. */
function plugins(): ConstructorParameters<typeof PluginAdmin>[0]['plugins'] {
  const decide = async (alongside: AlongsideChange | undefined, fails = false) => {
    await database.write(async (trx) => {
      await alongside?.(trx, { before: 'kept', after });
      if (fails) throw new Error('The disk is full.');
    });
    return plugin;
  };
  return {
    lifecycle: {
      enable: (_id, alongside) => decide(alongside),
      disable: (_id, alongside) => decide(alongside, true),
      restart: async () => plugin,
      rescan: async () => ({ found: [plugin], changed: [], removed: ['gone'], skipped: [] }),
    },
    configuration: {
      get: () => ({ region: 'de', apiKey: '***', depth: 3 }),
      set: (_id, _values, alongside) => decide(alongside),
    },
    grants: {
      get: () => ({
        asked: { library: 'write' },
        granted: { library: 'read' },
        reach: 'all',
        adds: null,
      }),
      set: async (_id, _granted, options) => {
        await decide(options?.alongside);
        return {
          asked: { library: 'write' },
          granted: { library: 'write' },
          reach: 'all',
          adds: null,
        };
      },
    },
    providers: {
      of: () => 'search',
      choose: async (key, pluginId, alongside) => {
        await decide(alongside);
        return { key, pluginId, isChosen: true, candidates: [pluginId] };
      },
    },
    actions: {
      of: () => [
        { name: 'refresh', access: 'admin' },
        { name: 'count', access: 'user' },
      ],
      callText: async (_id, method) => {
        called.push(method);
        return 'null';
      },
    },
  };
}

const acts = async () =>
  (await audit.list({})).entries.map(({ action, details }) => [action, details]);

describe('the acts of an admin on a plugin', () => {
  test('include a rescan of the local folders, with its result', async () => {
    await admin.rescan(viewer);

    expect(await acts()).toEqual([
      ['plugin.rescanned', { found: [plugin.id], changed: [], removed: ['gone'] }],
    ]);
  });

  test('have an entry with admin and plugin', async () => {
    await admin.enable('probe', viewer);
    await admin.restart('probe', viewer);
    await admin.chooseProvider('search', 'probe', viewer);

    expect((await audit.list({})).entries).toMatchObject([
      {
        action: 'plugin.provider_chosen',
        target: { id: 'probe' },
        details: { key: 'search', before: 'search' },
      },
      { action: 'plugin.restarted', actor: { userId: 'ada' }, target: { id: 'probe' } },
      { action: 'plugin.enabled', actor: { userId: 'ada', credentialId: 'key-1' } },
    ]);
  });

  test('have no entry when it was so already', async () => {
    after = 'kept';
    await admin.enable('probe', viewer);
    await admin.configure('probe', {}, viewer);
    await admin.grant('probe', { granted: { library: 'read' }, reach: 'all' }, viewer);
    await admin.chooseProvider('search', 'search', viewer);

    expect(await acts()).toEqual([]);
  });

  test('have no entry when they fail', async () => {
    await expect(admin.disable('probe', viewer)).rejects.toThrow('disk is full');

    expect(await acts()).toEqual([]);
  });

  test('have the changed keys of a configuration, and never a value', async () => {
    await admin.configure('probe', { region: 'de', apiKey: 'open sesame', limit: 7 }, viewer);

    expect(await acts()).toEqual([['plugin.configured', { keys: ['apiKey', 'depth', 'limit'] }]]);
  });

  test('have the grant before and after, with its libraries', async () => {
    const reach = [{ id: 'films', folders: ['/films/Kids'] }];
    await admin.grant('probe', { granted: { library: 'write' }, reach }, viewer);

    expect(await acts()).toEqual([
      [
        'plugin.granted',
        {
          before: { library: 'read' },
          granted: { library: 'write' },
          librariesBefore: 'all',
          libraries: reach,
        },
      ],
    ]);
  });

  test('have an entry before an action is called, and none for an unknown one', async () => {
    await admin.callAction('probe', 'refresh', { secret: 'open sesame' }, viewer);
    await admin.callAction('probe', 'explode', {}, viewer);

    expect(await acts()).toEqual([['plugin.action_called', { method: 'refresh' }]]);
    expect(called).toEqual(['refresh', 'explode']);
  });

  test.each([
    ['a user', { role: 'user' }],
    ['a guest', { role: 'guest' }],
    ['a key of some libraries', { visibility: visibilityOfLibraries(['films']) }],
  ] as const)('refuse %s an action for admins', async (_, what) => {
    const other: Viewer = { ...viewer, ...what };

    await expect(admin.callAction('probe', 'refresh', {}, other)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'The action refresh of plugin probe is for admins of the whole server.',
    });
    await admin.callAction('probe', 'count', {}, other);
    expect(called).toEqual(['count']);
  });

  test('refuse parameters that the viewer may not see, without an entry', async () => {
    const call = admin.callAction('probe', 'refresh', { itemId: 'hidden' }, viewer);

    await expect(call).rejects.toMatchObject({ code: 'not_found' });
    expect([called, await acts()]).toEqual([[], []]);
  });

  test('allow a user 30 calls at once, with one entry', async () => {
    const bob: Viewer = { ...viewer, userId: 'bob', role: 'user' };
    const calls = Array.from({ length: 31 }, () => admin.callAction('probe', 'count', {}, bob));

    const ended = await Promise.allSettled(calls);

    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(30);
    expect(ended[30]).toMatchObject({ reason: { code: 'too_many_requests' } });
    expect(await acts()).toEqual([['plugin.action_called', { method: 'count' }]]);
  });
});
