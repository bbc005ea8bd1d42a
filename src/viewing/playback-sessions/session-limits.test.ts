import { describe, expect, test } from 'vitest';
import {
  browser,
  byteConverter,
  openSessions,
  somebody,
  type TestSessions,
} from '../../../test/support/playback/played.ts';
import type { Viewer } from '../../people/viewer/index.ts';
import type { SharedCost } from './session-entry.ts';
import type { WantedSession } from '../../contract/resources/viewing/playback-sessions.ts';

const guest = somebody('guest', 'guest');
const user = somebody('user', 'user');
const admin = somebody('admin', 'admin');
const people = { guest, user, admin };

/** Sessions that leave to a person what they have. */
const beside = { itemId: 'film', client: browser, takesOver: false } as const;
/** Of each kind of place a session that takes one: the types find a kind that is missing here. */
const ways: Readonly<Record<SharedCost, WantedSession>> = {
  remux: beside,
  sound: { ...beside, audio: 'a2' },
  picture: { ...beside, client: { ...browser, maxHeight: 720 } },
};
const kinds = Object.keys(ways) as SharedCost[];

const open = (kind: SharedCost, places: number, reserved = 0): TestSessions =>
  openSessions(byteConverter(), { remux: 0, picture: 0, sound: 0, [kind]: places, reserved });

/** Begins as many sessions as the person gets, of at most ten. */
async function beginAll(sessions: TestSessions, kind: SharedCost, viewer: Viewer): Promise<void> {
  for (let n = 0; n < 10; n += 1) await sessions.create(ways[kind], viewer).catch(() => undefined);
}

/** How many places each of the three has. */
async function shares(sessions: TestSessions) {
  const all = await sessions.list(admin);
  const countOf = ({ userId }: Viewer): number =>
    all.filter((session) => session.userId === userId).length;
  return { guest: countOf(guest), user: countOf(user), admin: countOf(admin) };
}

describe.each(kinds)('the places for sessions (%s)', (kind) => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 4],
  ])('are %d: one person has at most %d, also where others are free', async (places, share) => {
    for (const [name, viewer] of Object.entries(people)) {
      const sessions = open(kind, places);
      await beginAll(sessions, kind, viewer);

      expect(await shares(sessions)).toEqual({ guest: 0, user: 0, admin: 0, [name]: share });
    }
  });

  test.each([
    [1, { guest: 0, user: 0, admin: 1 }],
    [2, { guest: 0, user: 1, admin: 1 }],
    [3, { guest: 0, user: 1, admin: 2 }],
    [4, { guest: 0, user: 2, admin: 2 }],
    [5, { guest: 0, user: 2, admin: 3 }],
  ])('are %d: guests give way to users, and users to admins', async (places, expected) => {
    const sessions = open(kind, places);
    for (const viewer of [guest, user, admin]) await beginAll(sessions, kind, viewer);

    expect(await shares(sessions)).toEqual(expected);
  });

  test.each([
    [1, { guest: 0, user: 0, admin: 1 }],
    [2, { guest: 0, user: 1, admin: 1 }],
    [3, { guest: 0, user: 1, admin: 2 }],
  ])('are %d: nobody gives way to a lower role', async (places, expected) => {
    const sessions = open(kind, places);
    for (const viewer of [admin, user, guest]) await beginAll(sessions, kind, viewer);

    expect(await shares(sessions)).toEqual(expected);
  });

  test('stay with those of the same role who came first', async () => {
    const sessions = open(kind, 2);
    for (const viewer of [user, somebody('other'), somebody('third')])
      await beginAll(sessions, kind, viewer);

    expect((await sessions.list(admin)).map(({ userId }) => userId)).toEqual(['user', 'other']);
  });

  test('are kept for admins where an admin says so', async () => {
    const sessions = open(kind, 4, 3);
    for (const viewer of [guest, somebody('other'), user]) await beginAll(sessions, kind, viewer);
    expect(await shares(sessions)).toEqual({ guest: 0, user: 0, admin: 0 });
    const [first] = await sessions.list(admin);
    expect(first?.userId).toBe('other');
    await expect(sessions.create(ways[kind], user)).rejects.toThrow(
      /keeps 3 of these places for admins/,
    );

    await beginAll(sessions, kind, admin);
    expect(await shares(sessions)).toEqual({ guest: 0, user: 0, admin: 2 });
    expect(await sessions.list(admin)).toHaveLength(3);
  });

  test('are given up first by the lowest role, then by who has most, then by the oldest', async () => {
    const sessions = open(kind, 5);
    const begin = (viewer: Viewer) => sessions.create(ways[kind], viewer);
    const other = somebody('other', 'guest');
    const begun = [];
    for (const viewer of [user, guest, other, other, user]) begun.push(await begin(viewer));

    const ended: (string | undefined)[] = [];
    for (const viewer of [admin, admin, admin, somebody('eve', 'admin')]) {
      const before = (await sessions.list(admin)).map(({ id }) => id);
      await begin(viewer);
      const after = (await sessions.list(admin)).map(({ id }) => id);
      ended.push(before.find((id) => !after.includes(id)));
    }

    expect(ended).toEqual([begun[2], begun[1], begun[3], begun[0]].map((one) => one?.id));
  });

  test('tell who lost one why', async () => {
    const sessions = open(kind, 1);
    const { id } = await sessions.create(ways[kind], guest);
    await sessions.converted(await sessions.use(id, guest));

    await sessions.create(ways[kind], admin);

    const refusal = { code: 'gave_way', fields: { by: 'admin' } };
    await expect(sessions.update(id, { position: 5 }, guest)).rejects.toMatchObject(refusal);
    await expect(sessions.use(id, guest)).rejects.toMatchObject(refusal);
    await expect(sessions.update(id, {}, user)).rejects.toMatchObject({ code: 'not_found' });
    expect(sessions.events.at(-1)).toMatchObject(['transcode.stopped', { cause: 'limit' }]);
  });
});

test('a session that changes how it is played takes a place as a new one does', async () => {
  const limits = { remux: 2, picture: 1, sound: 2, reserved: 0 };
  const sessions = openSessions(byteConverter(), limits);
  const { id: lost } = await sessions.create(ways.picture, guest);
  const { id } = await sessions.create(ways.remux, user);

  await sessions.update(id, { subtitle: 's3' }, user);

  expect((await sessions.list(admin)).map((one) => one.id)).toEqual([id]);
  await expect(sessions.update(lost, {}, guest)).rejects.toMatchObject({ code: 'gave_way' });
});
