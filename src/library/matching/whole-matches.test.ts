import { describe, expect, test } from 'vitest';
import { wholeOf } from './whole-matches.ts';

describe('the show or album that a choice counts for', () => {
  test('is the same for all spellings of its name', () => {
    expect(wholeOf({ series: 'The  Café', season: 1 })).toBe(
      wholeOf({ series: 'the cafe', season: 2 }),
    );
    expect(wholeOf({ album: 'Blue', albumArtist: 'Ada' })).toBe(
      wholeOf({ album: 'blue', artist: 'ADA' }),
    );
  });

  test('differs by the year of a show and the artist of an album', () => {
    expect(wholeOf({ series: 'Galaxy', year: 1978 })).not.toBe(
      wholeOf({ series: 'Galaxy', year: 2004 }),
    );
    expect(wholeOf({ album: 'Blue', artist: 'Ada' })).not.toBe(
      wholeOf({ album: 'Blue', artist: 'Ben' }),
    );
  });

  test('is nothing for a film and for values that are not texts', () => {
    expect(wholeOf({ title: 'Heat', year: 1995 })).toBeNull();
    expect(wholeOf({ series: ['x'], album: 7 })).toBeNull();
  });
});
