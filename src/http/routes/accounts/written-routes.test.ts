/**
 * The routes of people, from their API document, in every run: what `own-writes.nightly.test.ts` and
 * `audited-routes.nightly.test.ts` do to a whole server by night.
 */
import { expect, test } from 'vitest';
import { inOrder, walk, type Walker } from '../../../../test/support/fuzz/own-writes.ts';
import { operationsOf, type Operation } from '../../../../test/support/fuzz/requests.ts';
import { unaudited } from '../../../../test/support/fuzz/unaudited.ts';
import { password, signIn } from '../../../../test/support/people/accounts.ts';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';
import { makePng } from '../../../../test/support/pictures/made-png.ts';

const image = makePng().toString('base64');
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const sets = ({ method }: Operation): boolean => method === 'PUT' || method === 'PATCH';

interface Walk {
  readonly people: TestPeople;
  readonly operations: readonly Operation[];
  readonly walker: Walker;
  /** How long the log was before each request, in order. */
  readonly lengths: number[];
}

/** Somebody who may send what these roles may, over the routes of people alone. */
async function begin(name: string, roles: readonly string[]): Promise<Walk> {
  const people = await openTestPeople();
  const url = await people.app.listen({ port: 0, host: '127.0.0.1' });
  const { user, token } = await people.join(name, name === 'Ada' ? 'admin' : 'user');
  const { user: other } = await people.join('Other');
  const invite = await newInvite(people, token);
  const group = await idOf(people, 'POST /api/groups', token, { name: 'Group' });
  const document = await people.call('GET /api/openapi.json', { as: token });
  const operations = operationsOf(document.body).filter(
    ({ method, role }) => method !== 'GET' && roles.includes(role),
  );
  const { profiles } = (await people.call('GET /api/profiles', { as: token })).body;
  const lengths: number[] = [];
  let counter = 0;
  const walker: Walker = {
    url,
    token: async ({ path }) => {
      lengths.push((await people.audited()).length);
      return path === '/api/auth/logout' ? (await signIn(people.accounts, name)).token : token;
    },
    ids: {
      '/api/profiles': () => (profiles as readonly { readonly id: string }[])[0]?.id ?? '',
      '/api/users': () => other.id,
      '/api/groups': () => group,
      '/api/auth/sessions': async () => {
        const { token: second } = await signIn(people.accounts, name);
        const { sessions } = (await people.call('GET /api/auth/sessions', { as: second })).body;
        const all = sessions as readonly { readonly id: string; readonly isCurrent: boolean }[];
        return all.find(({ isCurrent }) => isCurrent)?.id ?? '';
      },
    },
    fields: {
      name: (operation) => (sets(operation) ? operation.path : `Name ${(counter += 1)}`),
      role: () => 'guest',
      libraryAccess: ({ path }) => (path.startsWith('/api/groups') ? [] : null),
      groupIds: () => [],
      pin: ({ path }) => (path.endsWith('/unlock') ? '1234' : undefined),
      image: () => image,
      token: () => invite,
      currentPassword: () => password,
      newPassword: () => password,
      password: () => password,
    },
  };
  expect(user.name).toBe(name);
  return { people, operations, walker, lengths };
}

async function idOf(people: TestPeople, route: string, as: string, body: object) {
  const reply = await people.call(route, { as, body });
  return (reply.body['group'] as { readonly id: string } | undefined)?.id ?? '';
}

async function newInvite(people: TestPeople, as: string): Promise<string> {
  const { body } = await people.call('POST /api/invites', { as, body: {} });
  return (body['invite'] as { readonly token: string } | undefined)?.token ?? '';
}

test('what a user or a guest sends twice stands in the log once', async () => {
  const { people, operations, walker } = await begin('Kid', ['guest', 'user']);
  const before = (await people.audited()).length;

  const rounds = [await walk(inOrder(operations), walker), await walk(inOrder(operations), walker)];

  const refused = rounds.flatMap((one) => [...one].filter(([, status]) => status >= 300));
  expect(operations.length).toBeGreaterThan(10);
  expect(refused).toEqual([]);
  const entries = (await people.audited()).slice(before);
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.toSorted()).toEqual([...new Set(entries)].sort());
});

/** The entries of each operation of a walk. */
async function entriesOf(one: Walk, operations: readonly Operation[]) {
  one.lengths.length = 0;
  const statuses = await walk(operations, one.walker);
  const ends = [...one.lengths.slice(1), (await one.people.audited()).length];
  const counts = operations.map(
    (operation, at) => [nameOf(operation), (ends[at] ?? 0) - (one.lengths[at] ?? 0)] as const,
  );
  expect([...statuses].filter(([, status]) => status >= 300)).toEqual([]);
  return new Map(counts);
}

test('what an admin changes stands in the log, and what was so already does not', async () => {
  const one = await begin('Ada', ['user', 'admin']);
  const changing = inOrder(one.operations).filter((each) => !(nameOf(each) in unaudited));
  const [setting, others] = [changing.filter(sets), changing.filter((each) => !sets(each))];

  const first = await entriesOf(one, setting);
  const again = await entriesOf(one, setting);
  const rest = await entriesOf(one, others);

  expect([...first, ...rest].filter(([, count]) => count === 0)).toEqual([]);
  expect([...again].filter(([, count]) => count > 0)).toEqual([]);
  expect([first.size, rest.size].every((size) => size > 2)).toBe(true);
});
