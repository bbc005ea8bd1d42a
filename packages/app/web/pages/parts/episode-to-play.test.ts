import { describe, expect, test } from 'vitest';
import { episodeToPlay, seasonToPlay } from './episode-to-play.ts';

const episode = (id: number, position: number, completed: boolean) => ({
  id,
  playback: { position, completed, duration: 60, lastPlayedAt: null, playCount: 0 },
});

describe('a show', () => {
  test('goes on with the episode that is begun', () => {
    const episodes = [episode(1, 60, true), episode(2, 0, false), episode(3, 20, false)];
    expect(episodeToPlay(episodes)?.id).toBe(3);
  });

  test('goes on with the first episode that was not watched', () => {
    const episodes = [episode(1, 60, true), episode(2, 0, false), episode(3, 0, false)];
    expect(episodeToPlay(episodes)?.id).toBe(2);
  });

  test('begins with its first episode once all were watched', () => {
    expect(episodeToPlay([episode(1, 60, true), episode(2, 60, true)])?.id).toBe(1);
    expect(
      seasonToPlay([
        { unwatchedCount: 0, id: 1 },
        { unwatchedCount: 0, id: 2 },
      ])?.id,
    ).toBe(1);
  });

  test('does not go on with its extras', () => {
    const extras = { name: 'Extras', unwatchedCount: 3, id: 2 };
    expect(seasonToPlay([{ name: 'Season 1', unwatchedCount: 0, id: 1 }, extras])?.id).toBe(1);
    expect(seasonToPlay([extras])?.id).toBe(2);
  });

  test('goes on in the first season of which an episode is left', () => {
    expect(
      seasonToPlay([
        { unwatchedCount: 0, id: 1 },
        { unwatchedCount: 2, id: 2 },
      ])?.id,
    ).toBe(2);
  });
});
