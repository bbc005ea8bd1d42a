import type { MarketplaceSite } from '../plugins/marketplace-site.ts';
import { createPublisher } from '../plugins/packages.ts';
import type { Errand, ErrandWorld, Thing } from './errand.ts';

const id = 'visitor';
const publisher = createPublisher();
const permissions = {
  kv: { quotaMb: 1 },
  textIndex: true,
  library: 'read',
  viewing: 'write',
  events: 'emit',
  eventLog: true,
  notifications: true,
  schedule: true,
  secrets: true,
  jobs: ['tidy'],
  calls: ['visited:year'],
} as const;
const granted = { ...permissions, serves: ['job:tidy'], hears: ['library'] };
const source = `export default {
  events: { 'library.updated': async (event, host) => { await host.kv.set({ key: 'heard', value: event.id ?? 1 }); } },
  methods: {
    'job.run': async () => ({ done: true }),
    'schedule.wake': async ({ name }, host) => { await host.kv.set({ key: 'woken', value: name }); },
  },
  actions: {
    call: ({ service, method, input }, host) => host[service][method](input),
  },
};`;
const fields = {
  id,
  actions: ['call'],
  capabilities: [],
  permissions,
  subscriptions: { events: ['library.updated'] },
};

interface Sources {
  readonly sources: readonly Thing[];
}

/** Plugins of the marketplace that come, change, go back and go; and what each power keeps for them. */
export const pluginErrands = (site: MarketplaceSite, libraryId: string): readonly Errand[] => [
  {
    name: 'a plugin of the marketplace',
    run: async (world) => {
      const { ask, no } = world;
      const market = '/api/plugins/marketplace';
      await putAway(world);
      for (const version of [`${no}.0.0`, `${no}.1.0`])
        site.publish({ ...fields, version }, { signer: publisher, source });
      await ask('POST', `${market}/sources`, { body: { url: site.indexUrl } });
      await ask('GET', `${market}?q=visitor`);
      await ask('POST', `${market}/install`, { body: { id, version: `${no}.0.0` } });
      await ask('PUT', `/api/plugins/${id}/permissions`, { body: { granted } });
      await call(world, 'kv', 'set', { key: 'kept', value: no });
      site.change(({ plugins }) => ({ plugins }));
      await ask('POST', `${market}/refresh`, { body: {} });
      await ask('POST', `${market}/upgrade`, { body: { id } });
      await call(world, 'kv', 'get', { key: 'kept' });
      await ask('POST', `${market}/rollback`, { body: { id } });
      await powers(world, libraryId);
      await administration(world);
      await putAway(world);
    },
  },
];

async function putAway({ ask }: ErrandWorld): Promise<void> {
  await ask('DELETE', `/api/plugins/${id}`, { may: [404] });
  const { sources } = await ask<Sources>('GET', '/api/plugins/marketplace/sources');
  for (const one of sources)
    await ask('DELETE', `/api/plugins/marketplace/sources/${one.id}`, { may: [404] });
}

const call = (
  { ask }: ErrandWorld,
  service: string,
  method: string,
  input: object = {},
): Promise<unknown> =>
  ask('POST', `/api/plugins/${id}/actions/call`, { body: { service, method, input } });

async function powers(world: ErrandWorld, libraryId: string): Promise<void> {
  const { no, settle } = world;
  const kept = [1, 2, 3].map((one) => ({ key: `many-${one}`, value: { no, one } }));
  await call(world, 'kv', 'batch', { set: kept, remove: ['kept'] });
  await call(world, 'kv', 'list', { prefix: 'many-', limit: 2 });
  await call(world, 'kv', 'scan', { prefix: 'many-', reverse: true });
  await call(world, 'kv', 'count', { prefix: 'many-', most: 10 });
  await call(world, 'kv', 'trim', { prefix: 'many-', keep: 1 });
  await call(world, 'kv', 'remove', { key: 'many-3' });
  const documents = ['Night train', 'The night', 'A train of thought'].map((title, at) => ({
    ...{ id: `d${at}`, scope: at === 0 ? 'one' : 'two', kind: 'item', title },
    body: `words of ${title} ${no}`,
  }));
  await call(world, 'textIndex', 'put', { documents });
  await call(world, 'textIndex', 'size');
  const terms = [{ text: 'night' }, { text: 'tr', prefix: true }];
  await call(world, 'textIndex', 'query', { terms, limit: 5 });
  await call(world, 'textIndex', 'query', { terms, kind: 'item', scopes: ['one'], limit: 5 });
  await call(world, 'textIndex', 'similar', { text: 'nihgt', limit: 3 });
  await call(world, 'textIndex', 'remove', { ids: ['d0'] });
  await call(world, 'textIndex', 'clear');
  await call(world, 'library', 'get', { libraryId });
  await call(world, 'library', 'changes', { seq: 0, limit: 3 });
  await call(world, 'media', 'list', { libraryId, fields: 'tile', limit: 3 });
  await call(world, 'media', 'counts', {});
  await call(world, 'media', 'search', { q: 'film' });
  await call(world, 'viewing', 'createList', { kind: 'playlist', name: `Mix ${no}` });
  await call(world, 'viewing', 'lists');
  await call(world, 'events', 'emit', { type: `plugin.${id}.done`, data: { no } });
  await call(world, 'eventLog', 'follow', { patterns: ['library.*'] });
  await world.ask('PATCH', `/api/libraries/${libraryId}`, { body: { name: `Films ${no}` } });
  await call(world, 'eventLog', 'read', { limit: 5 });
  await call(world, 'eventLog', 'release', { ids: [libraryId] });
  await call(world, 'eventLog', 'follow', { patterns: [] });
  await call(world, 'notifications', 'tell', { level: 'info', title: `A word ${no}` });
  await call(world, 'schedule', 'set', { name: 'soon', at: Date.now() + 86_400_000 * 30 });
  await call(world, 'schedule', 'list');
  await call(world, 'schedule', 'clear', { name: 'soon' });
  await call(world, 'secrets', 'create', { name: 'own' });
  await call(world, 'secrets', 'sign', { name: 'own', messages: ['a'] });
  await call(world, 'secrets', 'list');
  await call(world, 'secrets', 'remove', { name: 'own' });
  await call(world, 'jobs', 'enqueue', { type: 'tidy' });
  await settle();
}

async function administration({ ask, no }: ErrandWorld): Promise<void> {
  const route = `/api/plugins/${id}`;
  await ask('GET', '/api/plugins');
  await ask('GET', route);
  await ask('GET', `${route}/permissions/dry-run`);
  await ask('GET', `${route}/logs`);
  await ask('GET', `${route}/usage`);
  await ask('PUT', `${route}/configuration`, { body: {}, may: [400] });
  await ask('GET', `${route}/configuration`);
  await ask('PUT', `${route}/secrets/key`, { body: { value: `secret ${no}`, hosts: [] } });
  await ask('GET', `${route}/secrets`);
  await ask('DELETE', `${route}/secrets/key`);
  for (const verb of ['disable', 'enable', 'restart']) await ask('POST', `${route}/${verb}`);
}
