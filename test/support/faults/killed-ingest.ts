/**
 * An ingest of a real server that is killed again and again (SIGKILL), and what has to be true of it in
 * the end: every item is there once, and right. The probe is a plugin of its own in a real isolate,
 * slow enough that most kills hit a batch that is under way.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { grant, makeProvider } from '../../faults/watched-server.ts';
import { writePlugin } from '../../faults/write-plugin.ts';
import { createMediaTree } from '../media/media-tree.ts';
import { allItems, jobsOver, type ListedItem } from '../servers/scan.ts';
import { startServer, until, type TestServer } from '../servers/server.ts';

export interface KilledIngest {
  /** Starts the server, kills it at a random moment of the ingest; gives whether one was under way. */
  readonly kill: () => Promise<boolean>;
  /** Starts it once more, lets it end, and gives what is lost, doubled or wrong: nothing, if all is well. */
  readonly faults: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const actors = 7;

/** Prepares a library of so many films, every fifth with an NFO; a life lasts so long at most. */
export async function openKilledIngest(
  films: number,
  longestLifeMs: number,
): Promise<KilledIngest> {
  const tree = await createMediaTree();
  for (let film = 0; film < films; film++) {
    const folder = `${String(film % 30).padStart(2, '0')}/Film ${film} (${1950 + (film % 70)})`;
    await tree.write(`${folder}/Film ${film}.mkv`);
    if (film % 5 === 0) await tree.write(`${folder}/Film ${film}.nfo`, nfoOf(film));
  }
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await writePlugin(data, slowProbe);
  const args = ['--library', `movies:Films:${tree.path}`];
  const first = await startServer({ data });
  await grant(first, slowProbe.id);
  await makeProvider(first, slowProbe.id);
  await first.kill();

  return {
    kill: async () => {
      const server = await startServer({ data, args });
      await until('an ingest is under way', () => isIngesting(server), undefined, 50);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * longestLifeMs));
      const isHit = await isRunning(server);
      // A finished one begins again, so that the next kill hits something, too.
      if (!isHit) await readAgain(server);
      await server.kill();
      return isHit;
    },
    faults: async () => {
      const server = await startServer({ data, args });
      try {
        await jobsOver(server);
        return await faultsOf(server, films);
      } finally {
        await server.stop();
      }
    },
    close: async () => {
      await tree.remove();
      await rm(data, { recursive: true });
    },
  };
}

const slowProbe = {
  id: 'slow-probe',
  capabilities: ['probe'],
  capabilityConfig: { probe: { extensions: ['mkv'] } },
  definition: `methods: { 'probe.probe': async ({ files }) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { results: files.map(({ size }) => ({ kind: 'read', report: {
      container: 'test', duration: size,
      streams: [{ index: 0, kind: 'video', codec: 'h264' }],
      chapters: [{ startTime: 0, title: 'Only' }],
      artwork: [{ type: 'cover', mimeType: 'image/png', size: 1 }],
    } })) };
  } }`,
};

const nfoOf = (film: number): string =>
  `<movie><title>Named ${film}</title><genre>Drama</genre><actor><name>Actor ${film % actors}</name></actor></movie>`;

interface ListedJob {
  readonly type: string;
  readonly status: string;
}

const isIngest = ({ type }: ListedJob): boolean => type === 'probe' || type === 'refresh';

async function jobsOf(server: TestServer): Promise<readonly ListedJob[]> {
  return (await server.get<{ jobs: ListedJob[] }>('/api/jobs')).jobs;
}

/** Whether an ingest is under way, or over. */
async function isIngesting(server: TestServer): Promise<boolean> {
  return (await jobsOf(server)).some((job) => isIngest(job) && job.status !== 'pending');
}

async function isRunning(server: TestServer): Promise<boolean> {
  return (await jobsOf(server)).some((job) => isIngest(job) && job.status === 'running');
}

async function readAgain(server: TestServer): Promise<void> {
  const { libraries } = await server.get<{ libraries: { id: string }[] }>('/api/libraries');
  await server.request('POST', '/api/jobs', { type: 'refresh', libraryId: libraries[0]?.id });
}

/** Everything that is not as it has to be, in words. */
async function faultsOf(server: TestServer, films: number): Promise<readonly string[]> {
  const items = await allItems(server);
  const uris = items.flatMap(({ files }) => files.map(({ uri }) => uri));
  const named = items.filter(({ title }) => title.startsWith('Named '));
  const { entities } = await server.get<{ entities: { name: string }[] }>(
    '/api/entities?type=person&limit=100',
  );
  const people = entities.map(({ name }) => name).sort();
  const expected = Array.from({ length: actors }, (_, no) => `Actor ${no}`);
  const whole = await server.get<{ item: { assets: object; linkedEntities: object[] } }>(
    `/api/items/${named[0]?.id}`,
  );
  return [
    ...differs('items', items.length, films),
    ...differs('files', uris.length, films),
    ...differs('different files', new Set(uris).size, films),
    ...differs('items with the title of their NFO', named.length, Math.ceil(films / 5)),
    ...differs('people', people.join(), expected.join()),
    ...differs('pictures of an item', Object.keys(whole.item.assets).join(), 'cover'),
    ...differs('entities of an item', whole.item.linkedEntities.length, 2),
    ...items.flatMap(faultsOfItem),
  ];
}

function differs(what: string, found: unknown, expected: unknown): readonly string[] {
  return found === expected ? [] : [`${what}: ${String(found)} instead of ${String(expected)}`];
}

/** What a file has after the slow probe has read it. */
function faultsOfItem({ title, files }: ListedItem): readonly string[] {
  const file: Readonly<Record<string, unknown>> = { ...files[0] };
  const { status, duration, size, fileInfo, chapters } = file;
  const found = JSON.stringify({ status, duration, fileInfo, chapters: titlesOf(chapters) });
  const streams = [{ index: 0, kind: 'video', codec: 'h264' }];
  const expected = JSON.stringify({
    status: 'active',
    duration: size,
    fileInfo: { container: 'test', streams },
    chapters: ['Only'],
  });
  return differs(title, found, expected);
}

function titlesOf(chapters: unknown): unknown {
  return Array.isArray(chapters)
    ? chapters.map((chapter: { title?: unknown }) => chapter.title)
    : chapters;
}
