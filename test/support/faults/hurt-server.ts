/** A whole server in this process over a database that fails when it is told to; it can be started again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import { openStorage } from '../../../kernel/store/index.ts';
import { systemClock, type Clock } from '../../../src/platform/clock.ts';
import { createVitrine, type Vitrine } from '../../../src/compose/index.ts';
import { readConfig, type Config } from '../../../src/platform/config.ts';
import { openServerIdentity } from '../../../src/people/identity/index.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import type { FaultPlan } from '../storage/faulty-driver.ts';
import type { HeardAnswer } from './clear-answer.ts';
import { adminToken } from '../servers/server.ts';

export interface SentRequest {
  readonly method: string;
  readonly route: string;
  readonly body?: unknown;
  /** The admin's unless told; `''` = nobody's. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface HurtServer {
  readonly url: () => string;
  readonly serverId: string;
  readonly config: Config;
  readonly ask: (request: SentRequest) => Promise<HeardAnswer>;
  /** Listens for a moment to what flows without an end. */
  readonly listen: (
    route: string,
    headers: Readonly<Record<string, string>>,
  ) => Promise<HeardAnswer>;
  readonly scanLibraries: () => Promise<void>;
  /** Ends it, and starts it over the same data, at the same address; rejects when it does not come up. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** What it is opened with. */
export interface HurtServerOptions {
  readonly data: string;
  readonly flags: Readonly<Record<string, string | readonly string[]>>;
  readonly plan: FaultPlan;
  /** Time is set ahead all the while, which causes no load. */
  readonly clock: Clock;
  readonly log: Log;
}

const built = {
  folder: path.resolve(import.meta.dirname, '../../../dist'),
  version: packageJson.version,
};
const answerMs = 30_000;
const listenMs = 30;

/** Opens it on a free port. */
export async function openHurtServer(options: HurtServerOptions): Promise<HurtServer> {
  const { data, plan, log } = options;
  const clock = { ...options.clock, ...(systemClock.steady && { steady: systemClock.steady }) };
  const configFor = (port: string): Config =>
    readConfig({
      flags: { watch: 'off', ...options.flags, port, data },
      env: { VITRINE_ADMIN_TOKEN: adminToken },
      cwd: data,
    });
  const create = (port: string): Promise<Vitrine> =>
    createVitrine(configFor(port), built, log, clock, (storage) =>
      openStorage({ ...storage, through: plan.through, patienceMs: 60 }),
    );
  let vitrine = await create('0');
  const { url } = await vitrine.start();
  let isUp = true;

  async function end(): Promise<void> {
    if (isUp) await vitrine.stop('test');
    isUp = false;
  }

  async function restart(): Promise<void> {
    await end();
    vitrine = await create(new URL(url).port);
    isUp = true;
    try {
      await vitrine.start();
    } catch (error) {
      await end();
      throw error;
    }
  }

  const ask: HurtServer['ask'] = async ({ method, route, body, token = adminToken, headers }) => {
    const reply = await fetch(url + route, {
      method,
      headers: {
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMs),
    });
    return { status: reply.status, text: await reply.text() };
  };

  const listen: HurtServer['listen'] = async (route, headers) => {
    const leave = new AbortController();
    const reply = await fetch(url + route, {
      headers: { authorization: `Bearer ${adminToken}`, ...headers },
      signal: leave.signal,
    });
    if (!reply.ok) return { status: reply.status, text: await reply.text() };
    await new Promise((resolve) => setTimeout(resolve, listenMs));
    leave.abort();
    return { status: reply.status, text: '' };
  };

  return {
    url: () => url,
    serverId: openServerIdentity(data).serverId,
    config: configFor('0'),
    ask,
    listen,
    scanLibraries: () => vitrine.scanLibraries(),
    restart,
    stop: end,
  };
}

/** Makes the database of a new server and takes it away again; rejects when it cannot be made. */
export async function openNewServer(
  { plan, clock, log }: Pick<HurtServerOptions, 'plan' | 'clock' | 'log'>,
  data: string,
): Promise<void> {
  const config = readConfig({ flags: { watch: 'off', port: '0', data }, env: {}, cwd: data });
  const vitrine = await createVitrine(config, built, log, clock, (storage) =>
    openStorage({ ...storage, through: plan.through, patienceMs: 60 }),
  );
  await vitrine.stop('test');
}

/** Does something with a folder that is gone afterwards. */
export async function withFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
