import { beforeEach, expect, test } from 'vitest';
import { signIn } from '../../../../test/support/people/accounts.ts';
import { openTestPeople, type TestPeople } from '../../../../test/support/people/people.ts';
import type { Profile } from '../../../contract/resources/accounts/profiles.ts';

let people: TestPeople;
let call: TestPeople['call'];
let ada: string;
let ben: string;
let own: string;

beforeEach(async () => {
  people = await openTestPeople();
  ({ call } = people);
  ada = (await people.join('Ada', 'admin')).token;
  ben = (await people.join('Ben')).token;
  const { body } = await call<{ profiles: Profile[] }>('GET /api/profiles', { as: ben });
  own = body.profiles[0]?.id ?? '';
});

interface Answer {
  readonly preferences?: Readonly<Record<string, unknown>>;
  readonly profile?: Profile;
  readonly error?: string;
}

const put = (body: object, id = own, as = ben) =>
  call<Answer>(`PUT /api/profiles/${id}/preferences`, { as, body });
const get = async (id = own, as = ben) =>
  call<Answer>(`GET /api/profiles/${id}/preferences`, { as });

test('are set key by key: others stay, those of clients as they are, and null removes one', async () => {
  expect((await get()).body).toEqual({ preferences: {} });
  const known = {
    locale: 'de-AT',
    theme: 'dark',
    audioLanguages: ['ger', 'en'],
    subtitleLanguages: [],
    subtitleMode: 'auto',
    textSize: 'large',
    autoplayNext: false,
    skipIntro: true,
    homeRows: ['nextUp', 'continue', '-new:0199', 'plugin:@someone/picks:for you'],
  };
  const ofClient = { 'org.example.tv': { grid: [1, { deep: null }] } };

  expect(await put({ ...known, ...ofClient })).toMatchObject({ status: 200 });
  await put({ theme: null, locale: 'en' });

  expect((await get()).body.preferences).toEqual({
    ...known,
    ...ofClient,
    locale: 'en',
    theme: undefined,
  });
});

test('are under `me` those of the profile that asks', async () => {
  const { body } = await call<Answer>('POST /api/profiles', { as: ben, body: { name: 'Kim' } });
  const kim = body.profile?.id ?? '';
  const me = (profile?: string) =>
    call<Answer>('GET /api/profiles/me/preferences', {
      as: ben,
      ...(profile !== undefined && { profile }),
    });
  await put({ theme: 'light' });
  await put({ theme: 'dark' }, kim);

  expect((await me()).body.preferences).toEqual({ theme: 'light' });
  expect((await me(kim)).body.preferences).toEqual({ theme: 'dark' });
});

test('are refused with 400 and the reason', async () => {
  const refusals: readonly (readonly [object, string])[] = [
    [{ theme: 'blue' }, 'body.theme must be one of'],
    [
      { locale: 'German please' },
      'body.locale is not of the right form (Of the interface: BCP 47)',
    ],
    [{ audioLanguages: 'de' }, 'body.audioLanguages must be an array or null.'],
    [{ audioLanguages: ['de', 'de'] }, 'body.audioLanguages must not have an entry twice'],
    [{ skipIntro: 'yes' }, 'body.skipIntro must be a boolean or null.'],
    [{ homeRows: ['<script>'] }, 'body.homeRows.0 must match ^'],
    [{ 'a key': 1 }, 'body: "a key" cannot be a key: up to 100 letters'],
    [{ own: 'x'.repeat(1023) }, 'body.own may have 1024 bytes of JSON.'],
    [{ own: 'ü'.repeat(600) }, 'body.own may have 1024 bytes of JSON.'],
  ];
  for (const [body, error] of refusals)
    expect(await put(body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(error) as string },
    });
});

test('have 64 kB in all', async () => {
  const full = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'x'.repeat(1000)]));
  expect((await put(full(60))).status).toBe(200);
  expect((await put(full(70))).body.error).toBe(
    'The preferences of a profile may have 65536 bytes of JSON in all: remove some first.',
  );
});

test('belong to the user of the profile and to admins, and to nobody without its PIN', async () => {
  const { token: another } = await people.join('Cara');
  expect((await put({ theme: 'dark' }, own, ada)).status).toBe(200);
  expect((await get(own, ada)).body.preferences).toMatchObject({ theme: 'dark' });
  for (const reply of [await get(own, another), await put({}, own, another), await get('nobody')])
    expect(reply.status).toBe(404);

  const body = { name: 'Locked', pin: '1234' };
  const { profile } = (await call<Answer>('POST /api/profiles', { as: ben, body })).body;
  const locked = profile?.id ?? '';
  const { token: elsewhere } = await signIn(people.accounts, 'Ben');
  await call(`POST /api/profiles/${locked}/unlock`, { as: ben, body: { pin: '1234' } });
  expect((await put({ theme: 'dark' }, locked)).status).toBe(200);
  for (const reply of [await get(locked, elsewhere), await put({}, locked, elsewhere)])
    expect(reply).toMatchObject({ status: 403, body: { code: 'profile_locked' } });

  await call(`DELETE /api/profiles/${locked}`, { as: ben });
  const { read } = people.database;
  expect(await read('profile_preferences').where('profile_id', locked)).toEqual([]);
});
