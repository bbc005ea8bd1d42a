import { describe, expect, test } from 'vitest';
import { afterReport, isBegun } from './play-state.ts';
import { onTimeline } from './report.ts';
import { timelineOf, type TimelineFile } from './timeline.ts';
import type { PlaybackChange } from '../../contract/resources/viewing/playback.ts';

const file = (id: string, fields: Partial<TimelineFile> = {}): TimelineFile => ({
  id,
  extension: 'mkv',
  edition: null,
  partNumber: null,
  duration: 1000,
  ...fields,
});
const parts = (...durations: readonly (number | null)[]) =>
  durations.map((duration, at) => file(`part ${at + 1}`, { partNumber: at + 1, duration }));

interface Item {
  readonly files: readonly TimelineFile[];
  readonly credits?: readonly number[];
  readonly isAudiobook?: boolean;
  readonly duration?: number;
}

function report(change: PlaybackChange, { files, credits = [], ...item }: Item) {
  const { isAudiobook = false, duration = 0 } = item;
  const line = timelineOf(files, { fileId: change.fileId, isAudiobook });
  return onTimeline(change, { line, credits, duration });
}

describe('the line of an item', () => {
  const lengths = (files: readonly TimelineFile[], fileId?: string, isAudiobook = false) =>
    timelineOf(files, { fileId, isAudiobook }).parts.map(({ id, start }) => [id, start]);

  test('is its numbered parts, one after the other, each number once', () => {
    const files = [...parts(600, 400), file('part 2 again', { partNumber: 2, duration: 390 })];
    expect(lengths(files)).toEqual([
      ['part 1', 0],
      ['part 2', 600],
    ]);
    expect(lengths(files, 'part 2 again')).toEqual([
      ['part 1', 0],
      ['part 2 again', 600],
    ]);
  });

  test('is another one for each edition and each version', () => {
    const files = [file('4k'), file('hd'), file('cut', { edition: "Director's Cut" })];
    expect(lengths(files)).toEqual([['4k', 0]]);
    expect(lengths(files, 'hd')).toEqual([['hd', 0]]);
    expect(lengths(files, 'cut')).toEqual([['cut', 0]]);
    expect(lengths(files, 'a trailer')).toEqual([]);
  });

  test('of an audiobook has all its files of one format', () => {
    const files = [file('1.mp3', { extension: 'mp3' }), file('2.mp3', { extension: 'mp3' })];
    expect(lengths([...files, file('whole.m4b', { extension: 'm4b' })], '1.mp3', true)).toEqual([
      ['1.mp3', 0],
      ['2.mp3', 1000],
    ]);
  });
});

describe('a report on the line', () => {
  test('of a file has what lies before it added, and the sum of the server as duration', () => {
    expect(
      report({ fileId: 'part 2', position: 50, duration: 7 }, { files: parts(600, 400) }),
    ).toEqual({ position: 650, duration: 1000, completed: false });
  });

  test('ignores the duration of a client where the server knows it', () => {
    expect(report({ position: 95, duration: 100 }, { files: parts(600, 400) })).toEqual({
      position: 95,
      duration: 1000,
      completed: false,
    });
  });

  test('takes the duration of the client where a part has none', () => {
    const files = parts(600, null);
    expect(report({ position: 950, duration: 1000 }, { files })).toEqual({
      position: 950,
      duration: 1000,
      completed: true,
    });
    expect(report({ fileId: 'part 2', position: 100, duration: 400 }, { files })).toEqual({
      position: 700,
      duration: 1000,
      completed: false,
    });
    expect(() => report({ fileId: 'part 2', position: 1 }, { files: parts(null, 9) })).toThrow(
      'The duration of a part before file part 2 is not known yet',
    );
  });

  test('is never done at the end of a part that is not the last', () => {
    const files = parts(950, 50);
    expect(report({ fileId: 'part 1', position: 5000, completed: true }, { files })).toEqual({
      position: 950,
      duration: 1000,
      completed: false,
    });
    expect(report({ position: 950 }, { files }).completed).toBe(false);
    expect(report({ fileId: 'part 2', position: 1 }, { files }).completed).toBe(true);
  });

  test('is done at 90 % or where the credits of the last part begin, not those of the opening', () => {
    const item = { files: parts(500, 500), credits: [10, 300, 480] };
    expect(report({ position: 799 }, { ...item, credits: [300] }).completed).toBe(false);
    expect(report({ position: 800 }, { ...item, credits: [300] }).completed).toBe(true);
    expect(report({ position: 899 }, { ...item, credits: [480] }).completed).toBe(false);
    expect(report({ position: 900 }, { ...item, credits: [480] }).completed).toBe(true);
    expect(report({ position: 12 }, { files: [file('a')], credits: [10] }).completed).toBe(false);
  });
});

describe('a state', () => {
  test('is begun after a minute or a fiftieth, what comes first', () => {
    expect(isBegun({ position: 59.9, duration: 7200 })).toBe(false);
    expect(isBegun({ position: 60, duration: 7200 })).toBe(true);
    expect(isBegun({ position: 20, duration: 1000 })).toBe(true);
    expect(isBegun({ position: 19, duration: 1000 })).toBe(false);
    expect(isBegun({ position: 59, duration: 0 })).toBe(false);
  });

  test('counts each play once, also when somebody seeks over its end and back', () => {
    const counts: number[] = [];
    let state: ReturnType<typeof afterReport> | undefined;
    for (const position of [95, 99, 60, 95, 40, 95, 0, 95]) {
      state = afterReport(state, { position, duration: 100, completed: position >= 90 }, 7);
      counts.push(state.play_count);
    }
    expect(counts).toEqual([1, 1, 1, 1, 1, 2, 2, 3]);
  });

  test('keeps the time of the last play when the position goes back to the start', () => {
    const played = afterReport(undefined, { position: 5, duration: 100, completed: false }, 7);
    const back = afterReport(played, { position: 0, duration: 100, completed: false }, 9);
    expect([played.last_played_at, back.last_played_at]).toEqual([7, 7]);
    expect([played.started, back.started]).toEqual([true, false]);
  });
});
