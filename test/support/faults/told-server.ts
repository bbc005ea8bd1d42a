/** A whole server in this process, and what each of its parts tells of a fault. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Log } from '../../../kernel/index.ts';
import { examineInstallation } from '../../../src/operations/doctor/index.ts';
import { openDataFolder } from '../../../src/platform/data-folder/index.ts';
import { type ProblemCode } from '../../../src/platform/problems/index.ts';
import { createMovingClock, type MovingClock } from '../identity/moving-clock.ts';
import { until } from '../servers/server.ts';
import { createBrokenDriver, type BrokenDriver } from '../storage/broken-driver.ts';
import { createFaultPlan } from '../storage/faulty-driver.ts';
import { openHurtServer, type HurtServer } from './hurt-server.ts';
import { problemKinds } from '../../../src/contract/resources/operations/operations.ts';

/** What the parts tell of one fault. */
export interface Told {
  readonly health: string;
  readonly notification: string;
  readonly log: string;
  readonly doctor: string;
  readonly metric: string;
}

/** A fault, and how it is induced on a server. */
export interface ToldFault {
  readonly name: string;
  readonly code: ProblemCode;
  /** The id of what has the problem; absent = any. */
  readonly subject?: string;
  readonly induce: (server: ToldServer) => Promise<unknown>;
  /** Absent = it stays until the server ends. */
  readonly heal?: (server: ToldServer) => Promise<unknown>;
}

export interface ToldServer {
  readonly server: HurtServer;
  readonly data: string;
  readonly clock: MovingClock;
  readonly disk: BrokenDriver;
  /** The parsed reply, with any status. */
  readonly ask: (method: string, route: string, body?: unknown) => Promise<unknown>;
  /** Induces a fault, gathers what is told, heals it, and waits until nothing tells of it. */
  readonly tell: (fault: ToldFault) => Promise<Told>;
  readonly close: () => Promise<void>;
}

interface Line {
  readonly problem: unknown;
  readonly text: string;
}

interface Problem {
  readonly subject?: { readonly id: string };
  readonly code: string;
  readonly message: string;
}

interface Notification {
  readonly id: string;
  readonly title: string;
  readonly message: string;
}

const folder = path.resolve(import.meta.dirname, '../../../dist');
const toldMs = 60_000;
const storedMs = 2000;

/** Starts one. */
export async function openToldServer(
  flags: Readonly<Record<string, string | readonly string[]>> = {},
  given: { readonly data?: string; readonly prepare?: (data: string) => Promise<void> } = {},
): Promise<ToldServer> {
  const data = given.data ?? (await mkdtemp(path.join(tmpdir(), 'vitrine-told-')));
  await given.prepare?.(data);
  const held = await openDataFolder(data);
  const lines: Line[] = [];
  const disk = createBrokenDriver();
  const clock = createMovingClock();
  const server = await openHurtServer({
    ...{ data, flags, clock, log: logInto(lines) },
    plan: { ...createFaultPlan(), through: disk.through },
  });

  async function ask(method: string, route: string, body?: unknown): Promise<unknown> {
    const { text } = await server.ask({ method, route, body });
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
  }

  const isBooted = async (): Promise<boolean> => (await health()).status !== 'starting';

  async function health(): Promise<{ status: string; problems: readonly Problem[] }> {
    const told = (await ask('GET', '/api/health')) as { status: string; problems?: Problem[] };
    if (told.problems) return { status: told.status, problems: told.problems };
    const { reasons } = (await ask('GET', '/api/ready')) as { reasons: readonly Problem[] };
    return { status: told.status, problems: reasons };
  }

  const isOf = ({ code, subject }: Pick<ToldFault, 'code' | 'subject'>, one: Problem): boolean =>
    one.code === code && (subject === undefined || one.subject?.id === subject);
  const has = async (fault: ToldFault): Promise<boolean> =>
    (await health()).problems.some((one) => isOf(fault, one));

  async function notifications(query: string): Promise<readonly Notification[]> {
    const reply = (await ask('GET', `/api/notifications?limit=200${query}`)) as {
      notifications?: readonly Notification[];
    };
    return reply.notifications ?? [];
  }

  const examine = async (): Promise<readonly string[]> => {
    const { config } = server;
    const port = Number(new URL(server.url()).port);
    const findings = await examineInstallation({
      config: { ...config, port },
      folder,
      now: clock.now(),
    });
    return findings
      .filter(({ state }) => state !== 'good')
      .map(({ check, what }) => `${check}: ${what.english}`);
  };

  async function metric(code: string): Promise<string> {
    const { status, text } = await server
      .ask({ method: 'GET', route: '/metrics' })
      .catch(() => ({ status: 0, text: '' }));
    if (status === 0) return 'the scrape gets no answer, so `up` is 0';
    if (status !== 200) return `the scrape fails (${status}), so \`up\` is 0`;
    const line = text.split('\n').find((one) => one.startsWith(`vitrine_problems{code="${code}"`));
    return line === undefined ? '' : `\`${line.replace(/ \d+$/, '')}\``;
  }

  /** A notification that began with the fault; it may have to wait until it can be stored. */
  async function newNotification(
    query: string,
    known: ReadonlySet<string>,
    message: string,
  ): Promise<string> {
    const fresh = (await notifications(query)).filter(({ id }) => !known.has(id));
    const own = fresh.find(({ title }) => message.startsWith(title));
    return own === undefined ? '' : `${own.title} ${own.message}`;
  }

  /** What doctor finds on this machine without a fault. */
  let usual: ReadonlySet<string> | null = null;

  async function tell(fault: ToldFault): Promise<Told> {
    const { code, induce, heal } = fault;
    const known = new Set((await notifications('')).map(({ id }) => id));
    usual ??= new Set(await examine());
    const before = usual;
    const from = lines.length;
    await induce(it);
    await until(`${code} is told`, () => has(fault), toldMs, 100);
    const { status, problems } = await health();
    const message = problems.find((one) => isOf(fault, one))?.message ?? '';
    const sooner = await eventually(() => newNotification('&unread', known, message), storedMs);
    const findings = (await examine()).filter((one) => !before.has(one));
    const told = {
      health: `${status}: ${[...new Set(problems.map((one) => `\`${one.code}\``))].join(', ')}`,
      log: lines.slice(from).find(({ problem }) => problem === code)?.text ?? '',
      doctor: findingOf(findings, fault.code, message),
      metric: await metric(code),
    };
    await heal?.(it);
    if (heal) await until(`${code} is over`, async () => !(await has(fault)), toldMs, 100);
    if (sooner === '' && 'isSilent' in problemKinds[code])
      return inWords({ ...told, notification: 'none: it comes and goes' }, data);
    const later =
      sooner === '' ? await eventually(() => newNotification('', known, message), 15_000) : '';
    const notification = later === '' ? sooner : `when it can be stored: ${later}`;
    return inWords({ ...told, notification }, data);
  }

  await until('every plugin started, or failed', isBooted, toldMs, 100);
  const it: ToldServer = {
    ...{ server, data, clock, disk, ask, tell },
    close: async () => {
      disk.set(null);
      await server.stop();
      held.release();
      if (given.data === undefined) await rm(data, { recursive: true, force: true });
    },
  };
  return it;
}

/** What doctor says of the fault itself; of something else that is wrong only if it says nothing of it. */
const findingOf = (findings: readonly string[], code: string, message: string): string =>
  findings.find((one) => one.startsWith(`problem ${code}:`)) ??
  findings.find((one) => message !== '' && one.includes(message)) ??
  findings[0] ??
  '';

async function eventually(ask: () => Promise<string>, withinMs: number): Promise<string> {
  let found = '';
  const isFound = async (): Promise<boolean> => {
    found = await ask().catch(() => '');
    return found !== '';
  };
  await until('a notification', isFound, withinMs, 200).catch(() => undefined);
  return found;
}

function logInto(lines: Line[]): Log {
  const line = (fields: object, text: string): void => {
    lines.push({ problem: 'problem' in fields ? fields.problem : null, text });
  };
  return { debug: () => undefined, info: () => undefined, warn: line, error: line };
}

/** Without folders of this machine, in one line of a table. */
function inWords(told: Told, data: string): Told {
  const plain = (text: string): string =>
    text
      .replaceAll(data, '…')
      .replace(/(file:\/\/)?\/(tmp|dev\/shm)\/[^\s:,]*/g, '…')
      .replace(/127\.0\.0\.1:\d+/g, 'localhost')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
      .replace(/\/api\/plugins\/[^/]+\//g, '/api/plugins/:id/')
      .replaceAll('|', '/')
      .replaceAll('\n', ' ');
  const { health, notification, log, doctor, metric } = told;
  return {
    ...{ health, metric },
    ...{ notification: sentences(plain(notification)), log: sentence(plain(log)) },
    doctor: doctor.startsWith('server:') ? sentences(plain(doctor)) : sentence(plain(doctor)),
  };
}

const sentence = (text: string): string => /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
/** What is wrong, and the cause. */
const sentences = (text: string): string =>
  /^.*?[.!?](?=\s|$)( .*?[.!?](?=\s|$))?/.exec(text)?.[0] ?? text;
