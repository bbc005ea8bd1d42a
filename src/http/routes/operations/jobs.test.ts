import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { bearer, createTestApp } from '../../../../test/support/servers/http.ts';
import { openTestStorage } from '../../../../test/support/storage/storage.ts';
import { KernelError, silentLog } from '../../../../kernel/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { jobMigrations, Jobs } from '../../../work/jobs/index.ts';
import { createUuidV7 } from '../../../platform/uuid-v7.ts';
import { mount, type HttpApp } from '../../http-app.ts';
import { jobRoutes } from './jobs.ts';
import type { Job } from '../../../contract/resources/library/catalogue.ts';
import type { JobsPage } from '../../../contract/resources/operations/jobs.ts';

let app: HttpApp;
let jobs: Jobs;

beforeEach(async () => {
  const { database } = await openTestStorage({ migrations: [jobMigrations] });
  jobs = new Jobs({
    database,
    emit: () => undefined,
    background: { waitForSlot: async () => undefined },
    clock: systemClock,
    newId: createUuidV7({ now: Date.now }),
    log: silentLog,
    libraryExists: async (id) => id === 'films' || id === 'series',
  });
  app = await createTestApp([mount(jobRoutes, { jobs })]);
  onTestFinished(async () => {
    await app.close();
    await jobs.stop();
  });
});

const headers = bearer('admin');
const start = (payload: object) =>
  app.inject({ method: 'POST', url: '/api/jobs', headers, payload });
const startScan = async (libraryId: string): Promise<Job> =>
  (await start({ type: 'scan', libraryId })).json<{ job: Job }>().job;
const list = async (query: string): Promise<JobsPage> =>
  (await app.inject({ url: `/api/jobs?${query}`, headers })).json();

/** Runs the pending jobs to the given end. */
async function run(ending: 'completed' | 'failed'): Promise<void> {
  jobs.fallback({
    step: async () => {
      if (ending === 'failed') throw new KernelError('not_found', 'The folder');
      return { done: true, result: { files: 3 } };
    },
  });
  await jobs.start();
  await jobs.idle();
}

describe('POST /api/jobs', () => {
  test('answers 201 with every field of a Job', async () => {
    const reply = await start({
      type: 'scan',
      libraryId: 'films',
      priority: 70,
      payload: { deep: true },
    });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      job: {
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        type: 'scan',
        libraryId: 'films',
        pluginId: null,
        status: 'pending',
        priority: 70,
        payload: { deep: true },
        result: {},
        progress: 0,
        errorMessage: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        startedAt: null,
        completedAt: null,
      },
    });
  });

  test('takes a type alone, as in the specification', async () => {
    const reply = await start({ type: 'scan' });

    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({ job: { type: 'scan', libraryId: null, priority: 50 } });
  });

  test.each([
    [{}, 'body.type is missing.'],
    [{ type: 'scan', when: 'now' }, 'body.when is not a known key.'],
    [{ type: 'scan', priority: 101 }, 'body.priority must be <= 100.'],
    [{ type: 'scan', libraryId: '' }, 'body.libraryId must not be empty.'],
  ])('answers 400 to %j in the body {error}', async (payload, error) => {
    const reply = await start(payload);

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({ error });
  });

  test('answers 404 for a library that does not exist', async () => {
    const reply = await start({ type: 'scan', libraryId: 'nowhere' });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ error: 'Library nowhere does not exist.' });
  });

  test('answers 422 for a type that nothing runs, with the types that exist', async () => {
    jobs.fallback({ types: () => ['scan', 'steward.find'], step: async () => ({ done: true }) });

    const reply = await start({ type: 'scna', libraryId: 'films' });

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toEqual({
      error: 'type: no plugin runs jobs of the type scna; the known types are scan, steward.find.',
      code: 'job_type_unknown',
    });
    expect((await list('')).jobs).toEqual([]);
    expect((await start({ type: 'steward.find', libraryId: 'films' })).statusCode).toBe(201);
  });

  test('answers the scan that waits to a second request for it, and 409 to one of other folders', async () => {
    const { id } = await startScan('films');

    const same = await start({ type: 'scan', libraryId: 'films' });
    const other = await start({
      type: 'scan',
      libraryId: 'films',
      payload: { folders: ['file:///films/new'] },
    });

    expect(same.statusCode).toBe(201);
    expect(same.json()).toMatchObject({ job: { id, status: 'pending' } });
    expect(other.statusCode).toBe(409);
    expect(other.json()).toEqual({
      error: `Job ${id} (scan of library films) is pending already.`,
      code: 'job_running',
    });
  });
});

describe('GET /api/jobs', () => {
  test('answers jobs, counts, completedLastMinute and nextCursor', async () => {
    await startScan('films');
    await run('completed');
    const job = await startScan('series');
    await jobs.idle();

    const page = await list('');

    expect(page).toEqual({
      jobs: [expect.objectContaining({ id: job.id, result: { files: 3 } }), expect.anything()],
      counts: { pending: 0, running: 0, completed: 2, failed: 0, cancelled: 0 },
      completedLastMinute: 2,
      nextCursor: null,
    });
  });

  test('filters by libraryId and by several statuses joined by a comma', async () => {
    const films = await startScan('films');
    await startScan('series');

    const found = await list('libraryId=films&status=pending,running');
    const none = await list('libraryId=films&status=completed');

    expect(found.jobs.map(({ id }) => id)).toEqual([films.id]);
    expect(none.jobs).toEqual([]);
  });

  test.each(['libraryId=', 'status=lost', 'status=', 'limit=0', 'cursor=nonsense'])(
    'answers 400 to ?%s',
    async (query) => {
      const reply = await app.inject({ url: `/api/jobs?${query}`, headers });

      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toEqual({ error: expect.any(String) });
    },
  );
});

describe('one job', () => {
  test('is given by GET /api/jobs/:id', async () => {
    const job = await startScan('films');

    const reply = await app.inject({ url: `/api/jobs/${job.id}`, headers });

    expect(reply.json()).toEqual({ job });
  });

  test('that does not exist is 404 on every route', async () => {
    for (const [method, url] of [
      ['GET', '/api/jobs/nothing'],
      ['POST', '/api/jobs/nothing/cancel'],
      ['POST', '/api/jobs/nothing/retry'],
    ] as const) {
      const reply = await app.inject({ method, url, headers });
      expect(reply.statusCode).toBe(404);
      expect(reply.json()).toEqual({ error: 'Job nothing does not exist.' });
    }
  });

  test('is cancelled by POST /api/jobs/:id/cancel, and only once', async () => {
    const { id } = await startScan('films');
    const cancel = () => app.inject({ method: 'POST', url: `/api/jobs/${id}/cancel`, headers });

    expect((await cancel()).json()).toMatchObject({ job: { id, status: 'cancelled' } });
    expect((await cancel()).statusCode).toBe(409);
  });

  test('is started again by POST /api/jobs/:id/retry once it has failed', async () => {
    const { id } = await startScan('films');
    const retry = () => app.inject({ method: 'POST', url: `/api/jobs/${id}/retry`, headers });
    expect((await retry()).statusCode).toBe(409);
    await run('failed');

    const reply = await retry();

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ job: { id, status: 'pending', errorMessage: null } });
  });
});

describe('DELETE /api/jobs', () => {
  test('deletes the jobs of the given statuses', async () => {
    await startScan('films');
    await run('completed');

    const reply = await app.inject({
      method: 'DELETE',
      url: '/api/jobs?status=completed,failed',
      headers,
    });

    expect(reply.statusCode).toBe(204);
    expect((await list('')).jobs).toEqual([]);
  });

  test.each(['', '?status=running', '?status=completed,pending'])(
    'answers 400 to %j, since a job that is not over must be cancelled first',
    async (query) => {
      const reply = await app.inject({ method: 'DELETE', url: `/api/jobs${query}`, headers });

      expect(reply.statusCode).toBe(400);
    },
  );
});
