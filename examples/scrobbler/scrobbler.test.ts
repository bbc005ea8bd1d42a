/** The scrobbler against fakes of both services. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { namesIn, openScrobbler, type Scrobbling } from './fake-services.ts';

let scrobbling: Scrobbling;

beforeEach(async () => {
  scrobbling = await openScrobbler();
});

afterEach(() => scrobbling.plugin.close());

test('sends what a profile has heard to both of its accounts, signed, with secrets it never sees', async () => {
  const { listenBrainz, lastFm, hear } = scrobbling;
  const title = await hear(0);

  expect(namesIn(listenBrainz)).toEqual([title]);
  expect(namesIn(lastFm)).toEqual([title]);
});

test('sends nothing of a profile without an account, and nothing that is not music', async () => {
  const { plugin, profileId, listenBrainz, lastFm, hear } = scrobbling;
  await hear(0, 'profile-ben');
  const film = plugin.library.items().find(({ metadata }) => 'resolution' in metadata);
  const data = { itemId: film?.id ?? '', profileId, position: 9, duration: 9, completed: true };
  await plugin.event('playback.completed', data);

  expect([listenBrainz.requests, lastFm.requests]).toEqual([0, 0]);
});

test('keeps what was heard while a service is away, and sends it when it is back', async () => {
  const { plugin, listenBrainz, lastFm, hear } = scrobbling;
  lastFm.isAway = true;
  const title = await hear(1);
  expect(namesIn(listenBrainz)).toEqual([title]);
  expect(namesIn(lastFm)).toEqual([]);

  lastFm.isAway = false;
  await plugin.clock.advance(2 * 60_000);

  expect(namesIn(lastFm)).toEqual([title]);
  expect(listenBrainz.has.size).toBe(1);
});
