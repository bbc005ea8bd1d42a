/** Conformance with the sections "Resources and their fields" and "Endpoints": Profile and Invite. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openTestPeople, type TestPeople } from '../support/people/people.ts';

let call: TestPeople['call'];
let admin: string;
let user: string;

beforeEach(async () => {
  const people = await openTestPeople();
  ({ call } = people);
  admin = (await people.join('Ada', 'admin')).token;
  user = (await people.join('Ben')).token;
});

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/) as string;
const picture = 'https://example.org/kids.png';

describe('### Profile', () => {
  test('POST /api/profiles answers {profile} with every field in its type, and no other', async () => {
    const body = {
      name: 'Kids',
      avatarUrl: picture,
      libraryAccess: [{ libraryId: 'films', maxRating: 'PG-13' }],
    };

    const answer = await call('POST /api/profiles', { as: user, body });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      profile: {
        id,
        userId: id,
        name: 'Kids',
        avatarUrl: picture,
        libraryAccess: [{ libraryId: 'films', maxRating: 'PG-13' }],
        isDefault: false,
        hasPin: false,
        createdAt: timestamp,
        updatedAt: timestamp,
      },
    });
  });

  test('POST /api/profiles needs a name alone', async () => {
    expect(await call('POST /api/profiles', { as: user, body: { name: 'Kids' } })).toMatchObject({
      status: 201,
      body: { profile: { name: 'Kids', libraryAccess: null, hasPin: false } },
    });
    expect(await call('POST /api/profiles', { as: user, body: {} })).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  });
});

describe('### Invite', () => {
  test('POST /api/invites takes an empty object and answers {invite, url, externallyReachable}', async () => {
    const answer = await call('POST /api/invites', { as: admin, body: {} });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      invite: {
        id,
        token: expect.any(String),
        role: 'user',
        libraryAccess: null,
        groupIds: [],
        maxUses: 1,
        useCount: 0,
        expiresAt: timestamp,
        createdBy: id,
        createdAt: timestamp,
      },
      url: expect.stringMatching(/^https?:\/\/.+/),
      externallyReachable: false,
    });
  });

  test('POST /api/invites has failures of the form {error}', async () => {
    const answers = [
      await call('POST /api/invites', { as: admin, body: { maxUses: 'many' } }),
      await call('POST /api/invites', { as: admin, body: [] }),
      await call('POST /api/invites', { as: user, body: {} }),
      await call('POST /api/invites', { body: {} }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 403, 401]);
    const forms = answers.map(({ body }) => body);
    const form = { error: expect.any(String) };
    expect(forms).toEqual([form, form, form, { ...form, code: 'token_missing' }]);
  });

  test('libraryAccess is a list of {libraryId, maxRating} and groupIds one of texts', async () => {
    const group = await call<{ group: { id: string } }>('POST /api/groups', {
      as: admin,
      body: { name: 'Family' },
    });
    const body = {
      libraryAccess: [{ libraryId: 'films', maxRating: 'FSK 12' }],
      groupIds: [group.body.group.id],
    };

    expect(await call('POST /api/invites', { as: admin, body })).toMatchObject({
      status: 201,
      body: { invite: body },
    });
  });
});
