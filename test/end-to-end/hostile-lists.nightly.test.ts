/**
 * Values of SQL, of patterns, and of no encoding in each parameter of each list: no answer is a fault,
 * nobody is shown what they may not see, and the tables stay as they were. It depends on the database.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMediaTree, type MediaTree } from '../support/media/media-tree.ts';
import { readApiDocument } from '../support/servers/api-document.ts';
import { allItems, firstScansOver } from '../support/servers/scan.ts';
import { startServer, type TestServer } from '../support/servers/server.ts';

const password = 'correct horse battery';
let server: TestServer;
let media: MediaTree;
let data: string;
let token: string;

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** Each list with the parameters of its query. */
async function lists(): Promise<readonly { route: string; names: readonly string[] }[]> {
  const { paths } = JSON.parse(await readApiDocument()) as {
    readonly paths: Readonly<Record<string, { readonly get?: { parameters?: Parameter[] } }>>;
  };
  return Object.entries(paths).flatMap(([route, { get }]) => {
    const names = (get?.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map((one) => one.name);
    return names.length === 0 || route.includes('{') || route === '/api/events'
      ? []
      : [{ route, names }];
  });
}

const cursorOf = (value: unknown): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');
const hostile: readonly string[] = [
  ...["'", "' or 1=1 --", "') or ('1'='1", "'; drop table users; --", '"; drop table items; --'],
  ...[
    "' union select name, password from users --",
    '1;select pg_sleep(9)',
    '$$ || (select 1) || $$',
  ],
  ...['%', '_', '\\', '%%%_%', '\\%', "E'\\\\x00'", '??', '?', ':name', '$1', '{0}', '%s'],
  ...['\0', 'a\0b', '\ud800', '\u{10ffff}', '\ufffe', 'x'.repeat(20_000), '-1', '1e309', '0x7f'],
  ...['9'.repeat(30), 'NaN', 'null', 'title desc', 'title;', '(select 1)', 'id::text', '-title'],
  ...['a OR b', '"a', 'a*', '*', 'NEAR(a b)', 'title:a', 'a AND NOT', '^a', 'a & !b', 'a:*', '<->'],
  ...[
    cursorOf([]),
    cursorOf(["' or 1=1 --", 1]),
    cursorOf({ after: '\0' }),
    cursorOf([null, null]),
  ],
  ...[cursorOf([1e308, '\ud800']), cursorOf('x'.repeat(5000)), '=', '%zz'],
];

beforeAll(async () => {
  media = await createMediaTree(['Canary (1999)/Canary (1999).mkv', 'Second (2001)/Second.mkv']);
  data = await mkdtemp(path.join(tmpdir(), 'vitrine-data-'));
  server = await startServer({ data, args: ['--library', `movies:Films:${media.path}`] });
  await firstScansOver(server);
  const person = { name: 'gast', password, role: 'guest', libraryAccess: [] };
  expect((await server.request('POST', '/api/users', person)).status).toBe(201);
  const login = await server.request('POST', '/api/auth/login', { name: 'gast', password });
  token = (login.body as { readonly sessionToken: string }).sessionToken;
});

afterAll(async () => {
  await server?.stop();
  await media?.remove();
  if (data !== undefined) await rm(data, { recursive: true, force: true });
});

test('no value in a parameter of a list is a fault, or shows a guest what they may not see', async () => {
  const before = (await allItems(server)).map(({ id }) => id).toSorted();
  expect(before).toHaveLength(2);
  const bad: string[] = [];
  for (const { route, names } of await lists())
    for (const name of names)
      for (const value of hostile)
        for (const who of ['admin', 'guest'] as const) {
          const query = `${route}?${encodeURIComponent(name)}=${value === '%zz' ? value : encodeURIComponent(value.toWellFormed())}`;
          const authorization = who === 'admin' ? undefined : `Bearer ${token}`;
          const reply = authorization
            ? await fetch(server.url + query, { headers: { authorization } }).then(async (one) => ({
                status: one.status,
                body: await one.text(),
              }))
            : await server
                .request('GET', query)
                .then(({ status, body }) => ({ status, body: JSON.stringify(body) }))
                .catch(() => ({ status: 0, body: '' }));
          if (reply.status >= 500) bad.push(`${who} ${reply.status} ${query.slice(0, 200)}`);
          if (who === 'guest' && /Canary|Second/.test(reply.body))
            bad.push(`shown ${query.slice(0, 200)}`);
        }

  expect(bad).toEqual([]);
  expect((await allItems(server)).map(({ id }) => id).toSorted()).toEqual(before);
});

test.each(['%', '_', '\\', 'C%y'])('a search for %j finds no title by a pattern', async (q) => {
  const { body } = await server.request('GET', `/api/search?q=${encodeURIComponent(q)}`);

  expect(JSON.stringify(body)).not.toContain('Canary');
});
