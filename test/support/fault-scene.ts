/**
 * A whole server in this process whose SQLite fails again and again while it scans and serves: what it
 * answers meanwhile, and what is left of what it said it had done. Nothing in it is a fake but the
 * driver's failures; its plugins run in their isolates.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openReadOnly, openStorage, silentLog, type Log } from '../../kernel/index.ts';
import { systemClock } from '../../src/clock.ts';
import { createVitrine } from '../../src/compose/index.ts';
import { readConfig } from '../../src/config.ts';
import { lookThrough } from '../../src/integrity/index.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { writePlugin } from '../faults/write-plugin.ts';
import { createAcknowledged, type Acknowledged } from './acknowledged.ts';
import { createFaultPlan, type Fault, type FaultKind } from './faulty-driver.ts';
import { createMovingClock } from './identity/moving-clock.ts';
import { createMediaTree } from './media-tree.ts';
import { adminToken, until } from './server.ts';

/** What one kind of fault did. */
export interface FaultTally {
  readonly kind: FaultKind;
  /** How often statements began to fail. */
  faults: number;
  /** So many different statements met it. */
  statements: number;
  requests: number;
  /** Answers by what they said: `200`, `503 storage_failed`. */
  readonly answers: Map<string, number>;
  /** Answers that were no success and no clear refusal, in words. */
  readonly unclear: string[];
  /** Faults after which the server did not write again at once. */
  readonly unrecovered: string[];
}

/** A server to hurt. */
export interface FaultScene {
  /** So many faults of one kind, one after the other, each while requests and jobs are under way. */
  readonly hurt: (kind: FaultKind, faults: number) => Promise<FaultTally>;
  /** Lets everything come to its end, and tells what is lost, doubled or wrong: nothing, if all is well. */
  readonly wrongs: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const built = {
  folder: path.resolve(import.meta.dirname, '../../dist'),
  version: packageJson.version,
};
const films = 60;
const password = 'correct horse battery';
/** One statement, a few, and for so long that every retry fails as well. */
const lengths = [1, 2, 1, 7, 1, 40] as const;
const answerMs = 30_000;

const keeper = {
  id: 'keeper',
  permissions: { kv: { quotaMb: 1 } },
  actions: ['keep', 'recall'],
  definition: `actions: {
    keep: async ({ key, value }, host) => { await host.kv.set({ key, value }); return { key }; },
    recall: async ({ key }, host) => ({ value: await host.kv.get({ key }) }),
  }`,
};

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Opens one with a scanned library, over SQLite in a file. */
export async function openFaultScene(log: Log = silentLog): Promise<FaultScene> {
  const tree = await createMediaTree();
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await writePlugin(data, keeper);
  let filmNo = 0;
  const addFilm = async (): Promise<void> => {
    const name = `Film ${filmNo} (${1950 + (filmNo % 70)})`;
    await tree.write(`${filmNo % 10}/${name}/${name}.mkv`);
    if (filmNo % 4 === 0)
      await tree.write(
        `${filmNo % 10}/${name}/${name}.nfo`,
        `<movie><title>Film ${filmNo}</title><actor><name>Actor ${filmNo % 7}</name></actor></movie>`,
      );
    filmNo += 1;
  };
  while (filmNo < films) await addFilm();

  let turn = 0;
  const plan = createFaultPlan();
  const clock = createMovingClock();
  const config = readConfig({
    flags: { port: '0', data, watch: 'off', library: [`movies:Films:${tree.path}`] },
    env: { VITRINE_ADMIN_TOKEN: adminToken },
    cwd: data,
  });
  // Time is set ahead all the while, which is no load.
  const time = { ...clock, ...(systemClock.steady && { steady: systemClock.steady }) };
  const vitrine = await createVitrine(config, built, log, time, (options) =>
    openStorage({ ...options, through: plan.through, patienceMs: 60 }),
  );
  const { url } = await vitrine.start();

  async function ask(
    method: string,
    route: string,
    body?: unknown,
    token = adminToken,
  ): Promise<Answer> {
    const reply = await fetch(url + route, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMs),
    });
    return { status: reply.status, text: await reply.text() };
  }

  async function good(
    method: string,
    route: string,
    body?: unknown,
    token?: string,
  ): Promise<Record<string, never>> {
    const { status, text } = await ask(method, route, body, token);
    if (status >= 300) throw new Error(`${method} ${route}: ${status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, never>;
  }

  const counts = async (): Promise<{ pending: number; running: number; failed: number }> =>
    (await good('GET', '/api/jobs?limit=1'))['counts'] ?? { pending: 0, running: 0, failed: 0 };

  /** Time passes, so that what waits for a pause goes on. */
  async function settle(): Promise<void> {
    await until(
      'all jobs are over',
      async () => {
        await clock.advance(31_000);
        const { pending, running } = await counts();
        return pending + running === 0;
      },
      60_000,
      50,
    );
  }

  await good('PUT', '/api/plugins/keeper/permissions', { granted: keeper.permissions });
  await good('POST', '/api/users', { name: 'Ada', password, role: 'admin' });
  const { sessionToken } = await good('POST', '/api/auth/login', { name: 'Ada', password });
  const token = String(sessionToken);
  await vitrine.scanLibraries();
  await settle();
  const libraryId = String(
    ((await good('GET', '/api/libraries')) as { libraries?: readonly { id: string }[] })
      .libraries?.[0]?.id,
  );
  const itemIds =
    (
      (await good('GET', '/api/items?limit=50')) as { items?: readonly { id: string }[] }
    ).items?.map(({ id }) => id) ?? [];
  const acknowledged: Acknowledged = createAcknowledged({ itemIds, libraryId, token });

  /** The requests of one fault, all at once; what each said, and whether it counts as done. */
  async function round(tally: FaultTally): Promise<void> {
    const asked = acknowledged.requests(turn++);
    await Promise.all(
      asked.map(async (request) => {
        const { method, route, body } = request;
        const answer = await ask(method, route, body, request.token ?? token).catch(
          (error: unknown) => ({
            status: 0,
            text: String(error),
          }),
        );
        acknowledged.heard(request, answer);
        tally.requests += 1;
        const said = saidBy(answer);
        tally.answers.set(said ?? '?', (tally.answers.get(said ?? '?') ?? 0) + 1);
        if (said === null)
          tally.unclear.push(
            `${method} ${route}: ${answer.status} ${answer.text} at ${plan.struck()?.slice(0, 80)}`,
          );
      }),
    );
  }

  async function one(fault: Fault, tally: FaultTally): Promise<void> {
    if (turn % 3 === 0) await addFilm();
    plan.arm(fault);
    for (let tries = 0; tries < 4 && (tries === 0 || plan.struck() === null); tries++)
      await round(tally);
    const at = plan.struck();
    plan.disarm();
    if (at === null) return;
    tally.faults += 1;
    await clock.advance(31_000);
    const again = await ask('POST', '/api/plugins/keeper/actions/keep', {
      key: 'again',
      value: turn,
    });
    if (again.status !== 200)
      tally.unrecovered.push(`${again.status} ${again.text} after ${at.slice(0, 80)}`);
  }

  return {
    hurt: async (kind, faults) => {
      const tally: FaultTally = {
        ...{ kind, faults: 0, statements: 0, requests: 0 },
        ...{ answers: new Map(), unclear: [], unrecovered: [] },
      };
      for (let at = 0; tally.faults < faults && at < faults * 2; at++) {
        await one({ kind, length: lengths[at % lengths.length] ?? 1 }, tally);
        if (at % 25 === 24) await settle();
      }
      tally.statements = plan.met(kind);
      return tally;
    },
    wrongs: async () => {
      await settle();
      await good('POST', '/api/jobs', { type: 'scan', libraryId });
      await settle();
      const wrongs = [...(await acknowledged.wrongs(good))];
      const uris = new Set<string>();
      let items = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = (await good(
          'GET',
          `/api/items?limit=500${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        )) as unknown as {
          items: readonly { files: readonly { uri: string }[] }[];
          nextCursor: string | null;
        };
        items += page.items.length;
        for (const { files } of page.items) for (const { uri } of files) uris.add(uri);
        cursor = page.nextCursor;
      }
      if (items !== filmNo || uris.size !== filmNo)
        wrongs.push(`${items} items and ${uris.size} files of ${filmNo} films`);
      const { failed } = await counts();
      if (failed > 0) wrongs.push(`${failed} jobs failed for good`);
      const storage = await openReadOnly({ url: config.database, log });
      try {
        wrongs.push(...(await lookThrough(storage.read)).map(({ message }) => message));
      } finally {
        await storage.close();
      }
      return wrongs;
    },
    close: async () => {
      plan.disarm();
      await vitrine.stop('test');
      await tree.remove();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** What an answer said; `null` = neither that it is done nor a clear refusal. */
function saidBy({ status, text }: Answer): string | null {
  if (/sqlite|select |insert |update |delete from/i.test(text)) return null;
  if (status >= 200 && status < 300) return String(status);
  if (status === 0 || status === 500) return null;
  const code = codeIn(text);
  // Of what is asked, only a second scan or backup may be refused for what it is.
  return status === 409 || (status >= 500 && code !== null)
    ? `${status}${code === null ? '' : ` ${code}`}`
    : null;
}

function codeIn(text: string): string | null {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('error' in body)) return null;
    return 'code' in body && typeof body.code === 'string' ? body.code : null;
  } catch {
    return null;
  }
}
