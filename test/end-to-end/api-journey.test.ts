/** The way of the README through the API, with the client whose types come from the API document. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { callsTo } from '../support/servers/api-calls.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

let tree: MediaTree;
let server: TestServer;
let authorization = '';

beforeAll(async () => {
  tree = await createMediaTree(['Night Train (2001)/Night Train (2001).mkv']);
  server = await startServer({ env: { VITRINE_ADMIN_TOKEN: '' } });
});

afterAll(async () => {
  await server.stop();
  await tree.remove();
});

test('a typed client sets up, adds a library, waits for its scan, finds, streams and remembers', async () => {
  const token = /\/setup#token=(\S+)/.exec(server.output())?.[1] ?? '';
  const body = { token, name: 'Anna', password: 'at least ten characters' };

  const { sessionToken } = await callsTo(server.url)('post', '/api/setup', { body });
  authorization = `Bearer ${sessionToken}`;
  const call = callsTo(server.url, sessionToken);
  const { library, jobId } = await call('post', '/api/libraries', {
    body: { name: 'Films', type: 'movies', roots: [tree.path] },
  });
  await until('the scan has ended', async () => {
    const { job } = await call('get', '/api/jobs/{id}', { path: { id: jobId ?? '' } });
    return job.status === 'completed';
  });
  const { items } = await call('get', '/api/items', {
    query: { libraryId: library.id, sortBy: 'title', limit: 10 },
  });
  const [item] = items;
  const path = { id: item?.id ?? '' };
  const [file] = item !== undefined && 'files' in item ? item.files : [];
  const stream = await fetch(`${server.url}/api/files/${file?.id}/stream`, {
    headers: { authorization: `Bearer ${sessionToken}`, range: 'bytes=0-3' },
  });
  await call('put', '/api/items/{id}/playback', { path, body: { position: 70, duration: 700 } });
  const { playback } = await call('get', '/api/items/{id}/playback', { path });
  const { jobs } = await call('get', '/api/jobs', { query: { status: ['completed', 'failed'] } });

  expect(items.map(({ title }) => title)).toEqual(['Night Train']);
  expect(stream.status).toBe(206);
  expect(playback).toMatchObject({ position: 70, completed: false });
  expect(jobs.map(({ id }) => id)).toContain(jobId);
});

test('a search that sends back the change of an edit finds it at once, each time', async () => {
  const request = async (
    route: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ) => {
    const headers = { authorization, 'content-type': 'application/json', ...init.headers };
    const reply = await fetch(server.url + route, { ...init, headers });
    return { reply, body: (await reply.json()) as { readonly items: readonly { id: string }[] } };
  };
  const id = (await request('/api/items')).body.items[0]?.id ?? '';
  const isFound = async () => (await request('/api/search?q=Night')).body.items.length > 0;
  await until('the index follows', isFound);
  const found: number[] = [];
  for (let no = 0; no < 10; no += 1) {
    const edit = { method: 'PATCH', body: JSON.stringify({ title: `Kestrel${no}x` }) };
    const change = (await request(`/api/items/${id}`, edit)).reply.headers.get('x-vitrine-change');
    const headers = { 'x-vitrine-change': change ?? '' };
    found.push((await request(`/api/search?q=Kestrel${no}x`, { headers })).body.items.length);
  }
  const read = (await request('/api/items')).reply;
  const refused = await request('/api/search?q=a', { headers: { 'x-vitrine-change': '-1' } });

  expect(found).toEqual(Array.from({ length: 10 }, () => 1));
  expect(read.headers.has('x-vitrine-change')).toBe(false);
  expect(refused.reply.status).toBe(400);
});
