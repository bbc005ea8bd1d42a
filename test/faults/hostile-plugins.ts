/** Plugins that misbehave, each in its way, when a scan sets off their events and hooks. */

import type { PluginText } from './write-plugin.ts';

const onItem = { events: ['library.item.added'] };

/** Whether a bomb runs out of memory or of time first is up to the machine. */
const outOfTime = /Computed for \d+ ms|Went on computing|nothing can interrupt/;
const outOfEither = new RegExp(`memory|Its process ended|${outOfTime.source}`);

const inEvent = (code: string): string => `events: {
  'library.item.added': async ({ data }, host) => { ${code} },
},`;

/** Once: a plugin that ends in each event fails for good when events come slowly. */
const inOneEvent = (code: string): string => inEvent(`if (data.title === 'Film 3') { ${code} }`);

/** Plugins that cannot go on: their isolate or their process has to end. */
export const doomed: readonly (PluginText & { readonly says: RegExp })[] = [
  {
    id: 'endless-loop',
    subscriptions: onItem,
    definition: inOneEvent('for (;;);'),
    says: outOfTime,
  },
  {
    id: 'native-loop',
    subscriptions: onItem,
    definition: inOneEvent('Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);'),
    says: outOfTime,
  },
  {
    id: 'promise-flood',
    subscriptions: onItem,
    definition: inOneEvent(
      'const flood = () => { Promise.resolve().then(flood); Promise.resolve().then(flood); }; flood();',
    ),
    says: outOfEither,
  },
  {
    id: 'map-bomb',
    subscriptions: onItem,
    definition: inOneEvent('const all = new Map(); for (let n = 0; ; n++) all.set(n, { n });'),
    says: outOfEither,
  },
  {
    id: 'array-bomb',
    subscriptions: onItem,
    definition: inOneEvent(
      'const all = []; for (;;) all.push(new Array(1000).fill(Math.random()));',
    ),
    says: outOfEither,
  },
  {
    id: 'hook-bomb',
    permissions: { metadata: 'write' },
    subscriptions: { hooks: [{ name: 'pipeline.index.afterProcess', order: 10 }] },
    definition: `hooks: { 'pipeline.index.afterProcess': ({ bundle }) => {
      console.log('asked about ' + bundle.fields.title);
      if (bundle.fields.title !== 'Film 7') return null;
      const all = []; for (;;) all.push(new Array(1000).fill(Math.random()));
    } },`,
    says: outOfEither,
  },
];

const everyHook = {
  hooks: [
    { name: 'pipeline.scan.prepare', order: 20 },
    { name: 'pipeline.index.afterProcess', order: 20 },
  ],
};

/** Plugins whose misdeeds are contained: they are told so and go on. */
export const rude: readonly PluginText[] = [
  {
    id: 'thrower',
    permissions: { metadata: 'write' },
    subscriptions: { ...everyHook, ...onItem, views: ['ui.settings.sections'] },
    definition: `
      hooks: {
        'pipeline.scan.prepare': () => { throw null; },
        'pipeline.index.afterProcess': () => {
          throw { get message() { throw new Error('again'); }, get stack() { throw 1; } };
        },
      },
      ${inEvent("throw new Error('I always do');")}
      views: { 'ui.settings.sections': () => { throw new Error('Here too'); } },`,
  },
  {
    id: 'garbage',
    permissions: { metadata: 'write' },
    subscriptions: { ...everyHook, views: ['ui.settings.sections'] },
    definition: `
      hooks: {
        'pipeline.scan.prepare': () => ({ extensions: 'mkv' }),
        'pipeline.index.afterProcess': ({ bundle }) => [
          'text', 17, [], true, { fields: 'text' }, { unknown: 1 }, { fields: { title: 7 }, ids: 9 },
          { entities: { artist: [{}] } }, { assets: [{ uri: 1 }] }, { fields: { deep: JSON.parse('['.repeat(200) + ']'.repeat(200)) } },
          JSON.parse('{"__proto__": {"isAdmin": true}}'), { fields: { large: 'x'.repeat(3e6) } },
        ][bundle.files.media[0].size % 12],
      },
      views: { 'ui.settings.sections': () => [null, 1, 'x', { type: 'script' }, [[]]] },`,
  },
  {
    id: 'whole-bundle',
    permissions: { metadata: 'write' },
    subscriptions: everyHook,
    definition: `hooks: {
      'pipeline.scan.prepare': (input) => input,
      'pipeline.index.afterProcess': (input) => {
        input.bundle.fields.title = 'Mine';
        return input;
      },
    },`,
  },
  {
    id: 'console-flood',
    subscriptions: onItem,
    definition: inEvent("for (let n = 0; n < 1000; n++) console.log('flood', n, 'x'.repeat(500));"),
  },
  {
    id: 'host-call-flood',
    permissions: { kv: { quotaMb: 1 } },
    subscriptions: onItem,
    definition: inEvent(`
      const calls = Array.from({ length: 200 }, () => host.kv.get({ key: 'k' }));
      const lost = (await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected');
      console.warn('refused', lost.length, [...new Set(lost.map(({ reason }) => reason.code))]);
    `),
  },
  {
    id: 'silent-view',
    subscriptions: { views: ['ui.settings.sections'] },
    definition: `views: { 'ui.settings.sections': () => new Promise(() => {}) },`,
  },
];

/** A plugin that does its work beside all of them, after them in every chain. */
export const good: PluginText = {
  id: 'good',
  permissions: { metadata: 'write', kv: { quotaMb: 1 } },
  subscriptions: {
    ...onItem,
    hooks: [
      { name: 'pipeline.scan.prepare', order: 90 },
      { name: 'pipeline.index.afterProcess', order: 90 },
    ],
    views: ['ui.settings.sections'],
  },
  definition: `
    hooks: {
      'pipeline.scan.prepare': () => ({ extensions: ['good'] }),
      'pipeline.index.afterProcess': ({ bundle }) => ({
        fields: { good: bundle.files.media.map(({ filename }) => filename) },
      }),
    },
    events: { 'library.item.added': ({ data }, host) => host.kv.set({ key: data.title, value: 1 }) },
    views: { 'ui.settings.sections': async (_, host) => [{
      type: 'metadata', slot: 'settings-panes', id: 'good', title: 'Good', layout: 'list',
      fields: (await host.kv.list({})).keys.map((key) => ({ key, value: 1 })),
    }] },`,
};
