import { describe, expect, test } from 'vitest';
import type { Offer } from '../catalogue/commit/index.ts';
import {
  leastConfidence,
  matchQuestion,
  needsLook,
  parseMatches,
  settleMatch,
  toMatchColumn,
  type MatchAnswer,
  type Matches,
} from './index.ts';

const heat = { title: 'Heat', match: { id: 'film:1' } };
const said = (answer: MatchAnswer['answer'], offers: readonly Offer[] = []): MatchAnswer => ({
  answer,
  offers,
});
const offer = (id: string, confidence: number): Offer => ({
  ...{ id, title: `Heat ${id}`, year: 1995, overview: null, url: null, imageUrl: null },
  confidence,
});
const manual: Matches = {
  films: { id: 'film:2', manual: true, confidence: null, title: null, matchedAt: 5 },
};
const unmatched: Matches = {
  films: { id: null, manual: true, confidence: null, title: null, matchedAt: 5 },
};

describe('the match of an item', () => {
  test('is what the plugin found, if it is certain enough', () => {
    const settled = settleMatch({}, 'films', said({ ...heat, confidence: leastConfidence }), 7);

    expect(settled).toEqual({
      isApplied: true,
      matches: {
        films: { id: 'film:1', manual: false, confidence: 0.6, title: 'Heat', matchedAt: 7 },
      },
    });
  });

  test('is stored as a candidate, and not applied, below the least confidence', () => {
    const settled = settleMatch({}, 'films', said({ ...heat, confidence: 0.59 }), 7);

    expect(settled.isApplied).toBe(false);
    expect(settled.matches).toMatchObject({ films: { id: 'film:1', confidence: 0.59 } });
  });

  test('keeps the time at which it was first made', () => {
    const { matches } = settleMatch({}, 'films', said({ ...heat, confidence: 1 }), 7);

    expect(settleMatch(matches, 'films', said({ ...heat, confidence: 1 }), 9).matches).toEqual(
      matches,
    );
  });

  test('is removed when the plugin no longer knows the item', () => {
    const { matches } = settleMatch({}, 'films', said({ ...heat, confidence: 1 }), 7);

    expect(settleMatch(matches, 'films', said(null), 9)).toEqual({ isApplied: false, matches: {} });
  });

  test('is not needed by a plugin that reads tags or sidecars', () => {
    expect(settleMatch({}, 'nfo', said({ title: 'Heat' }), 7)).toEqual({
      isApplied: true,
      matches: {},
    });
  });

  test('that a person chose is sent to the plugin, applied at any confidence, and never replaced', () => {
    expect(matchQuestion(manual, 'films')).toEqual({ isAsked: true, match: { id: 'film:2' } });
    expect(settleMatch(manual, 'films', said({ ...heat, confidence: 0.1 }), 7)).toEqual({
      isApplied: true,
      matches: manual,
    });
    expect(settleMatch(manual, 'films', said(null), 7).matches).toEqual(manual);
  });

  test('that a person rejected is not made again, and other plugins are still asked', () => {
    expect(matchQuestion(unmatched, 'films')).toEqual({ isAsked: false });
    expect(matchQuestion(unmatched, 'albums')).toEqual({ isAsked: true });
    expect(settleMatch(unmatched, 'films', said({ ...heat, confidence: 1 }), 7)).toEqual({
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

describe('an item of which plugins are not sure what it is', () => {
  const unsure = settleMatch({}, 'films', said(null, [offer('1', 0.97), offer('2', 0.97)]), 7);

  test('keeps its candidates and needs a look, and nothing is applied', () => {
    expect(unsure).toEqual({
      isApplied: false,
      matches: {
        films: {
          ...{ id: '1', manual: false, confidence: 0.5, title: 'Heat 1', matchedAt: 7 },
          candidates: [offer('1', 0.97), offer('2', 0.97)],
        },
      },
    });
    expect(needsLook(unsure.matches)).toBe(true);
    expect(parseMatches(toMatchColumn(unsure.matches))).toEqual(unsure.matches);
  });

  test.each<[string, Matches]>([
    [
      'the plugin is sure later',
      settleMatch(unsure.matches, 'films', said({ ...heat, confidence: 1 }), 8).matches,
    ],
    ['the plugin finds nothing later', settleMatch(unsure.matches, 'films', said(null), 8).matches],
    ['a person chose one', { ...unsure.matches, ...manual }],
    ['a person rejected all', { ...unsure.matches, ...unmatched }],
  ])('needs no look when %s', (_, matches) => {
    expect(needsLook(matches)).toBe(false);
    expect(matches['films']?.candidates).toBeUndefined();
  });

  test('needs no look when another plugin is sure', () => {
    const sure = said({ ...heat, confidence: 1 });

    expect(needsLook(settleMatch(unsure.matches, 'other', sure, 8).matches)).toBe(false);
  });
});
