import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createGatheredChanges, type Gathered, type LookEnd } from './gathered-changes.ts';

const root = 'file:///films';

/** A gathering whose looks the test counts and answers. */
function gathering(answer: () => LookEnd | Promise<LookEnd> = () => 'begun') {
  const clock = createFakeClock();
  const start = clock.now();
  const looks: { readonly at: number; readonly gathered: Gathered }[] = [];
  const changes = createGatheredChanges({
    clock,
    look: async (gathered) => {
      looks.push({ at: clock.now() - start, gathered });
      return answer();
    },
  });
  const change = (name: string, kind: 'changed' | 'removed' = 'changed') =>
    changes.note(root, [{ uri: `${root}/${name}`, kind }]);
  const times = () => looks.map(({ at }) => at);
  return { clock, looks, changes, change, times };
}

/** What one look was given, as a map of path to kind. */
function shown(gathered: Gathered | undefined): object {
  const { changed, removed } = gathered?.byRoot.get(root) ?? { changed: [], removed: [] };
  return { changed: [...changed], removed: [...removed] };
}

describe('collected changes', () => {
  test('are scanned after a second of quiet, all at once', async () => {
    const { clock, looks, change } = gathering();

    change('a');
    await clock.advance(500);
    change('b');
    await clock.advance(1000);

    expect(looks).toHaveLength(1);
    expect(looks[0]?.at).toBe(1500);
    expect(shown(looks[0]?.gathered)).toEqual({
      changed: [`${root}/a`, `${root}/b`],
      removed: [],
    });
  });

  test('that never end are scanned after three seconds, then at growing intervals', async () => {
    const { clock, change, times } = gathering();

    for (let at = 0; at < 120_000; at += 500) {
      change('copied.mkv');
      await clock.advance(500);
    }

    expect(times().slice(0, 4)).toEqual([3000, 9000, 21_000, 45_000]);
    expect(times().length).toBeLessThan(8);
  });

  test('are scanned soon again after quiet', async () => {
    const { clock, change, times } = gathering();
    for (let at = 0; at < 30_000; at += 500) {
      change('copied.mkv');
      await clock.advance(500);
    }
    await clock.advance(5000);
    const before = times().length;

    for (let at = 0; at < 3500; at += 500) {
      change('other.mkv');
      await clock.advance(500);
    }

    expect(times()).toHaveLength(before + 1);
  });

  test('are kept when a scan cannot start, and scanned a second later with newer ones', async () => {
    const ends: LookEnd[] = ['later', 'begun'];
    const { clock, looks, change, times } = gathering(() => ends.shift() ?? 'begun');

    change('a');
    change('b');
    await clock.advance(1000);
    change('b', 'removed');
    await clock.advance(5000);

    expect(times()).toHaveLength(2);
    expect(shown(looks[1]?.gathered)).toEqual({
      changed: [`${root}/a`],
      removed: [`${root}/b`],
    });
  });

  test('that were lost cause a scan of the whole library, also when that must wait', async () => {
    const ends: LookEnd[] = ['later', 'begun'];
    const { clock, looks, changes, change } = gathering(() => ends.shift() ?? 'begun');

    change('a');
    changes.noteWhole();
    await clock.advance(5000);

    expect(looks.map(({ gathered }) => gathered.isWhole)).toEqual([true, true]);
  });

  test('are too many to keep above ten thousand', async () => {
    const { clock, looks, changes } = gathering();

    const uris = Array.from({ length: 10_001 }, (_, index) => `${root}/${index}`);
    changes.note(
      root,
      uris.map((uri) => ({ uri, kind: 'changed' })),
    );
    await clock.advance(1000);

    expect(looks[0]?.gathered.isWhole).toBe(true);
    expect(looks[0]?.gathered.byRoot.size).toBe(0);
  });

  test('are dropped when the watching ends, without timers left', async () => {
    const { clock, changes, change, times } = gathering();

    change('a');
    changes.stop();
    await clock.advance(60_000);

    expect(times()).toEqual([]);
    expect(clock.timers()).toBe(0);
  });
});
