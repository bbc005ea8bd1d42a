/** A list that limits allows what it names: an empty one allows nothing, and only `null` everything. */
import { beforeEach, describe, expect, test } from 'vitest';
import { password, signIn } from '../../../../test/support/people/accounts.ts';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';

let people: TestPeople;
let admin: string;
let ben: { readonly id: string; readonly token: string };

beforeEach(async () => {
  people = await openTestPeople();
  admin = (await people.join('Ada', 'admin')).token;
  const { user, token } = await people.join('Ben');
  ben = { id: user.id, token };
});

/** Makes a thing, and fails with the answer of the server. */
async function made(route: string, body: object, as = admin): Promise<Record<string, unknown>> {
  const reply = await people.call(route, { as, body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
}

/** The ids of the libraries that a credential shows; `null` = all. */
async function seen(as: string, profile?: string): Promise<unknown> {
  const asked = { as, ...(profile !== undefined && { profile }) };
  return (await people.call('GET /api/auth/me', asked)).body['libraryIds'];
}

interface Limiting {
  readonly name: string;
  /** Makes it with this in its body, and answers what it shows. */
  readonly shows: (limit: object) => Promise<unknown>;
}

const things: readonly Limiting[] = [
  {
    name: 'a user',
    shows: async (limit) => {
      await made('POST /api/users', { name: 'Cleo', password, ...limit });
      return seen((await signIn(people.accounts, 'Cleo')).token);
    },
  },
  {
    name: 'a change of a user',
    shows: async (limit) => {
      const body = { name: 'Benno', ...limit };
      await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body });
      return seen(ben.token);
    },
  },
  {
    name: 'an invite',
    shows: async (limit) => {
      const { invite } = await made('POST /api/invites', limit);
      const token = (invite as { token: string }).token;
      const person = { name: 'Dora', password };
      const reply = await people.call('POST /api/invites/redeem', { body: { token, ...person } });
      return seen(reply.body['sessionToken'] as string);
    },
  },
  {
    name: 'a profile',
    shows: async (limit) => {
      const { profile } = await made('POST /api/profiles', { name: 'Kids', ...limit }, ben.token);
      return seen(ben.token, (profile as { id: string }).id);
    },
  },
];

describe.each(things)('$name', ({ shows }) => {
  test.each([
    ['an empty list', { libraryAccess: [] }, []],
    ['null', { libraryAccess: null }, null],
    ['no list', {}, null],
    ['a list', { libraryAccess: [{ libraryId: 'films' }] }, ['films']],
  ])('with %s shows what the list says', async (_, limit, libraryIds) => {
    expect(await shows(limit)).toEqual(libraryIds);
  });
});

describe('a key', () => {
  const keyWith = async (scopes: readonly string[] | null | undefined): Promise<string> => {
    const caller = await people.accounts.authenticate({ authorization: `Bearer ${ben.token}` });
    if (!caller) throw new Error('Ben is not signed in.');
    return (await people.accounts.apiKeys.create({ name: 'Key', scopes }, caller.viewer)).token;
  };

  test('with an empty list of scopes opens nothing', async () => {
    const reply = await people.call('GET /api/auth/me', { as: await keyWith([]) });

    expect(reply).toMatchObject({ status: 403, body: { code: 'route_refused' } });
  });

  test.each([undefined, null])('with scopes %s has no limit', async (scopes) => {
    expect(await seen(await keyWith(scopes))).toBeNull();
  });
});

describe('groups', () => {
  const films = [{ libraryId: 'films' }];
  const family = async () =>
    ((await made('POST /api/groups', { name: 'Family', libraryAccess: films }))['group'] as Group)
      .id;
  interface Group {
    readonly id: string;
  }

  test('limit a new user who is made without a list of their own', async () => {
    await made('POST /api/users', { name: 'Cleo', password, groupIds: [await family()] });
    const { token } = await signIn(people.accounts, 'Cleo');
    expect(await seen(token)).toEqual(['films']);
  });

  test('show nothing once a user is in none any more', async () => {
    const url = `PATCH /api/users/${ben.id}`;
    const both = { libraryAccess: [], groupIds: [await family()] };
    await people.call(url, { as: admin, body: both });
    expect(await seen(ben.token)).toEqual(['films']);

    await people.call(url, { as: admin, body: { groupIds: [] } });
    expect(await seen(ben.token)).toEqual([]);
  });

  test('are all that a user sees who saw everything before', async () => {
    const body = { groupIds: [await family()] };
    expect(await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body })).toMatchObject({
      body: { user: { libraryAccess: [] } },
    });
    expect(await seen(ben.token)).toEqual(['films']);
  });

  test('are refused beside everything', async () => {
    const body = { libraryAccess: null, groupIds: [await family()] };
    expect(await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('libraryAccess: null shows every library') },
    });
  });
});

test('a text, a number and an object are refused', async () => {
  for (const libraryAccess of ['', 0, false, {}, [null], ['films']]) {
    const body = { libraryAccess };
    expect(await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body })).toMatchObject({
      status: 400,
    });
  }
});

test('a user of one library that was deleted sees nothing, and not everything', async () => {
  const body = { libraryAccess: [{ libraryId: 'films' }] };
  await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body });
  people.libraries.delete('films');

  expect(await seen(ben.token)).toEqual(['films']);
  expect(await people.call(`PATCH /api/users/${ben.id}`, { as: admin, body })).toMatchObject({
    status: 400,
  });
});
