import { beforeEach, describe, expect, test } from 'vitest';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';
import type { Group } from '../../../contract/resources/accounts/groups.ts';

let people: TestPeople;
let call: TestPeople['call'];
let admin: string;

beforeEach(async () => {
  people = await openTestPeople();
  ({ call } = people);
  admin = (await people.join('Ada', 'admin')).token;
});

const films = { libraryId: 'films', maxRating: 'FSK 12' };

async function make(name: string, libraryAccess: readonly object[] = []): Promise<Group> {
  const body = { name, libraryAccess };
  const answer = await call<{ group: Group }>('POST /api/groups', { as: admin, body });
  expect(answer.status).toBe(201);
  return answer.body.group;
}

describe('groups', () => {
  test('are made, read, changed and removed by admins', async () => {
    const made = await make(' Family ', [films, { libraryId: 'music' }]);
    expect(made).toEqual({
      id: expect.any(String),
      name: 'Family',
      libraryAccess: [films, { libraryId: 'music', maxRating: null }],
      userCount: 0,
      createdAt: '2026-11-21T07:44:53.000Z',
      updatedAt: '2026-11-21T07:44:53.000Z',
    });
    const url = `/api/groups/${made.id}`;

    expect(await call(`GET ${url}`, { as: admin })).toMatchObject({ body: { group: made } });
    const body = { libraryAccess: [films] };
    expect(await call(`PATCH ${url}`, { as: admin, body })).toMatchObject({
      status: 200,
      body: { group: { ...made, libraryAccess: [films] } },
    });
    expect(await call(`DELETE ${url}`, { as: admin })).toMatchObject({ status: 204 });
    expect(await call(`GET ${url}`, { as: admin })).toMatchObject({ status: 404 });
    expect((await people.audited()).filter((action) => action.startsWith('group.'))).toEqual([
      'group.created',
      'group.updated',
      'group.removed',
    ]);
  });

  test('are listed by name, page by page', async () => {
    for (const name of ['cousins', 'Aunts', 'Zebras', 'babies']) await make(name);
    const seen: string[] = [];
    let query = '?limit=3';
    while (query !== '') {
      const { body } = await call<{ groups: Group[]; nextCursor: string | null }>(
        `GET /api/groups${query}`,
        { as: admin },
      );
      seen.push(...body.groups.map(({ name }) => name));
      query = body.nextCursor === null ? '' : `?limit=3&cursor=${body.nextCursor}`;
    }

    expect(seen).toEqual(['Aunts', 'babies', 'cousins', 'Zebras']);
  });

  test('have a unique name', async () => {
    await make('Family');
    const other = await make('Others');
    const taken = {
      status: 409,
      body: { error: expect.stringContaining('named "FAMILY" already') },
    };
    const body = { name: 'FAMILY' };

    expect(await call('POST /api/groups', { as: admin, body })).toMatchObject(taken);
    expect(await call(`PATCH /api/groups/${other.id}`, { as: admin, body })).toMatchObject(taken);
    expect(
      await call(`PATCH /api/groups/${other.id}`, { as: admin, body: { name: 'OTHERS' } }),
    ).toMatchObject({ status: 200 });
  });

  test.each([
    [{ name: 'X', libraryAccess: [{ libraryId: 'attic' }] }, 'libraryAccess.0.libraryId'],
    [
      { name: 'X', libraryAccess: [{ libraryId: 'films', maxRating: 'A' }] },
      'libraryAccess.0.maxRating',
    ],
    [{ name: ' ' }, 'name must be'],
    [{ name: 'X', users: [] }, 'body.users is not a known key'],
  ])('are refused as %j, naming what is wrong', async (body, message) => {
    expect(await call('POST /api/groups', { as: admin, body })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
  });

  test('read a rating of several systems in the country of the server, and say which it is', async () => {
    const libraryAccess = [{ libraryId: 'films', maxRating: 'PG' }];
    const named = [{ libraryId: 'films', maxRating: 'MPAA PG' }];
    const body = { name: 'Kids', libraryAccess };

    expect(await call('POST /api/groups', { as: admin, body })).toMatchObject({
      status: 201,
      body: { group: { libraryAccess: named } },
    });
    expect(await call('POST /api/profiles', { as: admin, body })).toMatchObject({
      body: { profile: { libraryAccess: named } },
    });
  });

  test('stay while a user names them, and say how many users do', async () => {
    const { id } = await make('Family', [films]);
    const { user } = await people.join('Ben');
    const join = (groupIds: readonly string[]) =>
      call(`PATCH /api/users/${user.id}`, { as: admin, body: { groupIds } });
    expect(await join([id, id])).toMatchObject({ body: { user: { groupIds: [id] } } });

    expect(await call(`GET /api/groups/${id}`, { as: admin })).toMatchObject({
      body: { group: { userCount: 1 } },
    });
    expect(await call(`DELETE /api/groups/${id}`, { as: admin })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('used by 1 users and 0 open invites') },
    });
    await join([]);
    expect(await call(`DELETE /api/groups/${id}`, { as: admin })).toMatchObject({ status: 204 });
    expect(await join([id])).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('groupIds.0: there is no group') },
    });
  });

  test('stay while an open invite names them, and not longer', async () => {
    const { id } = await make('Family', [films]);
    await call('POST /api/invites', { as: admin, body: { groupIds: [id] } });
    const remove = () => call(`DELETE /api/groups/${id}`, { as: admin });

    expect(await remove()).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('used by 0 users and 1 open invites') },
    });
    await people.clock.advance(7 * 24 * 60 * 60_000);
    expect(await remove()).toMatchObject({ status: 204 });
  });

  test('add nothing to what a user sees while they are empty', async () => {
    const { id } = await make('Nothing');
    const { user, token } = await people.join('Ben');

    await call(`PATCH /api/users/${user.id}`, { as: admin, body: { groupIds: [id] } });

    expect(await call('GET /api/auth/me', { as: token })).toMatchObject({
      body: { libraryIds: [] },
    });
  });
});
