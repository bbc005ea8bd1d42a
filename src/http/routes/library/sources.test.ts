import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { openTestLibrary } from '../../../../test/support/library/library.ts';
import { createSources } from '../../../library/matching/index.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { sourceRoutes } from './sources.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';

const job: Job = {
  id: 'job',
  type: 'refresh',
  libraryId: 'films',
  pluginId: null,
  status: 'pending',
  priority: 80,
  payload: {},
  result: {},
  progress: 0,
  errorMessage: null,
  createdAt: '2026-11-26T12:00:00.000Z',
  startedAt: null,
  completedAt: null,
};

let app: HttpApp;
let url: string;
let merged: string[];

beforeEach(async () => {
  const library = await openTestLibrary();
  const { id } = await library.libraries.create({ name: 'F', type: 'movies', roots: ['/films'] });
  url = `/api/libraries/${id}/sources`;
  merged = [];
  const sources = createSources({
    ...library,
    database: library.storage.database,
    // The last one wins unless an order says otherwise; names of files need no network.
    indexers: {
      of: async () => ['names', 'alpha', 'beta'],
      isRemote: (pluginId) => pluginId !== 'names',
    },
    nameOf: (pluginId) => `The ${pluginId}`,
    mergeAgain: async (libraryId) => {
      merged.push(libraryId);
      return job;
    },
  });
  app = await createTestApp([mount(sourceRoutes, { sources })]);
  onTestFinished(async () => {
    await app.close();
    await library.close();
  });
});

const read = async () => (await app.inject({ url, headers: bearer('admin') })).json<object>();
const put = (payload: object) =>
  app.inject({ method: 'PUT', url, headers: bearer('admin'), payload });

const alpha = { pluginId: 'alpha', pluginName: 'The alpha' };
const beta = { pluginId: 'beta', pluginName: 'The beta' };
const unset = { order: [], fields: {}, languages: [] };

describe('the sources of a library', () => {
  test('are the indexers that use the network, best first, until an order is set', async () => {
    expect(await read()).toEqual({ ...unset, sources: [beta, alpha] });
    const wanted = {
      order: ['alpha', 'gone'],
      fields: { poster: ['beta'] },
      languages: ['de', 'pt-BR'],
    };

    const reply = await put(wanted);

    expect(reply.json()).toEqual({ sources: { ...wanted, sources: [alpha, beta] }, job });
    expect(await read()).toEqual({ ...wanted, sources: [alpha, beta] });
    expect(merged).toHaveLength(1);
  });

  test.each([
    ['a plugin that is named twice', { ...unset, order: ['alpha', 'alpha'] }, 'order names alpha'],
    ['a field without a name', { ...unset, fields: { ' ': ['alpha'] } }, 'fields has a name'],
    ['a language twice', { ...unset, languages: ['de', 'de'] }, 'languages names de'],
    ['a language that is not a tag', { ...unset, languages: ['../de'] }, 'languages'],
    ['an order that is a text', { ...unset, order: 'alpha' }, 'order'],
    ['an empty id', { ...unset, order: [''] }, 'order'],
  ])('refuse %s, say where it stands, and stay', async (_name, wanted, where) => {
    const reply = await put(wanted);

    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ error: string }>().error).toContain(where);
    expect(await read()).toEqual({ ...unset, sources: [beta, alpha] });
    expect(merged).toEqual([]);
  });

  test('are for admins, and of a library that exists', async () => {
    expect((await app.inject({ url, headers: bearer('user') })).statusCode).toBe(403);
    expect((await app.inject({ url })).statusCode).toBe(401);
    url = '/api/libraries/01900000-0000-7000-8000-000000000000/sources';
    expect((await put(unset)).statusCode).toBe(404);
  });
});
