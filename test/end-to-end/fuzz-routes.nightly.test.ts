/**
 * Thousands of requests that nobody would send in good faith, made up from the OpenAPI document of a
 * real server. `VITRINE_FUZZ_SEED` repeats a run, `VITRINE_FUZZ_COUNT` makes it longer or shorter.
 */
import http from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { createRandom } from '../support/fuzz/random.ts';
import {
  leastOf,
  madeUp,
  operationsOf,
  type FuzzRequest,
  type Operation,
  type Supplies,
} from '../support/fuzz/requests.ts';
import { createMediaTree } from '../support/media/media-tree.ts';
import { rounds } from '../support/run/nightly.ts';
import { jobsOver } from '../support/servers/scan.ts';
import { adminToken, startServer, type TestServer } from '../support/servers/server.ts';

const seed = Number(process.env['VITRINE_FUZZ_SEED'] ?? 20_261_121);
const count = Number(process.env['VITRINE_FUZZ_COUNT'] ?? rounds(30, 10_000));
const atOnce = 12;
const slowestMs = 60_000;

/** Of a server whose plugins are switched off, or that has too much to do. */
const allowed5xx: ReadonlySet<number> = new Set([503]);
/**
 * What a server says when another one, whose address it was given, does not answer, when a request
 * has taken a power away from a built-in or starts it again, or when a plugin is late on a machine that
 * has much to do.
 */
const askedElsewhere =
  /"code":"(?:DOWNLOAD_FAILED|broker_unreachable)"|(?:The plugin was not granted [^"]*|no answer in \d+ ms\.|The plugin ended before it answered\.|took over 30 s\.)","code":"plugin_failed"/;

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

test(
  `${count} hostile requests to every route break no promise of the document`,
  { timeout: 1_200_000 },
  async () => {
    console.log(`Seed ${seed}.`);
    const media = await createMediaTree(['Arrival (2016)/Arrival (2016).mkv', 'Heat (1995).mkv']);
    const library = `movies:Films:${media.path}`;
    const server = await startServer({ args: ['--library', library, '--log-level', 'error'] });
    try {
      await jobsOver(server);
      const all = operationsOf(await server.get('/api/openapi.json'));
      const supplies = { random: createRandom(seed), ...(await cast(server)) };
      const make = (length: number, operations: readonly Operation[]) =>
        Array.from({ length }, () => madeUp({ ...supplies, operations }));
      const last = Math.ceil(count / 20);
      const requests = [
        ...make(
          count - last,
          all.filter((one) => !endsCredentials(one)),
        ),
        ...make(last, all.filter(endsCredentials)),
      ];

      expect(await missingIn(server, all, supplies)).toEqual([]);

      const { faults, statuses } = await sendAll(server, requests);

      const total = [...statuses].sort(([one], [other]) => one - other);
      console.log(total.map(([status, times]) => `${status}: ${times}`).join(', '));
      expect(faults.slice(0, 30)).toEqual([]);
      expect((await server.request('GET', '/api/items')).status).toBe(200);
      // Among few requests chance decides how many are served; among many it does not.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(count < 1000 ? 0 : count / 20);
      expect(statuses.get(400) ?? 0).toBeGreaterThan(count / 20);
    } finally {
      await server.stop();
      await media.remove();
    }
  },
);

/** What routes refuse as missing, though the document does not require it. */
async function missingIn(
  { url }: TestServer,
  operations: readonly Operation[],
  supplies: Omit<Supplies, 'operations'>,
): Promise<readonly string[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const tries = Array.from({ length: rounds(2, 20) }, () =>
    operations.flatMap((operation) => leastOf(supplies, operation)),
  ).flat();
  const replies = await Promise.all(tries.map((one) => send(url, one, agent)));
  agent.destroy();
  return replies.flatMap(({ status, body }, at) => {
    const { method = '', target = '', body: sent } = tries[at] ?? {};
    return status === 400 && / is missing/.test(body)
      ? [`${method} ${target} ${sent}: ${body}`]
      : [];
  });
}

/** Sends them over some connections at once; what is wrong with a reply is told with its request. */
async function sendAll(server: TestServer, requests: readonly FuzzRequest[]) {
  const judge = createJudge([server.data, process.cwd()]);
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });
  const faults: string[] = [];
  const statuses = new Map<number, number>();
  const queue = requests[Symbol.iterator]();

  const work = async (): Promise<void> => {
    for (const request of queue) {
      const reply = await send(server.url, request, agent).catch(String);
      const fault = typeof reply === 'string' ? reply : judge(request, reply);
      if (fault !== null) faults.push(`${fault}\n    ${told(request)}`);
      const status = typeof reply === 'string' ? 0 : reply.status;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
  return { faults, statuses };
}

/** What may end the credentials that the others ask with comes after all others. */
const endsCredentials = ({ method, path }: Operation): boolean =>
  path.startsWith('/api/auth/') && method !== 'GET' && path !== '/api/auth/login';

/** An admin, a user, a guest, nobody, and a liar; and the ids of what there is. */
async function cast(server: TestServer) {
  const credentials: Record<string, string>[] = [
    { authorization: `Bearer ${adminToken}` },
    { authorization: `Bearer ${adminToken}` },
    {},
    { authorization: `Bearer vtk_${'f'.repeat(64)}` },
  ];
  const password = 'correct horse battery';
  for (const role of ['user', 'guest']) {
    const name = `the ${role}`;
    const made = await server.request('POST', '/api/users', { name, password, role });
    expect(made.status).toBe(201);
    const reply = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, password }),
    });
    const { sessionToken } = (await reply.json()) as { readonly sessionToken: string };
    credentials.push({ authorization: `Bearer ${sessionToken}` });
  }
  return { credentials, ids: await idsOf(server) };
}

async function idsOf(server: TestServer): Promise<readonly string[]> {
  const ids = new Set(['poster', 'person', 'movies']);
  for (const route of [
    'libraries',
    'items',
    'plugins',
    'jobs',
    'collections',
    'entities?type=genre',
  ]) {
    const text = JSON.stringify(await server.get(`/api/${route}`));
    for (const [, id] of text.matchAll(/"id":"([^"]{1,100})"/g)) if (id) ids.add(id);
  }
  return [...ids];
}

/** Sends one, and reads the reply to its end, or its headers where it goes on for ever. */
function send(base: string, request: FuzzRequest, agent: http.Agent): Promise<Reply> {
  const { method, target, headers, body } = request;
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const outgoing = http.request(
      { agent, host: hostname, port, method, path: target, headers: { ...headers, ...length } },
      (incoming) => {
        const { statusCode: status = 0, headers: received } = incoming;
        const parts: Buffer[] = [];
        const end = () =>
          resolve({ status, headers: received, body: Buffer.concat(parts).toString() });
        if (received['content-type']?.startsWith('text/event-stream')) {
          incoming.destroy();
          end();
          return;
        }
        incoming
          .on('data', (part: Buffer) => parts.push(part))
          .on('end', end)
          .on('error', reject);
      },
    );
    outgoing.setTimeout(slowestMs, () => outgoing.destroy(new Error('There was no reply.')));
    outgoing.on('error', (error: Error & { readonly code?: string }) => {
      // A body that the server did not read to its end: the reply came, and the connection went.
      // And headers that were too long to tell that they were those of a HEAD.
      const isUnheard = method === 'HEAD' && error.code?.startsWith('HPE_') === true;
      if (isUnheard || error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve(cut);
      else reject(error);
    });
    outgoing.end(body ?? undefined);
  });
}

const cut: Reply = { status: 0, headers: {}, body: '' };

const traces = /\n\s+at |node:internal|node_modules|\.ts:\d+|\.mjs:\d+|SQLITE_|select .+ from /;

/** The formats of the document, as strict as the server means them. */
const formats = {
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  uri: (text: string): boolean => URL.canParse(text),
  'uri-reference': true,
  binary: true,
} as const;

/** Routes by which admins read about the installation, folders and all. */
const showsPaths: ReadonlySet<string> = new Set(['/api/settings', '/api/doctor', '/api/plugins']);

/** Says what is wrong with a reply; `null` = nothing. */
function createJudge(paths: readonly string[]) {
  const ajv = new Ajv2020({ strict: false, formats });
  const known = new Map<object, ValidateFunction>();
  const check = (schema: object): ValidateFunction => {
    const found = known.get(schema) ?? ajv.compile(schema);
    known.set(schema, found);
    return found;
  };

  return ({ operation, method }: FuzzRequest, { status, headers, body }: Reply): string | null => {
    if (status === 0) return null;
    const isElsewhere = status === 502 && askedElsewhere.test(body);
    if (status >= 500 && !isElsewhere && !allowed5xx.has(status))
      return `${status} ${body.slice(0, 300)}`;
    if (status === 503 && headers['retry-after'] === undefined) return '503 without Retry-After.';
    if (traces.test(body)) return `${status} with a trace: ${body.slice(0, 300)}`;
    const at = Math.max(...paths.map((one) => body.indexOf(one)));
    if (at >= 0 && !showsPaths.has(operation.path))
      return `${status} with a path: ${body.slice(Math.max(0, at - 150), at + 150)}`;
    if (headers['x-content-type-options'] !== 'nosniff') return `${status} without nosniff.`;
    if (method === 'HEAD') return body === '' ? null : 'HEAD with a body.';
    const rule = method === operation.method ? ruleFor(operation, status) : failure;
    if (rule === undefined) return `${status} is not in the document.`;
    const type = (headers['content-type'] ?? '').split(';')[0];
    if (type !== 'application/json')
      return body === '' || status < 300 ? null : `${status} as ${type}: ${body.slice(0, 200)}`;
    const schema = rule.content?.['application/json']?.schema;
    if (schema === undefined) return status < 300 ? null : `${status} has no schema.`;
    const validate = check(schema);
    if (validate(JSON.parse(body))) return null;
    return `${status} does not fit: ${ajv.errorsText(validate.errors)} in ${body.slice(0, 300)}`;
  };
}

const failureSchema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' }, code: { type: 'string' } },
  additionalProperties: false,
};
const failure = { content: { 'application/json': { schema: failureSchema } } };

const ruleFor = ({ responses }: Operation, status: number) =>
  responses[status] ?? responses[`${String(status)[0]}XX`];

const told = ({ method, target, headers, body }: FuzzRequest): string =>
  `${method} ${target.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${body?.slice(0, 300) ?? ''}`;
