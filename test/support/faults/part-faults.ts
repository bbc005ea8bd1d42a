/** Faults of plugins, keys, tasks and sources. */
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openServerKey } from '../../../src/platform/secrets/index.ts';
import { writePlugin } from '../../faults/write-plugin.ts';
import { until } from '../servers/server.ts';
import { createPublisher } from '../plugins/packages.ts';
import { startMarketplaceSite } from '../plugins/marketplace-site.ts';
import { administer, temporaryDatabase } from '../storage/postgres.ts';
import type { ToldFault, ToldServer } from './told-server.ts';

const plugin = (id: string, definition: string, more: object = {}) => ({ id, definition, ...more });

/** Drops a plugin into the data folder, which starts as it asks for nothing. */
async function install({ data, ask }: ToldServer, one: ReturnType<typeof plugin>): Promise<void> {
  await writePlugin(data, one);
  await ask('POST', '/api/plugins/rescan');
}

const starts = (name: string, id: string, definition: string): ToldFault => ({
  name,
  code: 'plugin_given_up',
  subject: id,
  induce: (server) => install(server, plugin(id, definition)),
  heal: ({ ask }) => ask('POST', `/api/plugins/${id}/disable`),
});

const boom = `actions: { boom: () => { throw new Error('boom'); } }`;

export const pluginFaults: readonly ToldFault[] = [
  starts(
    'A plugin throws when it starts',
    'throws',
    `x: (() => { throw new Error('top level boom'); })()`,
  ),
  starts('The code of a plugin is not JavaScript', 'broken', 'this is not JavaScript'),
  starts('A plugin does not end its start', 'hangs', 'x: (() => { for (;;); })()'),
  {
    name: 'A plugin waits for permissions',
    code: 'permissions_pending',
    subject: 'asks',
    induce: (server) =>
      install(server, plugin('asks', '', { permissions: { kv: { quotaMb: 1 } } })),
    heal: ({ ask }) =>
      ask('PUT', '/api/plugins/asks/permissions', { granted: { kv: { quotaMb: 1 } } }),
  },
  {
    name: 'A plugin fails five times in ten minutes',
    code: 'plugin_failing',
    subject: 'fails',
    induce: async (server) => {
      await install(server, plugin('fails', boom, { actions: ['boom'] }));
      const isRunning = async (): Promise<boolean> => {
        const reply = (await server.ask('GET', '/api/plugins/fails')) as {
          plugin?: { state: string };
        };
        return reply.plugin?.state === 'running';
      };
      await until('it runs', isRunning, undefined, 100);
      for (let times = 0; times < 8; times += 1)
        await server.ask('POST', '/api/plugins/fails/actions/boom', {});
    },
  },
];

const keyOf = ({ data }: ToldServer): string => path.join(data, 'server.key');

const lostKey = (name: string, replace: (file: string) => Promise<unknown>): ToldFault => ({
  name,
  code: 'secrets_unreadable',
  induce: async (server) => {
    await server.ask('POST', '/api/webhooks', { name, url: 'http://127.0.0.1:9/hook' });
    await copyFile(keyOf(server), `${keyOf(server)}.kept`);
    await replace(keyOf(server));
    await server.server.restart();
  },
  heal: async (server) => {
    await rename(`${keyOf(server)}.kept`, keyOf(server));
    await server.server.restart();
  },
});

/** The keys of the server after a restore without them. */
export const keyFaults: readonly ToldFault[] = [
  lostKey('server.key is missing', (file) => rm(file)),
  lostKey('server.key is that of another server', async (file) => {
    const other = await mkdtemp(path.join(tmpdir(), 'vitrine-other-'));
    openServerKey({ dataFolder: other, random: randomBytes });
    await rename(path.join(other, 'server.key'), file);
    await rm(other, { recursive: true });
  }),
];

const orphan = 'session-of-nobody';

/** Runs SQL beside the server, and has it check its database. */
async function checkAfter({ data, ask }: ToldServer, sql: string): Promise<void> {
  const database = new DatabaseSync(path.join(data, 'vitrine.db'));
  database.exec(sql);
  database.close();
  await ask('POST', '/api/database/check');
}

/** A check finds a session without its user. */
export const damage: ToldFault = {
  name: 'A check finds faults between the tables',
  code: 'database_damaged',
  induce: (server) =>
    checkAfter(
      server,
      `insert into sessions (id, user_id, token_hash, created_at, last_seen_at, expires_at)
       values ('${orphan}', 'nobody', 'none', '2026', '2026', '2099')`,
    ),
  heal: (server) => checkAfter(server, `delete from sessions where id = '${orphan}'`),
};

/** The address for new versions does not answer. */
export const taskFault: ToldFault = {
  name: 'The address for new versions does not answer',
  code: 'task_failed',
  induce: ({ ask }) => ask('POST', '/api/scheduler/update-check/run'),
};

/** With which settings that fault takes place. */
export const taskFlags = { updateUrl: 'http://127.0.0.1:9', updateKey: 'ab'.repeat(32) };

const dayMs = 24 * 3_600_000;

/** A marketplace source whose index is not signed again. */
export async function openExpiredSource(): Promise<{
  readonly fault: ToldFault;
  readonly close: () => Promise<void>;
}> {
  const site = await startMarketplaceSite('A source');
  const sources = '/api/plugins/marketplace/sources';
  let id = '';
  return {
    close: site.close,
    fault: {
      name: 'The index of a marketplace source has expired',
      code: 'index_expired',
      induce: async ({ ask }) => {
        const code = 'export default {};';
        site.publish(
          { id: 'offer', version: '1.0.0' },
          { signer: createPublisher(), source: code },
        );
        ({ id } = (
          (await ask('POST', sources, { url: site.indexUrl })) as { source: { id: string } }
        ).source);
        site.change(() => ({}), {
          updatedAt: new Date(Date.now() - 20 * dayMs).toISOString(),
          expiresAt: new Date(Date.now() - dayMs).toISOString(),
        });
        await ask('POST', '/api/plugins/marketplace/refresh', {});
      },
      heal: ({ ask }) => ask('DELETE', `${sources}/${id}`),
    },
  };
}

/** PostgreSQL accepts no connections. */
export async function openAwayPostgres(): Promise<{
  readonly url: string;
  readonly fault: ToldFault;
  readonly close: () => Promise<void>;
}> {
  const { url, remove } = await temporaryDatabase();
  const name = new URL(url.replace('@/', '@host/')).pathname.slice(1);
  const allow = (isAllowed: boolean) =>
    administer(`alter database ${name} allow_connections ${isAllowed ? 'true' : 'false'}`);
  return {
    url,
    close: remove,
    fault: {
      name: 'PostgreSQL accepts no connections',
      code: 'database_unreachable',
      induce: async () => {
        await allow(false);
        await administer(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
        );
      },
      heal: () => allow(true),
    },
  };
}
