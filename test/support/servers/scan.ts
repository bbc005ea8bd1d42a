import { until, type TestServer } from './server.ts';

interface Job {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly libraryId: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly errorMessage: string | null;
}

/** What `GET /api/jobs` answers. */
export interface JobReply {
  readonly jobs: readonly Job[];
  readonly counts: Readonly<Record<string, number>>;
  readonly completedLastMinute: number;
}

/** One file as the list shows it. */
export interface ListedFile {
  readonly id: string;
  readonly uri: string;
  readonly size: number;
  readonly status: string;
  readonly fileInfo: Readonly<Record<string, unknown>>;
}

/** One item as the list shows it. */
export interface ListedItem {
  readonly id: string;
  readonly libraryId: string;
  readonly title: string;
  readonly status: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly files: readonly ListedFile[];
}

const active = ['pending', 'running'];

/** A client that asks all the time is one for whom a scan makes room. */
const seldomMs = 150;

/**
 * Waits until there was a job and none is pending or running, and gives the jobs; a failed one rejects.
 * The first comes a moment after a server says that it listens, for the libraries that it was given.
 */
export async function jobsOver(server: TestServer, timeoutMs = 60_000): Promise<readonly Job[]> {
  let reply: JobReply | undefined;
  await until(
    'all jobs are over',
    async () => {
      reply = await server.get<JobReply>('/api/jobs?limit=100');
      const { jobs, counts } = reply;
      const isOver = counts['pending'] === 0 && counts['running'] === 0;
      // The list may be newer than the counts: a job may begin between the two reads.
      return isOver && jobs.length > 0 && jobs.every(({ status }) => !active.includes(status));
    },
    timeoutMs,
    seldomMs,
  );
  const failed = reply?.jobs.find((job) => job.status === 'failed');
  if (failed) throw new Error(`A job failed: ${JSON.stringify(failed)}`);
  return reply?.jobs ?? [];
}

/** Waits until no job is pending or running; jobs may have failed. */
export const noJobs = (server: TestServer): Promise<void> =>
  until(
    'no job is under way',
    async () => {
      const { counts } = await server.get<JobReply>('/api/jobs?limit=1');
      return counts['pending'] === 0 && counts['running'] === 0;
    },
    120_000,
    seldomMs,
  );

/** Waits until each library was scanned once and no job is pending or running. */
export async function firstScansOver(server: TestServer): Promise<void> {
  await until(
    'every library was scanned',
    async () => {
      const { libraries } = await server.get<{
        libraries: readonly { lastScanAt: string | null }[];
      }>('/api/libraries');
      return libraries.every(({ lastScanAt }) => lastScanAt !== null);
    },
    120_000,
    seldomMs,
  );
  await noJobs(server);
}

/** Enqueues a scan of each library and waits for the end. */
export async function scanAll(server: TestServer): Promise<void> {
  const { libraries } = await server.get<{ libraries: readonly { id: string }[] }>(
    '/api/libraries',
  );
  for (const { id } of libraries) {
    const { status } = await server.request('POST', '/api/jobs', { type: 'scan', libraryId: id });
    if (status !== 201) throw new Error(`The scan was not taken: ${status}`);
  }
  await jobsOver(server);
}

/** Every item of the server, page by page. */
export async function allItems(server: TestServer): Promise<readonly ListedItem[]> {
  const items: ListedItem[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: { items: readonly ListedItem[]; nextCursor: string | null } = await server.get(
      `/api/items?limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...page.items);
    cursor = page.nextCursor;
  }
  return items;
}
