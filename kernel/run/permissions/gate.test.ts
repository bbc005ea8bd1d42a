import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { recordingLog } from '../../../test/support/plugins/fake-plugins.ts';
import type { Permissions } from '../../../plugin-api/index.ts';
import { KernelError } from '../../errors.ts';
import type { HostMethod } from '../../call/host-service.ts';
import type { CallChain } from '../../call/call-chain.ts';
import type { DispatchViewer } from '../../call/dispatch-viewer.ts';
import type { OutgoingCall, Reach } from '../../call/reach.ts';
import type { Body, HostReply } from '../../call/running-plugin.ts';
import { createCallQuota } from '../usage/call-quota.ts';
import { createCallQueue, noQueue, type CallQueue } from '../usage/call-queue.ts';
import { createGate } from './gate.ts';
import { createServices } from './services.ts';
import { createPowerLog } from '../usage/power-log.ts';

const { signal } = new AbortController();
const anything = { type: 'object' };

const personOf = (profile: string): DispatchViewer => ({
  identity: profile,
  shownTo: () => ({ role: 'user', profile: `word-of-${profile}`, locale: null }),
});

/** A gate before one service, `host.notes`, and what went through it. */
function gateBefore(
  methods: Readonly<Record<string, Partial<HostMethod>>>,
  {
    granted = {},
    reach = 'all',
    mayCall = () => false,
    mayCallFor = () => false,
    viewer = null,
    as,
    agreed = null,
    chain,
    perMinute = 1000,
    bytesPerMinute = 1_000_000_000,
    queue = noQueue,
  }: {
    granted?: Permissions;
    reach?: Reach;
    mayCall?: (call: OutgoingCall) => boolean | Promise<boolean>;
    mayCallFor?: (viewer: DispatchViewer, call: OutgoingCall) => boolean;
    viewer?: DispatchViewer | null;
    as?: string;
    agreed?: { readonly profileId: string; readonly level: 'read' | 'write' } | null;
    chain?: CallChain;
    perMinute?: number;
    bytesPerMinute?: number;
    queue?: CallQueue;
  } = {},
) {
  const services = createServices();
  const complete = Object.entries(methods).map(([name, method]): [string, HostMethod] => [
    name,
    { permission: null, input: anything, run: async () => null, ...method },
  ]);
  services.provide({ name: 'notes', methods: Object.fromEntries(complete) });
  const clock = createFakeClock();
  const counters = { calls: 0, refused: 0 };
  const log = recordingLog();
  const powers = createPowerLog(clock);
  const refused: (readonly [string, string])[] = [];
  let grant = granted;
  const gate = createGate({
    pluginId: 'a-plugin',
    granted: () => grant,
    reach: () => reach,
    judge: {
      mayCall: (_, call) => mayCall(call),
      mayCallFor,
      personOf: async (profileId) => (profileId === 'gone' ? null : personOf(profileId)),
      intersect: (one, other) => one.filter(({ id }) => other.some((also) => also.id === id)),
    },
    agreed: async (_, profile) => (profile === 'word-of-ada' ? agreed : null),
    services,
    quota: createCallQuota(perMinute, clock),
    bytes: createCallQuota(bytesPerMinute, clock),
    queue,
    counters,
    powers,
    onRefused: (name, message) => void refused.push([name, message]),
    admitText: async (bytes) => {
      if (bytes > 100) throw new KernelError('quota_exceeded', 'The index is full.');
    },
    newId: () => 'id-1',
    log,
  });
  const call = (method: string, body: Body = '{}', service = 'notes'): Promise<HostReply> =>
    gate(
      { service, method, body, viewer, ...(as !== undefined && { as }), ...(chain && { chain }) },
      signal,
    );
  return {
    call,
    clock,
    counters,
    powers,
    refused,
    log,
    grantNow: (permissions: Permissions) => {
      grant = permissions;
    },
  };
}

describe('the gate', () => {
  test.each<[string, Reach, Reach, Reach]>([
    ['what the caller may', 'all', [{ id: 'a' }], [{ id: 'a' }]],
    ['what it may itself', [{ id: 'a' }], 'all', [{ id: 'a' }]],
    ['what both may', [{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'c' }], [{ id: 'b' }]],
  ])('lets a plugin that another one calls touch only %s', async (_, reach, ofCaller, both) => {
    const given: Reach[] = [];
    const { call } = gateBefore(
      {
        look: {
          run: async (_input, caller) => {
            given.push(caller.reach);
            return null;
          },
        },
      },
      { reach, chain: { callers: ['other'], reach: ofCaller }, mayCall: () => true },
    );

    await call('look');

    expect(given).toEqual([both]);
  });

  test('runs calls of a plugin one at a time, except those that wait elsewhere', async () => {
    const begun: string[] = [];
    const wait = Promise.withResolvers<null>();
    const slow = (name: string) => () => {
      begun.push(name);
      return wait.promise;
    };
    const { call } = gateBefore(
      { write: { run: slow('write') }, fetch: { run: slow('fetch'), isElsewhere: true } },
      { queue: createCallQueue() },
    );

    const calls = ['write', 'write', 'fetch', 'fetch'].map((method) => call(method));
    await new Promise(setImmediate);
    expect(begun.toSorted()).toEqual(['fetch', 'fetch', 'write']);
    wait.resolve(null);
    const replies = await Promise.all(calls);

    expect(begun.filter((name) => name === 'write')).toHaveLength(2);
    expect(replies).toMatchObject(replies.map(() => ({ ok: true })));
  });

  test('takes a call for which a person waits past the background calls', async () => {
    const lanes: string[] = [];
    const queue: CallQueue = {
      take: async (_signal, priority) => {
        lanes.push(priority);
        return () => undefined;
      },
    };
    const viewer: DispatchViewer = {
      identity: 'a person',
      shownTo: () => ({ role: 'user', profile: 'p', locale: 'en' }),
    };

    await gateBefore({ read: {} }, { queue }).call('read');
    await gateBefore({ read: {} }, { queue, viewer, mayCallFor: () => true }).call('read');

    expect(lanes).toEqual(['background', 'request']);
  });

  test('passes on a valid call with its caller and grant, and returns JSON', async () => {
    const seen: unknown[] = [];
    const { call, counters } = gateBefore(
      {
        add: {
          permission: { name: 'library', level: 'read' },
          run: async (input: object, caller) => {
            seen.push(input, caller);
            return { n: 1 };
          },
        },
      },
      { granted: { library: 'write' } },
    );

    const reply = await call('add', '{"text":"a"}');

    expect(reply).toEqual({ ok: true, body: '{"n":1}' });
    expect(seen).toEqual([
      { text: 'a' },
      { pluginId: 'a-plugin', granted: { library: 'write' }, reach: 'all', viewer: null, signal },
    ]);
    expect(counters).toEqual({ calls: 1, refused: 0 });
  });

  test.each([
    ['notes', 'nothing', 'host.notes.nothing does not exist.'],
    ['nothing', 'add', 'host.nothing.add does not exist.'],
    ['notes', 'constructor', 'host.notes.constructor does not exist.'],
    ['__proto__', 'toString', 'host."__proto__"."toString" does not exist.'],
    ['notes', 'a\u001b[31mb', 'host."notes"."a [31mb" does not exist.'],
  ])('knows no method %j.%j', async (service, method, message) => {
    const { call, counters } = gateBefore({ add: {} });

    const reply = await call(method, '{}', service);

    expect(reply).toEqual({ ok: false, code: 'not_found', message });
    expect(counters).toEqual({ calls: 1, refused: 1 });
  });

  test.each<[HostMethod['permission'], Permissions, string]>([
    [{ name: 'textIndex' }, {}, 'textIndex'],
    [{ name: 'library', level: 'write' }, { library: 'read' }, 'library: write'],
    [{ name: 'net' }, { library: 'write', wasm: true }, 'net'],
  ])(
    'refuses a method that needs %j to a plugin that was granted %j',
    async (permission, granted, what) => {
      const { call } = gateBefore({ add: { permission } }, { granted });

      expect(await call('add')).toEqual({
        ok: false,
        code: 'permission_denied',
        message: `The plugin was not granted ${what}.`,
      });
    },
  );

  test('says when the viewer may not do what the plugin may', async () => {
    const viewer: DispatchViewer = {
      identity: 'a person',
      shownTo: () => ({ role: 'user', profile: 'p', locale: 'en' }),
    };

    expect(await gateBefore({ add: {} }, { viewer }).call('add')).toEqual({
      ok: false,
      code: 'permission_denied',
      message:
        'The plugin was not granted the resource that host.notes.add names in a call of this viewer, who has no right to it.',
    });
  });

  test('asks the policy about each call of a plugin with a limited reach, and gives no reason', async () => {
    const judged: OutgoingCall[] = [];
    const seen: unknown[] = [];
    const { call, counters, powers } = gateBefore(
      { add: { run: async (input: object) => void seen.push(input), subject: () => 'shows' } },
      {
        reach: [{ id: 'films' }],
        mayCall: async (one) => {
          judged.push(one);
          return (one.input as { libraryId: string }).libraryId === 'films';
        },
      },
    );

    const replies = [
      await call('add', '{"libraryId":"films"}'),
      await call('add', '{"libraryId":"x"}'),
    ];

    expect(replies).toEqual([
      { ok: true, body: 'null' },
      {
        ok: false,
        code: 'permission_denied',
        message: 'The plugin was not granted the resource that host.notes.add names.',
      },
    ]);
    expect(judged).toMatchObject([{ pluginId: 'a-plugin', call: 'notes.add' }, {}]);
    expect(seen).toEqual([{ libraryId: 'films' }]);
    expect(counters).toEqual({ calls: 2, refused: 1 });
    expect(powers.refusals()).toMatchObject([{ call: 'notes.add', subject: 'shows', count: 1 }]);
  });

  test('asks the policy about each call for a person as well, and both must allow it', async () => {
    const judged: unknown[] = [];
    const viewer: DispatchViewer = {
      identity: 'kid',
      shownTo: () => ({ role: 'user', profile: 'k', locale: null }),
    };
    const parts = {
      viewer,
      mayCallFor: ({ identity }: DispatchViewer, { call, input }: OutgoingCall) => {
        judged.push([identity, call, input]);
        return (input as { itemId: string }).itemId === 'seen';
      },
    };
    const callers: unknown[] = [];
    const add: Partial<HostMethod> = {
      run: async (_: object, caller) => void callers.push(caller.viewer),
    };
    const wide = gateBefore({ add }, parts);
    const narrow = gateBefore({ add }, { ...parts, reach: [], mayCall: () => false });

    const denied = { ok: false, code: 'permission_denied' };
    expect(await wide.call('add', '{"itemId":"seen"}')).toMatchObject({ ok: true });
    expect(await wide.call('add', '{"itemId":"other"}')).toMatchObject(denied);
    expect(await narrow.call('add', '{"itemId":"seen"}')).toMatchObject(denied);
    expect(callers).toEqual([viewer]);
    expect(judged).toEqual([
      ['kid', 'notes.add', { itemId: 'seen' }],
      ['kid', 'notes.add', { itemId: 'other' }],
    ]);
  });

  test('treats a policy that fails as one that refuses', async () => {
    const mayCall = () => Promise.reject(new Error('The database is away.'));
    const { call } = gateBefore({ add: {} }, { reach: [], mayCall });

    expect(await call('add')).toMatchObject({ ok: false, code: 'permission_denied' });
  });

  test('looks at the grant at each call', async () => {
    const { call, grantNow } = gateBefore({ add: { permission: { name: 'kv' } } });
    const before = await call('add');

    grantNow({ kv: { quotaMb: 1 } });

    expect([before.ok, (await call('add')).ok]).toEqual([false, true]);
  });

  test.each([
    ['{"text":1}', 'host.notes.add: text: 1 is a number, not a text.'],
    ['{}', 'host.notes.add: text is missing.'],
    ['{"text":"a","more":1}', 'host.notes.add: more is not known here; known are text.'],
    [
      '[]',
      'host.notes.add: The input: [] is an array, not an object; right is an object with text.',
    ],
    ['', 'host.notes.add: text is missing.'],
    ['{"text":', 'The input of host.notes.add is not JSON.'],
    [
      '{"text":"a","__proto__":{"admin":true}}',
      'host.notes.add: __proto__ is a key that is never allowed.',
    ],
    [
      '{"text":{"constructor":{}}}',
      'host.notes.add: text.constructor is a key that is never allowed.',
    ],
  ])('refuses the input %s', async (body, message) => {
    const input = {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: { text: { type: 'string' } },
    };
    const { call } = gateBefore({ add: { input } });

    expect(await call('add', body)).toEqual({ ok: false, code: 'invalid_argument', message });
  });

  test('refuses an input that is nested too deep or too long before it is parsed', async () => {
    const { call } = gateBefore({ add: {} });

    const deep = await call('add', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const long = await call('add', `{"a":"${'x'.repeat(9 * 1024 * 1024)}"}`);

    expect(deep).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('32 levels'),
    });
    expect(long).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('characters'),
    });
  });

  test('passes bytes only to a method that takes them', async () => {
    const bytes = new Uint8Array([1, 2]);
    const { call } = gateBefore({
      put: { takesBytes: true, raw: true, run: async (input: Uint8Array) => input },
      add: {},
    });

    expect(await call('put', bytes)).toEqual({ ok: true, body: bytes });
    expect(await call('add', bytes)).toMatchObject({ ok: false, code: 'invalid_argument' });
  });

  test('refuses unread what is longer than the method takes', async () => {
    const { call } = gateBefore({ add: { maxLength: 10 } });

    expect(await call('add', '{"a":1234}')).toMatchObject({ ok: true });
    expect(await call('add', 'no JSON in this')).toEqual({
      ok: false,
      code: 'too_large',
      message: 'The input of host.notes.add is 15 characters long, above 10.',
    });
  });

  test('reports the bytes of a call to the queue, also for a refused one', async () => {
    const carried: number[] = [];
    const queue = { take: async () => (_: number, bytes: number) => void carried.push(bytes) };
    const { call } = gateBefore({ add: { run: async () => 'answer' } }, { queue });

    await call('add', '{"a":1}');
    await call('add', '{"a":');

    expect(carried).toEqual([7 + 8, 5]);
  });

  test('passes what a raw method gives as it is', async () => {
    const { call } = gateBefore({ list: { raw: true, run: async () => '[1, 2]' } });

    expect(await call('list')).toEqual({ ok: true, body: '[1, 2]' });
  });

  test('gives the code and message of a kernel error', async () => {
    const { call, counters } = gateBefore({
      add: { run: () => Promise.reject(new KernelError('not_found', 'Note 7')) },
    });

    expect(await call('add')).toEqual({
      ok: false,
      code: 'not_found',
      message: 'Note 7 does not exist.',
    });
    expect(counters.refused).toBe(0);
  });

  test.each<[string, HostMethod['run']]>([
    ['rejects', () => Promise.reject(new Error('SELECT secret FROM /var/lib'))],
    [
      'throws',
      () => {
        throw new TypeError('SELECT secret FROM /var/lib');
      },
    ],
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the case itself
    ['rejects with no error', () => Promise.reject('SELECT secret FROM /var/lib')],
    ['returns a value that is not JSON', async () => 1n],
  ])('shows nothing but an id of a service that %s', async (_, run) => {
    const { call, log } = gateBefore({ add: { run } });

    expect(await call('add')).toEqual({
      ok: false,
      code: 'internal',
      message: 'Internal error id-1.',
    });
    expect(log.lines).toEqual(['error A host service failed.']);
  });

  test('refuses calls past the quota, counts them, and lets them through again in time', async () => {
    const { call, clock, counters } = gateBefore({ add: {} }, { perMinute: 60 });
    const first = await Promise.all(Array.from({ length: 60 }, () => call('add')));

    const over = await call('add');
    await clock.advance(1000);
    const later = await call('add');

    expect(first.every(({ ok }) => ok)).toBe(true);
    expect(over).toEqual({
      ok: false,
      code: 'quota_exceeded',
      message: 'Too many host calls; the next is possible in 1000 ms.',
    });
    expect(later.ok).toBe(true);
    expect(counters).toEqual({ calls: 62, refused: 1 });
  });

  test('has at most 64 calls of a plugin under way', async () => {
    const open = Promise.withResolvers<null>();
    const { call } = gateBefore({ wait: { run: () => open.promise } });
    const waiting = Array.from({ length: 64 }, () => call('wait'));

    const over = await call('wait');
    open.resolve(null);
    await Promise.all(waiting);

    expect(over).toMatchObject({ ok: false, code: 'overloaded' });
    expect((await call('wait')).ok).toBe(true);
  });

  test('refuses to carry an answer that is too large', async () => {
    const { call } = gateBefore({ list: { run: async () => 'x'.repeat(17 * 1024 * 1024) } });

    expect(await call('list')).toMatchObject({ ok: false, code: 'too_large' });
  });
});

describe('a call for a profile', () => {
  const forAda = async (options: Parameters<typeof gateBefore>[1], method = 'read') => {
    const seen: unknown[] = [];
    const run: HostMethod['run'] = async (_, { viewer }) => seen.push(viewer?.identity);
    const viewing = (level: 'read' | 'write') => ({ name: 'viewing', level }) as const;
    const { call } = gateBefore(
      {
        read: { run, forProfiles: true, permission: viewing('read') },
        write: { run, forProfiles: true, permission: viewing('write') },
        other: { run },
      },
      {
        granted: { viewing: 'write' },
        mayCallFor: ({ identity }) => identity !== 'blind',
        as: 'word-of-ada',
        ...options,
      },
    );
    const reply = await call(method);
    return reply.ok ? seen : reply.code;
  };
  const ada = { profileId: 'ada', level: 'write' } as const;

  test('is made as its person, once the profile agreed to what the method does', async () => {
    expect(await forAda({ agreed: ada })).toEqual(['ada']);
    expect(await forAda({ agreed: ada }, 'write')).toEqual(['ada']);
    expect(await forAda({ agreed: { ...ada, level: 'read' } })).toEqual(['ada']);
  });

  test.each<[string, Parameters<typeof gateBefore>[1], string?]>([
    ['the profile has not agreed', {}],
    ['it agreed to reading alone', { agreed: { ...ada, level: 'read' } }, 'write'],
    ['an admin granted nothing', { agreed: ada, granted: {} }],
    ['the method acts for no profile', { agreed: ada }, 'other'],
    ['the word is that of another one', { agreed: ada, as: 'word-of-ben' }],
    ['the word is empty', { agreed: ada, as: '' }],
    ['the profile is gone', { agreed: { ...ada, profileId: 'gone' } }],
    ['its person may not do it', { agreed: { ...ada, profileId: 'blind' } }],
    ['somebody else caused the call', { agreed: ada, viewer: personOf('ben') }],
  ])('is refused when %s', async (_, options, method) => {
    expect(await forAda(options, method)).toBe('permission_denied');
  });

  test('needs no agreement in a call that its own person caused', async () => {
    expect(await forAda({ viewer: personOf('ada') }, 'write')).toEqual(['ada']);
  });
});

describe('any input of a guest', () => {
  test('is answered by the gate, and the service sees valid input only', async () => {
    const seen: unknown[] = [];
    const input = {
      type: 'object',
      additionalProperties: false,
      properties: { n: { type: 'number' } },
    };
    const run = async (sound: object) => seen.push(sound);
    const { call } = gateBefore({ add: { input, run } }, { perMinute: 1e6 });
    const body = fc.oneof(fc.string(), fc.json(), fc.uint8Array());

    await fc.assert(
      fc.asyncProperty(fc.string(), body, async (method, sent) => {
        const replies = [await call(method, sent), await call('add', sent)];

        return replies.every((reply) => reply.ok || /^[a-z_]+$/.test(reply.code));
      }),
    );
    const keys = new Set(seen.flatMap((sound) => Object.keys(Object(sound) as object)));
    expect([...keys].filter((key) => key !== 'n')).toEqual([]);
  });
});

describe('the registry of host services', () => {
  test('has one service of a name until its undo', () => {
    const services = createServices();
    const undo = services.provide({ name: 'notes', methods: {} });

    expect(() => services.provide({ name: 'notes', methods: {} })).toThrow('is already registered');
    undo();
    services.provide({ name: 'notes', methods: {} });
    expect(services.catalogue()).toEqual({ notes: [] });
  });
});

describe('what passes the gate', () => {
  const need = { name: 'net' } as const;
  const subject = ({ url }: { readonly url: string }) => new URL(url).host;

  test('is recorded with its subject, also when it is refused without a grant', async () => {
    const { call, powers, grantNow } = gateBefore({ fetch: { permission: need, subject } });
    await call('fetch', '{"url":"https://b.example/"}');
    grantNow({ net: ['*'] });
    await call('fetch', '{"url":"https://b.example/"}');
    await call('fetch', '{"url":"nowhere"}');

    expect(powers.powers()).toEqual([{ permission: 'net', uses: 3, refused: 1 }]);
    expect(powers.lastRun().calls).toEqual([
      { call: 'notes.fetch', subject: 'b.example', need, count: 2, refused: 1 },
      { call: 'notes.fetch', subject: null, need, count: 1, refused: 0 },
    ]);
    expect(powers.refusals()).toMatchObject([
      { call: 'notes.fetch', subject: 'b.example', code: 'permission_denied', count: 1 },
    ]);
  });

  test('is refused when the service says that the plugin may not, and not when it failed', async () => {
    const failing = (code: 'outside_root' | 'net_timeout') => async () => {
      throw new KernelError(code, 'It');
    };
    const { call, powers, counters } = gateBefore(
      {
        outside: { permission: need, run: failing('outside_root') },
        late: { permission: need, run: failing('net_timeout') },
      },
      { granted: { net: ['*'] } },
    );
    await call('outside');
    await call('late');

    expect(counters).toEqual({ calls: 2, refused: 1 });
    expect(powers.refusals()).toMatchObject([{ call: 'notes.outside', code: 'outside_root' }]);
  });

  test('is one entry for all calls that no service has', async () => {
    const { call, powers } = gateBefore({ add: {} });
    for (let index = 0; index < 1000; index += 1) await call(`made${index}`, '{}');

    expect(powers.powers()).toEqual([]);
    expect(powers.refusals()).toHaveLength(100);
  });

  test('counts against the bytes of a minute, and what is too much waits for its turn', async () => {
    const { call, clock } = gateBefore(
      { give: { run: async () => 'x'.repeat(60_000) } },
      { bytesPerMinute: 60_000 },
    );

    expect(await call('give')).toMatchObject({ ok: true });
    expect(await call('give')).toMatchObject({ ok: false, code: 'quota_exceeded' });
    await clock.advance(1000);
    expect(await call('give')).toMatchObject({ ok: true });
  });

  test('is refused when it would fill the text index beyond its quota', async () => {
    const { call, powers } = gateBefore({ put: { fillsTextIndex: true } });

    expect(await call('put', '{"a":1}')).toMatchObject({ ok: true });
    expect(await call('put', JSON.stringify({ a: 'x'.repeat(200) }))).toMatchObject({
      ok: false,
      code: 'quota_exceeded',
    });
    expect(powers.refusals()).toMatchObject([{ call: 'notes.put' }]);
  });
});
