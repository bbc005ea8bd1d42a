/**
 * A whole server to break into: a victim with canaries in everything that is its own, a library with
 * links that lead out of it, doors on this machine that count who knocks, and the plugins that try.
 */
import { randomBytes } from 'node:crypto';
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { grant } from '../faults/watched-server.ts';
import { writePlugin, type PluginText } from '../faults/write-plugin.ts';
import { startHttpSource, type HttpSource } from '../support/servers/http-source.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';
import type { Burglar, Place } from './corpus/index.ts';

/** The house, and what was found in it. */
export interface House {
  /** Runs a program as a plugin; the answer as text, in which a code stands for an error. */
  readonly run: (by: Burglar, code: string) => Promise<string>;
  /** What the victim has left of its own; `ok` when all of it. */
  readonly loss: () => Promise<string>;
  /** How often somebody knocked where nobody may. */
  readonly knocks: () => number;
  readonly canaries: readonly string[];
  readonly close: () => Promise<void>;
}

const canary = `canary-${randomBytes(16).toString('hex')}`;

const tries = `actions: { try: async ({ code, place }, host) => {
  const won = 'WON';
  try {
    const result = await (0, eval)('(async (host, place, won) => {' + code + '\\n})')(host, place, won);
    return { result: result instanceof Uint8Array ? new TextDecoder().decode(result) : result ?? null };
  } catch (error) {
    return { code: String(error.code), message: String(error.message) };
  }
} }, methods: { 'job.run': () => ({ done: true }), 'schedule.wake': () => null },`;

const field = { key: 'token', label: 'Token', input: 'text', default: canary };

const victim: PluginText = {
  id: 'victim',
  permissions: { kv: { quotaMb: 1 }, textIndex: true, schedule: true, secrets: true },
  actions: ['settle', 'look'],
  further: { configuration: [field] },
  definition: `actions: {
    settle: async (_, host) => {
      await host.kv.set({ key: 'secret', value: ${JSON.stringify(canary)} });
      await host.textIndex.put({ documents: [{ id: 'secret', scope: 'theirs', kind: 'theirs', title: ${JSON.stringify(canary)}, body: 'canary' }] });
      await host.schedule.set({ name: 'theirs', at: Date.now() + 1e9 });
    },
    look: async (_, host) => {
      const found = await host.textIndex.query({ terms: [{ text: 'canary' }], limit: 5 });
      const { wakes } = await host.schedule.list({});
      return [
        (await host.kv.get({ key: 'secret' })) === ${JSON.stringify(canary)} || 'the value is gone',
        found.hits[0]?.title === ${JSON.stringify(canary)} || 'the document is gone',
        (wakes.length === 1 && wakes[0].name === 'theirs') || 'the time is gone',
      ].filter((one) => one !== true).join() || 'ok';
    },
  },`,
};

const burglars = (open: number): Readonly<Record<Burglar, PluginText>> => ({
  burglar: {
    id: 'burglar',
    permissions: {
      files: 'read',
      library: 'write',
      kv: { quotaMb: 1 },
      textIndex: true,
      events: 'emit',
      jobs: ['tidy'],
      schedule: true,
      net: [`127.0.0.1:${open}`, 'elsewhere.invalid'],
      secrets: true,
    },
    actions: ['try'],
    further: { configuration: [{ key: 'colour', label: 'Colour', input: 'text', default: 'blue' }] },
    definition: tries,
  },
  wanderer: {
    id: 'wanderer',
    permissions: { net: ['*'] },
    actions: ['try'],
    definition: tries,
  },
  shelf: {
    id: 'shelf',
    permissions: { disk: 'read' },
    capabilities: ['filesystem'],
    capabilityConfig: {
      filesystem: { supportsWatch: false, supportsLocalFileAccess: true, supportsWrite: false, schemes: ['shelf'] },
    },
    actions: ['try'],
    definition: tries,
  },
  pauper: { id: 'pauper', actions: ['try'], definition: tries },
}); // oxfmt-ignore

/** Builds it; everything is on the loopback and in folders of its own. */
export async function openHouse(): Promise<House> {
  const top = await mkdtemp(path.join(tmpdir(), 'vitrine-house-'));
  const data = path.join(top, 'data');
  const root = await furnish(top);
  const open = await startHttpSource(answerOpenly);
  const ungranted = await startHttpSource((_, response) => response.end(canary));
  const hidden = await countKnocks();
  const plugins = burglars(open.port);
  for (const plugin of [victim, ...Object.values(plugins)]) await writePlugin(data, plugin);
  const allowed = [open, ungranted].flatMap(({ host, port }) => [host, `localhost:${port}`]);
  const args = allowed.flatMap((host) => ['--net-allow', host]);
  const server = await startServer({ data, args });
  for (const { id, permissions } of [victim, ...Object.values(plugins)]) {
    await grant(server, id, permissions);
  }
  await act(server, 'victim', 'settle', {});
  await keepSecret(server, 'victim', { name: 'theirs', hosts: [] });
  await keepSecret(server, 'burglar', { name: 'mine', hosts: [open.host] });
  await keepSecret(server, 'burglar', { name: 'elsewhere', hosts: ['elsewhere.invalid'] });
  const place = await placeOf(server, { root, top, open, ungranted, hidden: hidden.port });

  return {
    canaries: [canary],
    run: async (by, code) => JSON.stringify(await act(server, by, 'try', { code, place })),
    loss: async () => String(await act(server, 'victim', 'look', {})),
    knocks: hidden.knocks,
    close: async () => {
      await server.stop();
      await Promise.all([open.close(), ungranted.close(), hidden.close()]);
      await rm(top, { recursive: true });
    },
  };
}

/** A host that is granted: it leads on, sets a cookie, and gives back what it was sent. */
function answerOpenly({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(url, 'http://a');
  const location = pathname === '/to' ? decodeURIComponent(search.slice(1)) : '/round';
  const mirror = String(headers['x-mirror'] ?? '');
  if (pathname === '/to' || pathname === '/round') response.writeHead(302, { location });
  if (pathname === '/cookie') response.writeHead(200, { 'set-cookie': 'jar=1' });
  if (pathname === '/mirror') response.writeHead(302, { 'x-seen': mirror, location: `/${mirror}` });
  response.end(pathname === '/echo' ? JSON.stringify({ ...headers, url }) : 'open');
}

/** A library with one film, links that lead out of it, and what lies beside it. */
async function furnish(top: string): Promise<string> {
  const [root, outside] = [path.join(top, 'films'), path.join(top, 'outside')];
  for (const folder of [root, outside, `${root}-beside`]) await mkdir(folder, { recursive: true });
  for (const folder of [outside, `${root}-beside`]) {
    await writeFile(path.join(folder, 'canary.txt'), `${canary} in a file of many letters`);
    await writeFile(path.join(folder, 'canary.mkv'), canary);
  }
  await writeFile(path.join(root, 'film.mkv'), 'film of nothing');
  await link(path.join(root, 'film.mkv'), path.join(root, 'same.mkv'));
  await symlink(path.join(outside, 'canary.txt'), path.join(root, 'link.mkv'));
  await symlink(path.join(root, 'link.mkv'), path.join(root, 'chain.mkv'));
  await symlink(outside, path.join(root, 'folder'));
  await symlink('/', path.join(root, 'slash'));
  return root;
}

async function placeOf(
  server: TestServer,
  parts: {
    readonly root: string;
    readonly top: string;
    readonly open: HttpSource;
    readonly ungranted: HttpSource;
    readonly hidden: number;
  },
): Promise<Place> {
  const { root, top, open, ungranted, hidden } = parts;
  const made = await server.request('POST', '/api/libraries', {
    name: 'Films',
    type: 'movies',
    roots: [root],
  });
  const { library } = made.body as { library: { id: string } };
  const uriOf = (name: string): string => pathToFileURL(path.join(top, name)).href;
  return {
    libraryId: library.id,
    root: uriOf('films'),
    outside: uriOf('outside'),
    rootPath: root,
    outsidePath: path.join(top, 'outside'),
    data: uriOf('data'),
    self: server.url,
    open: open.port,
    ungranted: ungranted.port,
    hidden,
  };
}

async function act(
  server: TestServer,
  id: string,
  action: string,
  params: object,
): Promise<unknown> {
  const { status, body } = await server.request(
    'POST',
    `/api/plugins/${id}/actions/${action}`,
    params,
  );
  if (status !== 200)
    throw new Error(`${id} could not ${action}: ${status} ${JSON.stringify(body)}`);
  return (body as { result: unknown }).result;
}

async function keepSecret(
  server: TestServer,
  id: string,
  { name, hosts }: { readonly name: string; readonly hosts: readonly string[] },
): Promise<void> {
  const route = `/api/plugins/${id}/secrets/${name}`;
  const { status, body } = await server.request('PUT', route, { value: canary, hosts });
  if (status !== 200) throw new Error(`${name} was not kept: ${status} ${JSON.stringify(body)}`);
}

interface Door {
  readonly port: number;
  readonly knocks: () => number;
  readonly close: () => Promise<unknown>;
}

/** Listens on every address of this machine, and lets nobody in. */
async function countKnocks(): Promise<Door> {
  let knocks = 0;
  const door: Server = createServer((socket) => {
    knocks += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => door.listen(0, resolve));
  return {
    port: (door.address() as AddressInfo).port,
    knocks: () => knocks,
    close: () => new Promise((resolve) => door.close(resolve)),
  };
}
