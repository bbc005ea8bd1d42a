import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { serverViewer, visibilityOfLibraries, type Viewer } from '../../people/viewer/index.ts';
import { createViewerRateLimit } from './viewer-rate-limit.ts';

const bob: Viewer = { ...serverViewer, userId: 'bob', role: 'user' };
const ada: Viewer = { ...bob, userId: 'ada' };
const keyOfFilms: Viewer = {
  ...serverViewer,
  userId: 'eve',
  visibility: visibilityOfLibraries(['films']),
};

/** How many of so many concurrent calls are allowed. */
function letThrough(
  pace: ReturnType<typeof createViewerRateLimit>,
  viewer: Viewer,
  pluginId: string,
  calls: number,
) {
  return Array.from({ length: calls }).filter(() => {
    try {
      pace.take(viewer, pluginId);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'too_many_requests' });
      return false;
    }
  }).length;
}

describe('calls of a plugin by a user', () => {
  test('are 30 at once and then 10 a second', async () => {
    const clock = createFakeClock();
    const pace = createViewerRateLimit(clock);

    expect(letThrough(pace, bob, 'a', 40)).toBe(30);
    await clock.advance(1000);
    expect(letThrough(pace, bob, 'a', 40)).toBe(10);
    await clock.advance(100);
    expect(letThrough(pace, bob, 'a', 40)).toBe(1);
    await clock.advance(60_000);
    expect(letThrough(pace, bob, 'a', 40)).toBe(30);
  });

  test('are counted for each user and plugin, across profiles and credentials', () => {
    const pace = createViewerRateLimit(createFakeClock());

    expect(letThrough(pace, bob, 'a', 40)).toBe(30);
    expect(letThrough(pace, { ...bob, profileId: 'other', credentialId: 'other' }, 'a', 40)).toBe(
      0,
    );
    expect(letThrough(pace, bob, 'b', 40)).toBe(30);
    expect(letThrough(pace, ada, 'a', 40)).toBe(30);
  });

  test('that were refused are counted for their plugin', () => {
    const pace = createViewerRateLimit(createFakeClock());
    letThrough(pace, bob, 'a', 40);

    expect([pace.turnedAway('a'), pace.turnedAway('b')]).toEqual([10, 0]);
  });

  test('are not limited for admins of the whole server, and are for a key of some libraries', () => {
    const pace = createViewerRateLimit(createFakeClock());

    expect(letThrough(pace, serverViewer, 'a', 500)).toBe(500);
    expect(letThrough(pace, keyOfFilms, 'a', 40)).toBe(30);
  });
});
