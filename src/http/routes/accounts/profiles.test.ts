import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KernelError } from '../../../../kernel/index.ts';
import { testByNight } from '../../../../test/support/run/test-by-night.ts';
import { pictureBomb } from '../../../../test/support/media/picture-bomb.ts';
import { startProbe, type SandboxedProbe } from '../../../../test/support/media/sandboxed-probe.ts';
import { makePng, pngChunk } from '../../../../test/support/pictures/made-png.ts';
import { signIn } from '../../../../test/support/people/accounts.ts';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';
import { systemClock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { createSizedPictures } from '../../../viewing/streaming/index.ts';
import type { Profile } from '../../../contract/resources/accounts/profiles.ts';

let people: TestPeople;
let call: TestPeople['call'];
let admin: string;
let ben: string;
let benId: string;

interface One {
  readonly profile: Profile;
  readonly unlockedUntil?: string | null;
  readonly error?: string;
}

beforeEach(async () => {
  people = await openTestPeople();
  ({ call } = people);
  admin = (await people.join('Ada', 'admin')).token;
  const { user, token } = await people.join('Ben');
  [ben, benId] = [token, user.id];
});

async function make(body: object, as = ben): Promise<Profile> {
  const { status, body: answer } = await call<One>('POST /api/profiles', { as, body });
  expect(answer.error).toBeUndefined();
  expect(status).toBe(201);
  return answer.profile;
}

const patch = (id: string, body: object, as = ben, profile?: string) =>
  call<One>(`PATCH /api/profiles/${id}`, { as, body, ...(profile !== undefined && { profile }) });

const unlock = (id: string, pin: string, as = ben) =>
  call<One>(`POST /api/profiles/${id}/unlock`, { as, body: { pin } });

async function own(as = ben): Promise<readonly Profile[]> {
  return (await call<{ profiles: Profile[] }>('GET /api/profiles', { as })).body.profiles;
}

/** Whether a request as that profile gets through the door, and to which libraries. */
const me = (profile?: string, as = ben) =>
  call<{ profileId: string; libraryIds: string[] | null; code?: string }>('GET /api/auth/me', {
    as,
    ...(profile !== undefined && { profile }),
  });

/** A route that is closed to a profile whose PIN was not entered. */
const enter = (profile: string, as = ben) =>
  call(`PATCH /api/profiles/nobody`, { as, profile, body: {} });

describe('profiles', () => {
  test('come with their user: one, the default, under the same name', async () => {
    expect(await own()).toEqual([
      {
        id: expect.any(String),
        userId: benId,
        name: 'Ben',
        avatarUrl: null,
        libraryAccess: null,
        isDefault: true,
        hasPin: false,
        createdAt: '2026-11-21T07:44:53.000Z',
        updatedAt: '2026-11-21T07:44:53.000Z',
      },
    ]);
  });

  test('are made as requested, and are not the default', async () => {
    const libraryAccess = [{ libraryId: 'films', maxRating: 'FSK 12' }, { libraryId: 'music' }];

    const kids = await make({ name: '  Kids ', libraryAccess, pin: '1234' });

    expect(kids).toMatchObject({ name: 'Kids', userId: benId, isDefault: false, hasPin: true });
    expect(kids.libraryAccess).toEqual([
      { libraryId: 'films', maxRating: 'FSK 12' },
      { libraryId: 'music', maxRating: null },
    ]);
    expect((await call<One>(`GET /api/profiles/${kids.id}`, { as: ben })).body.profile).toEqual(
      kids,
    );
    expect(await own()).toHaveLength(2);
  });

  test.each([
    [{}, 'body.name is missing'],
    [{ name: ' ' }, 'name must be 1 to 100 visible characters'],
    [{ name: 'a\u0000b' }, 'name must be 1 to 100 visible characters'],
    [{ name: 'Kids', pin: '123' }, 'body.pin'],
    [{ name: 'Kids', pin: '123456789' }, 'body.pin'],
    [{ name: 'Kids', pin: '١٢٣٤' }, 'body.pin'],
    [{ name: 'Kids', isAdmin: true }, 'body.isAdmin is not a known key'],
    [
      { name: 'Kids', libraryAccess: [{ libraryId: 'films', maxRating: '12' }] },
      'libraryAccess.0.maxRating: "12" is a rating of several systems',
    ],
    [
      { name: 'Kids', libraryAccess: [{ libraryId: 'attic' }] },
      'libraryAccess.0.libraryId: there is no library "attic"',
    ],
  ])('are refused as %j, naming what is wrong', async (body, message) => {
    const answer = await call<One>('POST /api/profiles', { as: ben, body });

    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
  });

  test('are walked through page by page', async () => {
    for (const name of ['A', 'B', 'C']) await make({ name });
    const seen: string[] = [];
    let query = '?limit=2';
    while (query !== '') {
      const { body } = await call<{ profiles: Profile[]; nextCursor: string | null }>(
        `GET /api/profiles${query}`,
        { as: ben },
      );
      seen.push(...body.profiles.map(({ name }) => name));
      query = body.nextCursor === null ? '' : `?limit=2&cursor=${body.nextCursor}`;
    }

    expect(seen).toEqual(['Ben', 'A', 'B', 'C']);
  });

  testByNight('of one user are at most 50', async () => {
    for (let index = 1; index < 50; index++) await make({ name: `P${index}` });

    expect(await call('POST /api/profiles', { as: ben, body: { name: 'P50' } })).toMatchObject({
      status: 409,
      body: { error: 'A user can have 50 profiles.' },
    });
  });

  test('are limited by the license, those that come with users too', async () => {
    let isFull = false;
    const full = await openTestPeople({
      assertRoomForProfile: async () => {
        if (isFull)
          throw new AppError('LICENSE_LIMIT', { kind: 'profiles', current: '2', max: '2' });
      },
    });
    const { token } = await full.join('Ada', 'admin');
    isFull = true;

    const answers = [
      await full.call('POST /api/profiles', { as: token, body: { name: 'Kids' } }),
      await full.call('POST /api/users', {
        as: token,
        body: { name: 'Ben', password: 'correct horse battery' },
      }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    const listed = await full.call<{ users: unknown[] }>('GET /api/users', { as: token });
    expect(listed.body.users).toHaveLength(1);
  });
});

describe('the owner of profiles', () => {
  test('is the only user for whom they exist', async () => {
    const [adas] = await own(admin);
    const id = adas?.id ?? '';

    const answers = [
      await call(`GET /api/profiles/${id}`, { as: ben }),
      await patch(id, { name: 'Mine' }),
      await call(`DELETE /api/profiles/${id}`, { as: ben }),
      await unlock(id, '1234'),
      await call(`GET /api/profiles/${id}/avatar`, { as: ben }),
      await call(`PUT /api/profiles/${id}/avatar`, { as: ben, body: { image: png } }),
      await call('GET /api/auth/me', { as: ben, profile: id }),
    ];

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await own(admin)).toEqual([adas]);
  });

  test('can be set only by an admin', async () => {
    const forBen = { name: 'Kids', userId: benId };
    const adaId = (await own(admin))[0]?.userId;

    expect(
      await call('POST /api/profiles', { as: ben, body: { name: 'X', userId: adaId } }),
    ).toMatchObject({ status: 403 });
    expect(await call(`GET /api/profiles?userId=${adaId}`, { as: ben })).toMatchObject({
      status: 403,
    });
    expect(await make(forBen, admin)).toMatchObject({ userId: benId });
    const { body } = await call<{ profiles: Profile[] }>(`GET /api/profiles?userId=${benId}`, {
      as: admin,
    });
    expect(body.profiles.map(({ name }) => name)).toEqual(['Ben', 'Kids']);
    expect(
      await call('POST /api/profiles', { as: admin, body: { name: 'X', userId: 'nobody' } }),
    ).toMatchObject({ status: 400, body: { error: 'userId: there is no user nobody.' } });
  });

  test('cannot be a guest, who cannot make, change or remove profiles', async () => {
    const { token } = await people.join('Gus', 'guest');
    const id = (await own(token))[0]?.id ?? '';

    expect(await call('POST /api/profiles', { as: token, body: { name: 'X' } })).toMatchObject({
      status: 403,
    });
    expect(await patch(id, { name: 'X' }, token)).toMatchObject({ status: 403 });
    expect(await call(`DELETE /api/profiles/${id}`, { as: token })).toMatchObject({ status: 403 });
  });
});

describe('a PIN', () => {
  test('is stored as a hash that is bound to its profile, and is never shown', async () => {
    const one = await make({ name: 'One', pin: '73912468' });
    const other = await make({ name: 'Other', pin: '73912468' });

    expect(JSON.stringify([one, other])).not.toContain('73912468');
    const dump = await people.dump();
    expect(dump).not.toContain('73912468');
    const rows: { pin_hash: string }[] = await people.database
      .read('profiles')
      .whereNotNull('pin_hash')
      .select('pin_hash');
    expect(new Set(rows.map((row) => row.pin_hash)).size).toBe(2);
    expect(rows[0]?.pin_hash).toMatch(/^\$argon2id\$/);
  });

  test('locks its profile until this credential has entered it, for 12 hours', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    expect(await enter(id)).toMatchObject({ status: 403, body: { code: 'profile_locked' } });

    expect(await unlock(id, '1234')).toMatchObject({
      status: 200,
      body: { profile: { id }, unlockedUntil: '2026-11-21T19:44:53.000Z' },
    });

    expect(await enter(id)).toMatchObject({ status: 404 });
    expect(await me(id)).toMatchObject({ status: 200, body: { profileId: id } });
    await people.clock.advance(12 * 60 * 60_000);
    expect(await enter(id)).toMatchObject({ status: 403, body: { code: 'profile_locked' } });
  });

  test('is entered per credential, so another one must enter it too', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    const { token } = await signIn(people.accounts, 'Ben');

    await unlock(id, '1234');

    expect(await enter(id)).toMatchObject({ status: 404 });
    expect(await enter(id, token)).toMatchObject({ status: 403, body: { code: 'profile_locked' } });
  });

  test('that was entered stays entered after a restart', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    await unlock(id, '1234');

    const again = await openTestPeople({}, people);

    expect(
      await again.call('PATCH /api/profiles/nobody', { as: ben, profile: id, body: {} }),
    ).toMatchObject({ status: 404 });
  });

  test('is not needed to choose a profile: to list them, to read one, to enter it', async () => {
    const [first] = await own();
    const id = first?.id ?? '';
    await patch(id, { pin: '1234' }, admin);

    expect(await enter(id)).toMatchObject({ status: 403 });
    expect(await own()).toHaveLength(1);
    expect(await call(`GET /api/profiles/${id}`, { as: ben })).toMatchObject({ status: 200 });
    expect(await me()).toMatchObject({ status: 200 });
    expect(await unlock(id, '1234')).toMatchObject({ status: 200 });
    expect(await call('POST /api/auth/logout', { as: ben })).toMatchObject({ status: 204 });
  });

  test('are set ten times at once by a user, and then once in five seconds', async () => {
    const { id } = await make({ name: 'Mine' });
    const set = async (): Promise<number> =>
      (await patch(id, { pin: '1234', currentPin: '1234' })).status;
    const statuses = [];
    for (let count = 0; count < 11; count++) statuses.push(await set());
    const next = await patch(id, { pin: '1234', currentPin: '1234' });
    await people.clock.advance(5000);

    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    expect(next).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
    expect([await set(), await set()]).toEqual([200, 429]);
    expect((await patch(id, { pin: '1234' }, admin)).status).toBe(200);
  });

  test('may be wrong five times; then even the right one is refused for 10 minutes', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });

    const wrong = [];
    for (let count = 0; count < 5; count++) wrong.push(await unlock(id, '9999'));
    expect(wrong.map(({ status, body }) => [status, body.error])).toEqual(
      [4, 3, 2, 1, 0].map((left) => [
        403,
        `The PIN is wrong. Tries left before a pause of ten minutes: ${left}.`,
      ]),
    );
    expect(wrong[0]).toMatchObject({ body: { code: 'wrong_pin' } });

    expect(await unlock(id, '1234')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '600' },
      body: { code: 'too_many_attempts' },
    });
    await people.clock.advance(10 * 60_000 - 1);
    expect(await unlock(id, '1234')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
    await people.clock.advance(1);
    expect(await unlock(id, '1234')).toMatchObject({ status: 200 });
  });

  test('cannot be tried more often by concurrent requests, another credential or a restart', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    const { token } = await signIn(people.accounts, 'Ben');
    const before = people.hashes();

    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        unlock(id, `99${10 + index}`, index % 2 ? ben : token),
      ),
    );

    expect(people.hashes() - before).toBe(5);
    expect(tries.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15);
    const again = await openTestPeople({}, people);
    expect(
      await again.call(`POST /api/profiles/${id}/unlock`, { as: ben, body: { pin: '1234' } }),
    ).toMatchObject({ status: 429 });
    expect(await people.audited()).toContain('profile.pin_tries_used_up');
  });

  test('of one profile counts for that profile only', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    const other = await make({ name: 'Other', pin: '4321' });
    for (let count = 0; count < 5; count++) await unlock(id, '9999');

    expect(await unlock(other.id, '4321')).toMatchObject({ status: 200 });
  });

  test('that was entered in time resets the count of tries', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    for (let count = 0; count < 4; count++) await unlock(id, '9999');
    await unlock(id, '1234');

    expect(await unlock(id, '9999')).toMatchObject({
      body: { error: expect.stringContaining('ten minutes: 4.') },
    });
  });

  test('is changed and removed by a user who enters it, whose wrong tries count too', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });

    expect(await patch(id, { pin: '5678' })).toMatchObject({
      status: 403,
      body: { code: 'pin_needed' },
    });
    expect(await patch(id, { pin: null })).toMatchObject({
      status: 403,
      body: { code: 'pin_needed' },
    });
    await unlock(id, '1234');
    expect(await patch(id, { pin: null })).toMatchObject({
      status: 403,
      body: { code: 'pin_needed' },
    });
    expect(await patch(id, { pin: '5678', currentPin: '1234' })).toMatchObject({ status: 200 });
    for (let count = 0; count < 5; count++)
      expect(await patch(id, { pin: null, currentPin: '1234' })).toMatchObject({ status: 403 });
    expect(await patch(id, { pin: null, currentPin: '5678' })).toMatchObject({ status: 429 });
    await people.clock.advance(10 * 60_000);
    expect(await patch(id, { pin: null, currentPin: '5678' })).toMatchObject({
      status: 200,
      body: { profile: { hasPin: false } },
    });
  });

  test('is changed and removed by an admin without entering it', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });

    expect(await patch(id, { pin: '5678' }, admin)).toMatchObject({ status: 200 });
    expect(await unlock(id, '1234')).toMatchObject({ status: 403 });
    expect(await unlock(id, '5678')).toMatchObject({ status: 200 });
    expect(await patch(id, { pin: null }, admin)).toMatchObject({
      body: { profile: { hasPin: false } },
    });
  });

  test('that was changed must be entered again by every credential except the one that changed it', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    const { token } = await signIn(people.accounts, 'Ben');
    await unlock(id, '1234', token);
    expect(await enter(id, token)).toMatchObject({ status: 404 });

    await patch(id, { pin: '5678', currentPin: '1234' });

    expect(await enter(id, token)).toMatchObject({ status: 403, body: { code: 'profile_locked' } });
    expect(await enter(id)).toMatchObject({ status: 404 });
  });

  test('protects all other fields of its profile until it is entered', async () => {
    const { id } = await make({ name: 'Mine', pin: '1234' });
    const image = { as: ben, body: { image: png } };

    expect(await patch(id, { name: 'Yours' })).toMatchObject({
      status: 403,
      body: { code: 'profile_locked' },
    });
    expect(await call(`PUT /api/profiles/${id}/avatar`, image)).toMatchObject({ status: 403 });
    expect(await call(`DELETE /api/profiles/${id}`, { as: ben })).toMatchObject({ status: 403 });
    await unlock(id, '1234');
    expect(await patch(id, { name: 'Yours' })).toMatchObject({ status: 200 });
    expect(await call(`DELETE /api/profiles/${id}`, { as: ben })).toMatchObject({ status: 204 });
  });

  test('is not needed for a profile without one', async () => {
    const { id } = await make({ name: 'Open' });

    expect(await unlock(id, '1234')).toMatchObject({ status: 200, body: { unlockedUntil: null } });
    expect(await enter(id)).toMatchObject({ status: 404 });
  });
});

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64');

describe('the picture of a profile', () => {
  test('is an https address, and nothing else', async () => {
    const { id } = await make({ name: 'Kids', avatarUrl: 'https://example.org/a.png' });
    expect((await own())[1]?.avatarUrl).toBe('https://example.org/a.png');

    for (const avatarUrl of [
      'http://example.org/a.png',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      '//example.org/a.png',
      '/api/profiles/x/avatar',
      'https://ada:secret@example.org/',
      '',
    ])
      expect(await patch(id, { avatarUrl })).toMatchObject({ status: 400 });
    expect(await patch(id, { avatarUrl: null })).toMatchObject({
      body: { profile: { avatarUrl: null } },
    });
  });

  test('is uploaded, and served only as a picture', async () => {
    const { id } = await make({ name: 'Kids' });

    const { body } = await call<One>(`PUT /api/profiles/${id}/avatar`, {
      as: ben,
      body: { image: png },
    });

    const url = body.profile.avatarUrl ?? '';
    expect(url).toMatch(new RegExp(`^/api/profiles/${id}/avatar\\?v=[0-9a-f]{16}$`));
    const reply = await people.app.inject({ url, headers: { authorization: `Bearer ${ben}` } });
    expect(reply.rawPayload.toString('base64')).toBe(png);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '16',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
    });
    const again = await people.app.inject({
      url,
      headers: { authorization: `Bearer ${ben}`, 'if-none-match': String(reply.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(await call(`GET ${url}`)).toMatchObject({ status: 401 });
    expect(await patch(id, { name: 'Kids', avatarUrl: url })).toMatchObject({ status: 200 });
    expect(await call(`GET ${url}`, { as: ben })).toMatchObject({ status: 200 });
  });

  test('that was uploaded is deleted with a new one, and with its profile', async () => {
    const { id } = await make({ name: 'Kids' });
    const put = () => call(`PUT /api/profiles/${id}/avatar`, { as: ben, body: { image: png } });
    const kept = () => people.database.read('profile_avatars').select('profile_id');

    await put();
    await patch(id, { avatarUrl: 'https://example.org/a.png' });
    expect(await kept()).toEqual([]);
    expect(await call(`GET /api/profiles/${id}/avatar`, { as: ben })).toMatchObject({
      status: 404,
    });

    await put();
    expect(await kept()).toHaveLength(1);
    await call(`DELETE /api/profiles/${id}`, { as: ben });
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')],
    ['a page', Buffer.from('<!doctype html><script>1</script>').toString('base64')],
    ['text that is not base64', `${png}\n<script>`],
    ['text that is base64url', png.replace(/=*$/, '').replaceAll('+', '-')],
  ])('is not %s', async (_what, image) => {
    const { id } = await make({ name: 'Kids' });

    expect(
      await call(`PUT /api/profiles/${id}/avatar`, { as: ben, body: { image } }),
    ).toMatchObject({
      status: 400,
      body: { error: 'image must be a JPEG, PNG, GIF, WebP or AVIF picture in base64.' },
    });
  });

  test('is at most 1 MiB', async () => {
    const { id } = await make({ name: 'Kids' });
    const picture = (bytes: number): string =>
      Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(bytes - 16)]).toString('base64');
    const put = (bytes: number) =>
      call(`PUT /api/profiles/${id}/avatar`, { as: ben, body: { image: picture(bytes) } });

    expect(await put(1024 * 1024)).toMatchObject({ status: 200 });
    expect(await put(1024 * 1024 + 1)).toMatchObject({ status: 413 });
    expect(await put(3 * 1024 * 1024)).toMatchObject({ status: 413 });
  });

  test('that was stored before pictures were made again is shown as it is', async () => {
    const { id } = await make({ name: 'Kids' });
    const bytes = Buffer.from(png, 'base64');
    await people.database.write((trx) =>
      trx('profile_avatars').insert({
        ...{ profile_id: id, media_type: 'image/png', hash: 'h', bytes },
      }),
    );

    const reply = await people.app.inject({
      url: `/api/profiles/${id}/avatar`,
      headers: { authorization: `Bearer ${ben}` },
    });

    expect(reply.headers['content-type']).toBe('image/png');
    expect(reply.rawPayload).toEqual(bytes);
  });
});

describe('the picture of a profile, as the plugin pictures makes it', () => {
  let pictures: SandboxedProbe;
  let makes: number;
  beforeAll(async () => {
    pictures = await startProbe('pictures');
  });
  afterAll(() => pictures.stop());
  beforeEach(async () => {
    makes = 0;
    const { make: makePicture } = createSizedPictures({
      call: async (_pluginId, method, input, options) => {
        makes += 1;
        const reply = await pictures.plugin.call(method, input, options?.timeoutMs ?? 20_000);
        if (reply.kind !== 'returned') throw new KernelError('plugin_failed', reply.kind);
        return JSON.parse(String(reply.body));
      },
      providers: () => ['pictures'],
      answersVersionOf: () => 1,
      cache: { read: async () => null, write: async () => undefined },
      clock: systemClock,
    });
    people = await openTestPeople({ makePicture });
    ({ call } = people);
    const { user, token } = await people.join('Ben');
    [ben, benId] = [token, user.id];
  });
  const upload = (id: string, image: Buffer) =>
    call<One>(`PUT /api/profiles/${id}/avatar`, {
      as: ben,
      body: { image: image.toString('base64') },
    });

  test('has at most 512 pixels a row, and nothing else of the file', async () => {
    const { id } = await make({ name: 'Kids' });
    const place = pngChunk('tEXt', Buffer.from('GPS\u000052.1 <script>'));

    const { body } = await upload(id, makePng({ width: 2000, height: 500, after: [place] }));

    const { rawPayload, headers } = await people.app.inject({
      url: body.profile.avatarUrl ?? '',
      headers: { authorization: `Bearer ${ben}` },
    });
    expect(headers['content-type']).toBe('image/webp');
    expect(rawPayload.toString('latin1')).not.toMatch(/GPS|script/);
    // The frame header of VP8 (RFC 6386, 9.1).
    expect([rawPayload.readUInt16LE(26), rawPayload.readUInt16LE(28)]).toEqual([512, 128]);
  });

  test.each([
    ['a PNG of 30,000 pixels a side', pictureBomb(30_000)],
    ['a PNG of 60,000 pixels a side', pictureBomb(60_000)],
    ['a GIF of 65,535 pixels a side', Buffer.from('GIF89a\xff\xff\xff\xff\x00\x00\x00;', 'latin1')],
    ['a JPEG without pixels', Buffer.from('\xff\xd8\xff\xe0\x00\x10JFIF\x00<script>', 'latin1')],
  ])('is not %s', async (_what, image) => {
    const { id } = await make({ name: 'Kids' });

    expect(await upload(id, image)).toMatchObject({
      status: 422,
      body: { code: 'picture_refused' },
    });

    expect(await people.database.read('profile_avatars').select('*')).toEqual([]);
  });

  test('is made for nobody who may not set it', async () => {
    const { id } = await make({ name: 'Kids' });
    const { token } = await people.join('Eve');
    const body = { image: makePng().toString('base64') };

    expect(await call(`PUT /api/profiles/${id}/avatar`, { as: token, body })).toMatchObject({
      status: 404,
    });
    expect(makes).toBe(0);
  });
});

describe('the default profile', () => {
  test('cannot be deleted, until another one is the default', async () => {
    const [first] = await own();
    const { id } = await make({ name: 'Kids' });

    expect(await call(`DELETE /api/profiles/${first?.id}`, { as: ben })).toMatchObject({
      status: 409,
      body: {
        error: 'The default profile cannot be deleted: make another profile the default first.',
      },
    });
    expect(await patch(first?.id ?? '', { isDefault: false })).toMatchObject({ status: 409 });
    expect(await patch(id, { isDefault: true })).toMatchObject({
      body: { profile: { isDefault: true } },
    });
    expect((await own()).map(({ isDefault }) => isDefault)).toEqual([false, true]);
    expect(await me()).toMatchObject({ body: { profileId: id } });
    expect(await call(`DELETE /api/profiles/${first?.id}`, { as: ben })).toMatchObject({
      status: 204,
    });
    expect(await own()).toMatchObject([{ id, isDefault: true }]);
  });

  test('is exactly one, which the database guarantees', async () => {
    await make({ name: 'Kids' });

    const second = people.database.write((trx) => trx('profiles').update({ is_default: 1 }));

    await expect(second).rejects.toThrow(/unique/i);
  });

  test('of an admin sees everything, so that the server can be administered', async () => {
    const [adas] = await own(admin);
    const access = [{ libraryId: 'films' }];
    const message = 'The default profile of an admin must see everything';
    const refused = { status: 400, body: { error: expect.stringContaining(message) } };

    expect(await patch(adas?.id ?? '', { libraryAccess: access }, admin)).toMatchObject(refused);
    const narrow = await make({ name: 'Kids', libraryAccess: access }, admin);
    expect(await patch(narrow.id, { isDefault: true }, admin)).toMatchObject(refused);
    const [bens] = await own();
    await patch(bens?.id ?? '', { libraryAccess: access });
    expect(
      await call(`PATCH /api/users/${benId}`, { as: admin, body: { role: 'admin' } }),
    ).toMatchObject(refused);
    await patch(bens?.id ?? '', { libraryAccess: null }, admin);
    expect(
      await call(`PATCH /api/users/${benId}`, { as: admin, body: { role: 'admin' } }),
    ).toMatchObject({ status: 200 });
  });
});

describe('what a profile sees', () => {
  const limitUser = (body: object) => call(`PATCH /api/users/${benId}`, { as: admin, body });
  const films = [{ libraryId: 'films', maxRating: 'PG-13' }];

  async function sightOf(profile: string) {
    const { visibility } = await people.domain.activeProfiles.resolveProfile({
      userId: benId,
      credentialId: 'any',
      role: 'user',
      requestedProfileId: profile,
    });
    return visibility.libraries && Object.fromEntries(visibility.libraries);
  }

  test('is what its user sees, limited further; both limits of a library apply', async () => {
    await limitUser({ libraryAccess: [...films, { libraryId: 'music' }] });
    const all = await make({ name: 'All' });
    const some = await make({
      name: 'Some',
      libraryAccess: [{ libraryId: 'films', maxRating: 'FSK 12' }],
    });

    expect(await sightOf(all.id)).toEqual({
      films: [[{ system: 'MPAA', label: 'PG-13' }]],
      music: [],
    });
    expect(await sightOf(some.id)).toEqual({
      films: [[{ system: 'MPAA', label: 'PG-13' }], [{ system: 'FSK', label: '12' }]],
    });
  });

  test('is the union of what user and groups allow, in which any limit of a library applies', async () => {
    const access = [{ libraryId: 'films', maxRating: 'FSK 12' }, { libraryId: 'series' }];
    const { body } = await call<{ group: { id: string } }>('POST /api/groups', {
      as: admin,
      body: { name: 'Family', libraryAccess: access },
    });
    await limitUser({ libraryAccess: films, groupIds: [body.group.id] });
    const { id } = await make({ name: 'Kids' });

    expect(await sightOf(id)).toEqual({
      films: [
        [
          { system: 'MPAA', label: 'PG-13' },
          { system: 'FSK', label: '12' },
        ],
      ],
      series: [],
    });
    await limitUser({ libraryAccess: [{ libraryId: 'films' }] });
    expect(await sightOf(id)).toEqual({ films: [], series: [] });
  });

  test('follows every change of user, group and profile with the next request', async () => {
    const { id } = await make({ name: 'Kids' });
    const seen = async () => (await me(id)).body.libraryIds;
    expect(await seen()).toBeNull();

    await limitUser({ libraryAccess: films });
    expect(await seen()).toEqual(['films']);

    const { body } = await call<{ group: { id: string } }>('POST /api/groups', {
      as: admin,
      body: { name: 'Family' },
    });
    await limitUser({ groupIds: [body.group.id], libraryAccess: [] });
    expect(await seen()).toEqual([]);

    const libraryAccess = [{ libraryId: 'music' }, { libraryId: 'series' }];
    await call(`PATCH /api/groups/${body.group.id}`, { as: admin, body: { libraryAccess } });
    expect(await seen()).toEqual(['music', 'series']);

    await patch(id, { libraryAccess: [{ libraryId: 'series' }] });
    expect(await seen()).toEqual(['series']);

    await limitUser({ groupIds: [] });
    expect(await seen()).toEqual([]);
    await call(`DELETE /api/profiles/${id}`, { as: ben });
    expect(await me(id)).toMatchObject({ status: 404 });
  });

  test('is nothing if only a removed library is named, and not everything', async () => {
    await limitUser({ libraryAccess: films });
    const { id } = await make({ name: 'Kids', libraryAccess: films });
    people.libraries.delete('films');

    expect((await me(id)).body.libraryIds).toEqual(['films']);
    expect(await patch(id, { name: 'Children', libraryAccess: films })).toMatchObject({
      status: 200,
    });
    expect((await me(id)).body.libraryIds).toEqual(['films']);
  });

  test('is nothing if a limit is not in the rating tables any longer', async () => {
    const { id } = await make({ name: 'Kids', libraryAccess: films });
    await people.database.write((trx) =>
      trx('profiles')
        .where({ id })
        .update({ library_access: JSON.stringify([{ libraryId: 'films', maxRating: 'gone' }]) }),
    );
    people.domain.activeProfiles.forget();

    expect(await sightOf(id)).toEqual({ films: [[]] });
  });

  test('cannot be widened by its user: a library that the user may not see is refused by name', async () => {
    await limitUser({ libraryAccess: films });
    const message = 'libraryAccess.0: you may not see library "music".';
    const body = { name: 'Kids', libraryAccess: [{ libraryId: 'music' }] };

    expect(await call('POST /api/profiles', { as: ben, body })).toMatchObject({
      status: 403,
      body: { error: message },
    });
    // A library that does not exist gets the same message.
    const unknown = { name: 'Kids', libraryAccess: [{ libraryId: 'attic' }] };
    expect(await call('POST /api/profiles', { as: ben, body: unknown })).toMatchObject({
      status: 403,
      body: { error: message.replace('music', 'attic') },
    });
    const { id } = await make({ name: 'Kids' });
    expect(await patch(id, { libraryAccess: body.libraryAccess })).toMatchObject({ status: 403 });
    expect((await me(id)).body.libraryIds).toEqual(['films']);
  });

  test('cannot be widened by that profile: neither its own, nor through a new profile', async () => {
    const { id } = await make({ name: 'Kids', libraryAccess: films });
    const asKid = (route: string, body: object) => call(route, { as: ben, profile: id, body });
    const wider = [
      null,
      [{ libraryId: 'films' }],
      [{ libraryId: 'films', maxRating: 'R' }],
      [{ libraryId: 'films', maxRating: 'FSK 6' }],
      [...films, { libraryId: 'music' }],
    ];

    for (const libraryAccess of wider) {
      expect(await asKid(`PATCH /api/profiles/${id}`, { libraryAccess })).toMatchObject({
        status: 403,
      });
      expect(await asKid('POST /api/profiles', { name: 'X', libraryAccess })).toMatchObject({
        status: 403,
      });
    }
    for (const libraryAccess of [
      films,
      [{ libraryId: 'films', maxRating: 'PG-13' }],
      [{ libraryId: 'films', maxRating: 'MPAA G' }],
      [],
    ])
      expect(await asKid(`PATCH /api/profiles/${id}`, { libraryAccess })).toMatchObject({
        status: 200,
      });
    // As the default profile, which is not narrow, its user may widen it again.
    expect(await patch(id, { libraryAccess: films })).toMatchObject({ status: 200 });
    expect(await patch(id, { libraryAccess: null })).toMatchObject({ status: 200 });
  });

  test('is set by an admin for every profile', async () => {
    const { id } = await make({ name: 'Kids' });

    expect(await patch(id, { libraryAccess: films }, admin)).toMatchObject({
      body: { profile: { libraryAccess: films } },
    });
    expect(await patch(id, { libraryAccess: [{ libraryId: 'attic' }] }, admin)).toMatchObject({
      status: 400,
      body: { error: 'libraryAccess.0.libraryId: there is no library "attic".' },
    });
  });

  test('names a library once for each limit', async () => {
    const { libraryAccess } = await make({ name: 'Kids', libraryAccess: [...films, ...films] });

    expect(libraryAccess).toEqual(films);
  });
});

describe('a listener for changes of visibility', () => {
  test('receives the user of a changed profile, and all users for a group, but not for names', async () => {
    const told: (string | null)[] = [];
    people.domain.onVisibilityChange((userId) => void told.push(userId));
    const { id } = await make({ name: 'Kids' });

    await patch(id, { name: 'Children', avatarUrl: 'https://example.org/a.png' });
    expect(told).toEqual([]);
    await patch(id, { libraryAccess: [{ libraryId: 'films' }] });
    await patch(id, { pin: '1234' });
    expect(told).toEqual([benId, benId]);
    const { body } = await call<{ group: { id: string } }>('POST /api/groups', {
      as: admin,
      body: { name: 'Family' },
    });
    await call(`PATCH /api/groups/${body.group.id}`, { as: admin, body: { libraryAccess: [] } });
    expect(told).toEqual([benId, benId, null]);
    await call(`DELETE /api/profiles/${id}`, { as: ben });
    expect(told).toEqual([benId, benId, null, benId]);
  });
});

describe('followers of profiles', () => {
  test('are called when profiles are removed, alone or with their user', async () => {
    const removed: string[] = [];
    const watched = await openTestPeople({ onProfileRemoved: (id) => void removed.push(id) });
    const { token } = await watched.join('Ada', 'admin');
    const cleo = await watched.join('Cleo');
    const post = (name: string) =>
      watched.call<One>('POST /api/profiles', { as: cleo.token, body: { name, pin: '1234' } });
    const ids = [(await post('A')).body.profile.id, (await post('B')).body.profile.id];

    await watched.call(`DELETE /api/profiles/${ids[0]}`, { as: token });
    expect(removed).toEqual([ids[0]]);
    await watched.call(`DELETE /api/users/${cleo.user.id}`, { as: token });

    expect(removed).toHaveLength(3);
    expect(removed).toContain(ids[1]);
    expect(await watched.database.read('profiles').where('user_id', cleo.user.id)).toEqual([]);
    expect(await watched.database.read('profile_unlocks').select('*')).toEqual([]);
  });

  test('are recorded in the audit log, without PINs', async () => {
    const { id } = await make({ name: 'Kids', pin: '82736455' });
    await patch(id, { pin: '55463728', currentPin: '82736455', name: 'Children' });
    await call(`DELETE /api/profiles/${id}`, { as: admin });

    expect((await people.audited()).filter((action) => action.startsWith('profile.'))).toEqual([
      'profile.created',
      'profile.updated',
      'profile.removed',
    ]);
    expect(await people.dump()).not.toMatch(/82736455|55463728/);
  });

  test('are not recorded where nothing changed', async () => {
    const { id } = await make({ name: 'Kids' });
    const image = { as: admin, body: { image: png } };
    await call(`PUT /api/profiles/${id}/avatar`, image);
    const before = await people.audited();
    const { avatarUrl } = (await own()).find((one) => one.id === id) ?? {};

    await call(`PUT /api/profiles/${id}/avatar`, image);
    await call(`PATCH /api/profiles/${id}`, { as: admin, body: { name: 'Kids', avatarUrl } });
    await call(`PATCH /api/profiles/${id}`, { as: admin, body: {} });

    expect(await people.audited()).toEqual(before);
  });
});
