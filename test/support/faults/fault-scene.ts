/**
 * A whole server in this process whose SQLite fails again and again while it scans and serves: what it
 * answers meanwhile, and what is left of what it said it had done. Nothing in it is a fake but the
 * driver's failures; its plugins run in their isolates.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { silentLog, type Log } from '../../../kernel/index.ts';
import { openReadOnly } from '../../../kernel/store/index.ts';
import { checkIntegrity } from '../../../src/operations/integrity/index.ts';
import { writePlugin } from '../../faults/write-plugin.ts';
import { createAcknowledged } from './acknowledged.ts';
import { openErrandPlaces, type ErrandPlaces } from '../errands/errand-places.ts';
import { password } from '../errands/errand.ts';
import { hear, lengthOf, type FaultTally } from './fault-tally.ts';
import { createFaultPlan, type Fault, type FaultPlan } from '../storage/faulty-driver.ts';
import { openHurtServer, type HurtServer, type SentRequest } from './hurt-server.ts';
import { createMovingClock, type MovingClock } from '../identity/moving-clock.ts';
import { createMediaTree } from '../media/media-tree.ts';
import { until } from '../servers/server.ts';

/** A server to hurt. */
export interface FaultScene {
  readonly server: HurtServer;
  readonly plan: FaultPlan;
  readonly clock: MovingClock;
  readonly log: Log;
  readonly places: ErrandPlaces;
  readonly libraryId: string;
  /** So many faults, one after the other, each while requests and jobs are under way. */
  readonly hurt: (tally: FaultTally, faults: number, passes?: number) => Promise<void>;
  /** A new session for the rounds: so much time passes in a scene that the one before may have ended. */
  readonly signIn: () => Promise<void>;
  /** Some requests at once, each of which is promised to be kept; and a moment for the scan. */
  readonly round: (tally: FaultTally) => Promise<void>;
  /** The fault is over: what was late goes on, and what is asked for now is done. */
  readonly recover: (tally: FaultTally) => Promise<void>;
  /** Lets everything that was asked for come to its end. */
  readonly settle: () => Promise<void>;
  /** Tells what is lost, doubled or wrong when all has come to its end: nothing, if all is well. */
  readonly wrongs: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const films = 60;
/** So many texts that have met the fault already may pass before it strikes one of them again. */
const usualPasses = 39;
const pauseMs = 11_000;

const keeper = {
  id: 'keeper',
  permissions: { kv: { quotaMb: 1 } },
  actions: ['keep', 'recall'],
  definition: `actions: {
    keep: async ({ key, value }, host) => { await host.kv.set({ key, value }); return { key }; },
    recall: async ({ key }, host) => ({ value: await host.kv.get({ key }) }),
  }`,
};

/** The films of a library that grows. */
async function openFilms() {
  const tree = await createMediaTree();
  let no = 0;
  const add = async (): Promise<void> => {
    const name = `Film ${no} (${1950 + (no % 70)})`;
    await tree.write(`${no % 10}/${name}/${name}.mkv`);
    if (no % 4 === 0)
      await tree.write(
        `${no % 10}/${name}/${name}.nfo`,
        `<movie><title>Film ${no}</title><actor><name>Actor ${no % 7}</name></actor></movie>`,
      );
    no += 1;
  };
  while (no < films) await add();
  return { path: tree.path, add, count: () => no, remove: tree.remove };
}

/** Opens one with a scanned library, over SQLite in a file. */
export async function openFaultScene(log: Log = silentLog): Promise<FaultScene> {
  const films = await openFilms();
  const data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  await writePlugin(data, keeper);
  const plan = createFaultPlan();
  const clock = createMovingClock();
  const places = await openErrandPlaces(clock);
  const flags = { ...places.flags, library: [`movies:Films:${films.path}`] };
  const server = await openHurtServer({ data, flags, plan, clock, log });

  async function good<Body = object>(
    method: string,
    route: string,
    body?: unknown,
    token?: string,
  ): Promise<Body> {
    const { status, text } = await server.ask({ method, route, body, token });
    if (status >= 300) throw new Error(`${method} ${route}: ${status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Body;
  }

  const counts = async () => {
    type Counts = Readonly<Record<'pending' | 'running' | 'failed', number>>;
    return (await good<{ counts: Counts }>('GET', '/api/jobs?limit=1')).counts;
  };

  /** Time passes, so that what waits for a pause goes on. */
  const settle = (): Promise<void> =>
    until(
      'all jobs are over',
      async () => {
        await clock.advance(pauseMs);
        const { pending, running } = await counts();
        return pending + running === 0;
      },
      60_000,
      50,
    );

  await good('PUT', '/api/plugins/keeper/permissions', { granted: keeper.permissions });
  await good('POST', '/api/users', { name: 'Ada', password, role: 'admin' });
  let token = '';
  const signIn = async (): Promise<void> => {
    const body = { name: 'Ada', password };
    const route = '/api/auth/login';
    token = (await good<{ sessionToken: string }>('POST', route, body)).sessionToken;
  };
  await signIn();
  await server.scanLibraries();
  await settle();
  const { libraries } = await good<{ libraries: readonly { id: string }[] }>(
    'GET',
    '/api/libraries',
  );
  const libraryId = libraries[0]?.id ?? '';
  const { items } = await good<{ items: readonly { id: string }[] }>('GET', '/api/items?limit=50');
  const itemIds = items.map(({ id }) => id);
  const acknowledged = createAcknowledged({ itemIds, libraryId, token: () => token });

  let turn = 0;

  async function round(tally: FaultTally): Promise<void> {
    if (turn % 3 === 0) await films.add();
    const asked = acknowledged.requests(turn++);
    await Promise.all(
      asked.map(async (promise) => {
        const request: SentRequest = { ...promise, token: promise.token ?? token };
        const answer = await server
          .ask(request)
          .catch((error: unknown) => ({ status: 0, text: String(error) }));
        acknowledged.heard(promise, answer);
        hear(tally, { request, answer, at: plan.struck() });
      }),
    );
  }

  async function recover(tally: FaultTally): Promise<void> {
    const at = plan.struck();
    plan.disarm();
    if (at === null) return;
    tally.faults += 1;
    tally.statements = plan.met(tally.kind);
    await clock.advance(pauseMs);
    const body = { key: 'again', value: turn };
    const route = '/api/plugins/keeper/actions/keep';
    const again = await server.ask({ method: 'POST', route, body });
    if (again.status !== 200)
      tally.unrecovered.push(`${again.status} ${again.text} after ${at.slice(0, 80)}`);
  }

  async function one(fault: Fault, tally: FaultTally): Promise<void> {
    plan.arm(fault);
    for (let tries = 0; tries < 40 && (tries < 1 || plan.struck() === null); tries++)
      await round(tally);
    await recover(tally);
  }

  /** How the library differs from its folder. */
  async function strayItems(): Promise<readonly string[]> {
    const uris = new Set<string>();
    let items = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const more: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: ItemsPage = await good(
        'GET',
        `/api/items?libraryId=${libraryId}&limit=500${more}`,
      );
      items += page.items.length;
      for (const { files } of page.items) for (const { uri } of files) uris.add(uri);
      cursor = page.nextCursor;
    }
    const count = films.count();
    if (items === count && uris.size === count) return [];
    return [`${items} items and ${uris.size} files of ${count} films`];
  }

  async function lookedThrough(): Promise<readonly string[]> {
    const storage = await openReadOnly({ url: server.config.database, log });
    try {
      return (await checkIntegrity(storage.read)).map(({ message }) => message);
    } finally {
      await storage.close();
    }
  }

  return {
    ...{ server, plan, clock, log, places, libraryId, signIn, round, recover, settle },
    hurt: async (tally, faults, passes = usualPasses) => {
      const { kind } = tally;
      const wanted = tally.faults + faults;
      await signIn();
      for (let at = 0; tally.faults < wanted && at < faults * 2; at++) {
        await one({ kind, length: lengthOf(at), passes }, tally);
        if (at % 25 === 24) await settle();
      }
    },
    wrongs: async () => {
      await settle();
      await signIn();
      await good('POST', '/api/jobs', { type: 'scan', libraryId });
      await settle();
      const { failed } = await counts();
      return [
        ...(await acknowledged.wrongs(good)),
        ...(await strayItems()),
        ...(failed > 0 ? [`${failed} jobs failed for good`] : []),
        ...(await lookedThrough()),
      ];
    },
    close: async () => {
      plan.disarm();
      await server.stop();
      await Promise.all([films.remove(), places.close()]);
      await rm(data, { recursive: true, force: true });
    },
  };
}

interface ItemsPage {
  readonly items: readonly { readonly files: readonly { readonly uri: string }[] }[];
  readonly nextCursor: string | null;
}
