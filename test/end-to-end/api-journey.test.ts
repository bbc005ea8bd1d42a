/** The way of the README through the API, with the client whose types come from the API document. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { callsTo } from '../support/servers/api-calls.ts';
import { startServer, until, type TestServer } from '../support/servers/server.ts';

let tree: MediaTree;
let server: TestServer;

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
