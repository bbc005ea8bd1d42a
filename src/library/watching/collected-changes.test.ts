import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  createChangeCollector,
  type CollectedChanges,
  type ScanStart,
} from './collected-changes.ts';

const root = 'file:///films';

/** A collector whose scans the test counts and answers. */
function collecting(answer: () => ScanStart | Promise<ScanStart> = () => 'begun') {
  const clock = createFakeClock();
  const start = clock.now();
  const scans: { readonly at: number; readonly collected: CollectedChanges }[] = [];
  const changes = createChangeCollector({
    clock,
    startScan: async (collected) => {
      scans.push({ at: clock.now() - start, collected });
      return answer();
    },
  });
  const change = (name: string, kind: 'changed' | 'removed' = 'changed') =>
    changes.note(root, [{ uri: `${root}/${name}`, kind }]);
  const times = () => scans.map(({ at }) => at);
  return { clock, scans, changes, change, times };
}

/** What one scan was given, as a map of path to kind. */
function shown(collected: CollectedChanges | undefined): object {
  const { changed, removed } = collected?.byRoot.get(root) ?? { changed: [], removed: [] };
  return { changed: [...changed], removed: [...removed] };
}

describe('collected changes', () => {
  test('are scanned after a second of quiet, all at once', async () => {
    const { clock, scans, change } = collecting();

    change('a');
    await clock.advance(500);
    change('b');
    await clock.advance(1000);

    expect(scans).toHaveLength(1);
    expect(scans[0]?.at).toBe(1500);
    expect(shown(scans[0]?.collected)).toEqual({
      changed: [`${root}/a`, `${root}/b`],
      removed: [],
    });
  });

  test('that never end are scanned after three seconds, then at growing intervals', async () => {
    const { clock, change, times } = collecting();

    for (let at = 0; at < 120_000; at += 500) {
      change('copied.mkv');
      await clock.advance(500);
    }

    expect(times().slice(0, 4)).toEqual([3000, 9000, 21_000, 45_000]);
    expect(times().length).toBeLessThan(8);
  });

  test('are scanned soon again after quiet', async () => {
    const { clock, change, times } = collecting();
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
    const ends: ScanStart[] = ['later', 'begun'];
    const { clock, scans, change, times } = collecting(() => ends.shift() ?? 'begun');

    change('a');
    change('b');
    await clock.advance(1000);
    change('b', 'removed');
    await clock.advance(5000);

    expect(times()).toHaveLength(2);
    expect(shown(scans[1]?.collected)).toEqual({
      changed: [`${root}/a`],
      removed: [`${root}/b`],
    });
  });

  test('that were lost cause a scan of the whole library, also when that must wait', async () => {
    const ends: ScanStart[] = ['later', 'begun'];
    const { clock, scans, changes, change } = collecting(() => ends.shift() ?? 'begun');

    change('a');
    changes.noteWhole();
    await clock.advance(5000);

    expect(scans.map(({ collected }) => collected.isWhole)).toEqual([true, true]);
  });

  test('are too many to keep above ten thousand', async () => {
    const { clock, scans, changes } = collecting();

    const uris = Array.from({ length: 10_001 }, (_, index) => `${root}/${index}`);
    changes.note(
      root,
      uris.map((uri) => ({ uri, kind: 'changed' })),
    );
    await clock.advance(1000);

    expect(scans[0]?.collected.isWhole).toBe(true);
    expect(scans[0]?.collected.byRoot.size).toBe(0);
  });

  test('are dropped when the watching ends, without timers left', async () => {
    const { clock, changes, change, times } = collecting();

    change('a');
    changes.stop();
    await clock.advance(60_000);

    expect(times()).toEqual([]);
    expect(clock.timers()).toBe(0);
  });
});
