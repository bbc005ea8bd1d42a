import { expect, test } from 'vitest';
import { openTestPeople } from '../../../test/support/people/people.ts';
import { createAssertRoom } from './room-store.ts';

test('of twenty who take the last places of a license at once, no more get one than there are', async () => {
  const isOverPostgres = process.env['VITRINE_TEST_DATABASE'] === 'postgres';
  const assertRoom = createAssertRoom(isOverPostgres ? 'postgres' : 'sqlite', () => ({
    profiles: 6,
  }));
  const people = await openTestPeople({
    assertRoomForProfile: (trx) => assertRoom('profiles', trx),
  });
  const { token } = await people.join('Ada', 'admin');
  await people.join('Ben');

  const asked = Array.from({ length: 20 }, (_, no) =>
    people.call('POST /api/profiles', { as: token, body: { name: `Profile ${no}` } }),
  );

  const replies = await Promise.all(asked);
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(4);
  const refused = replies.filter(({ status }) => status !== 201);
  for (const { status, body } of refused)
    expect([status, body]).toEqual([409, expect.objectContaining({ current: 6, max: 6 })]);
});
