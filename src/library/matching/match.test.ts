import { describe, expect, test } from 'vitest';
import {
  leastConfidence,
  matchQuestion,
  parseMatches,
  settleMatch,
  toMatchColumn,
  type Matches,
} from './index.ts';

const heat = { title: 'Heat', match: { id: 'film:1' } };
const manual: Matches = {
  films: { id: 'film:2', manual: true, confidence: null, title: null, matchedAt: 5 },
};
const unmatched: Matches = {
  films: { id: null, manual: true, confidence: null, title: null, matchedAt: 5 },
};

describe('the match of an item', () => {
  test('is what the plugin found, if it is certain enough', () => {
    const settled = settleMatch({}, 'films', { ...heat, confidence: leastConfidence }, 7);

    expect(settled).toEqual({
      isApplied: true,
      matches: {
        films: { id: 'film:1', manual: false, confidence: 0.6, title: 'Heat', matchedAt: 7 },
      },
    });
  });

  test('is stored as a candidate, and not applied, below the least confidence', () => {
    const settled = settleMatch({}, 'films', { ...heat, confidence: 0.59 }, 7);

    expect(settled.isApplied).toBe(false);
    expect(settled.matches).toMatchObject({ films: { id: 'film:1', confidence: 0.59 } });
  });

  test('keeps the time at which it was first made', () => {
    const { matches } = settleMatch({}, 'films', { ...heat, confidence: 1 }, 7);

    expect(settleMatch(matches, 'films', { ...heat, confidence: 1 }, 9).matches).toEqual(matches);
  });

  test('is removed when the plugin no longer knows the item', () => {
    const { matches } = settleMatch({}, 'films', { ...heat, confidence: 1 }, 7);

    expect(settleMatch(matches, 'films', null, 9)).toEqual({ isApplied: false, matches: {} });
  });

  test('is not needed by a plugin that reads tags or sidecars', () => {
    expect(settleMatch({}, 'nfo', { title: 'Heat' }, 7)).toEqual({ isApplied: true, matches: {} });
  });

  test('that a person chose is sent to the plugin, applied at any confidence, and never replaced', () => {
    expect(matchQuestion(manual, 'films')).toEqual({ isAsked: true, match: { id: 'film:2' } });
    expect(settleMatch(manual, 'films', { ...heat, confidence: 0.1 }, 7)).toEqual({
      isApplied: true,
      matches: manual,
    });
    expect(settleMatch(manual, 'films', null, 7).matches).toEqual(manual);
  });

  test('that a person rejected is not made again, and other plugins are still asked', () => {
    expect(matchQuestion(unmatched, 'films')).toEqual({ isAsked: false });
    expect(matchQuestion(unmatched, 'albums')).toEqual({ isAsked: true });
    expect(settleMatch(unmatched, 'films', { ...heat, confidence: 1 }, 7)).toEqual({
      isApplied: false,
      matches: unmatched,
    });
  });

  test('is read from its column unchanged, and invalid ones are dropped', () => {
    expect(parseMatches(toMatchColumn(manual))).toEqual(manual);
    expect(toMatchColumn({})).toBeNull();
    expect(parseMatches(null)).toEqual({});
    expect(parseMatches('[1]')).toEqual({});
    expect(parseMatches('{"films": 1}')).toEqual({});
  });
});
