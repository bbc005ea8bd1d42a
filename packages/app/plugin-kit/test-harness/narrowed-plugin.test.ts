/** A plugin that was granted some libraries, as its author tries it out: it meets the wall of a server. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createAuthorFolder,
  type AuthorFolder,
} from '../../../../test/support/plugins/author-plugin.ts';
import { openPlugin, type PluginUnderTest } from '../plugin-test.ts';

const permissions = { files: 'read', library: 'read', metadata: 'write' } as const;
const granted = { ...permissions, hears: ['library'] } as const;

const manifest = {
  permissions,
  capabilities: ['indexer'],
  capabilityConfig: { indexer: { stages: ['full'] } },
  subscriptions: {
    events: ['library.item.added'],
    hooks: [{ name: 'pipeline.index.afterProcess' }],
    views: ['ui.item.detail.panels'],
  },
  actions: ['call'],
};

const source = `
export default {
  events: { 'library.item.added': () => null },
  hooks: { 'pipeline.index.afterProcess': () => null },
  views: { 'ui.item.detail.panels': () => [] },
  actions: { call: ({ service, method, input }, host) => host[service][method](JSON.parse(input)) },
  methods: {
    'indexer.supports': () => true,
    'indexer.index': () => ({ results: [] }),
    'indexer.search': () => ({ candidates: [] }),
  },
};
`;

const film = (title: string, path: string) => ({ title, files: [{ path }] });
const library = {
  ...{ movies: 0, episodes: 1, tracks: 0, books: 0, photos: 0 },
  items: [film('Totoro', 'Kids/Totoro.mkv'), film('Heat', 'Heat.mkv')],
};

let author: AuthorFolder;
let plugin: PluginUnderTest;

beforeAll(async () => {
  author = createAuthorFolder(manifest, source);
  plugin = await openPlugin(author.folder, { library, libraries: ['Films=Kids'] });
});

afterAll(async () => {
  await plugin.close();
  author.remove();
});

const itemOf = (title: string) => {
  const found = plugin.library.items().find((item) => item.title === title);
  if (found) return found;
  throw new Error(`There is no ${title}.`);
};

const added = (title: string) => {
  const { id: itemId, libraryId } = itemOf(title);
  return plugin.event('library.item.added', { itemId, libraryId, title });
};

const call = async (name: string, input: object): Promise<unknown> => {
  const [service, method] = name.split('.');
  return plugin.action('call', { service, method, input: JSON.stringify(input) });
};

const outOfReach = { code: 'out_of_reach' };
const denied = { code: 'permission_denied' };

describe('a plugin that was granted one folder', () => {
  test('receives calls about its content, and no other calls', async () => {
    await added('Totoro');
    const before = plugin.dispatches().length;

    await expect(added('Heat')).rejects.toMatchObject(outOfReach);
    const { id: itemId } = itemOf('Heat');
    const panel = plugin.view('ui.item.detail.panels', { itemId, libraryType: 'movies' });
    await expect(panel).rejects.toMatchObject(outOfReach);
    const hook = plugin.hook('pipeline.index.afterProcess', plugin.library.hookInput(itemId));
    await expect(hook).rejects.toMatchObject(outOfReach);
    const search = { libraryType: 'tv', query: 'a', limit: 1 };
    await expect(plugin.call('indexer.search', search)).rejects.toMatchObject(denied);
    await expect(plugin.action('call', { itemId })).rejects.toMatchObject(denied);

    expect(plugin.dispatches()).toHaveLength(before);
  });

  test('finds only that folder through the host', async () => {
    const { id: itemId, libraryId, files } = itemOf('Heat');
    const [root] = plugin.library.libraries().find(({ id }) => id === libraryId)?.roots ?? [];
    const changes = (await call('library.changes', { seq: 0, limit: 500 })) as {
      changes: { item: { title: string } }[];
    };

    expect(changes.changes.map(({ item }) => item.title)).toEqual(['Totoro']);
    expect(await call('library.get', { libraryId })).toMatchObject({ roots: [`${root}/Kids`] });
    await expect(call('library.item', { itemId })).rejects.toMatchObject(denied);
    await expect(call('fs.list', { uri: root })).rejects.toMatchObject(denied);
    await expect(call('fs.stat', { uri: files[0]?.uri })).rejects.toMatchObject(denied);
  });

  test('gets other libraries when the admin grants them, and keeps them with the next grant', async () => {
    await plugin.grant(granted, ['Films', 'Series']);
    await added('Heat');
    await plugin.grant(granted, ['Series']);
    await plugin.grant(granted);
    await expect(added('Heat')).rejects.toMatchObject(outOfReach);
    await plugin.grant(granted, 'all');
    await added('Heat');
  });

  test.each([
    ['Opera', 'there is no such library; there are'],
    ['Films=Kidz', 'is not a folder of Films'],
    ['Films=../Series', 'is not a folder'],
  ])('is not granted %s', async (word, why) => {
    await expect(plugin.grant(permissions, [word])).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(why),
    });
  });
});
