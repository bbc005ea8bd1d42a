import { describe, expect, test } from 'vitest';
import type { PluginState } from '../plugin/plugin.ts';
import { nextState, transitions, type PluginMove } from './plugin-states.ts';

/** Every transition that there is; all others are refused. */
const allowed: readonly (readonly [PluginState, PluginMove, PluginState])[] = [
  ['discovered', 'start', 'starting'],
  ['discovered', 'stop', 'stopped'],
  ['starting', 'ready', 'running'],
  ['starting', 'crash', 'starting'],
  ['starting', 'fail', 'failed'],
  ['starting', 'stop', 'stopping'],
  ['running', 'crash', 'starting'],
  ['running', 'fail', 'failed'],
  ['running', 'stop', 'stopping'],
  ['stopping', 'end', 'stopped'],
  ['stopped', 'start', 'starting'],
  ['failed', 'start', 'starting'],
  ['failed', 'stop', 'stopped'],
];

const states: readonly PluginState[] = Object.keys(transitions) as readonly PluginState[];
const moves: readonly PluginMove[] = ['start', 'ready', 'crash', 'fail', 'stop', 'end'];
const refused = states.flatMap((state) =>
  moves
    .filter((move) => !allowed.some(([from, by]) => from === state && by === move))
    .map((move) => [state, move] as const),
);

describe('the lifecycle of a plugin', () => {
  test.each(allowed)('leads from %s by %s to %s', (state, move, next) => {
    expect(nextState(state, move)).toBe(next);
  });

  test.each(refused)('refuses, when %s, to %s', (state, move) => {
    expect(() => nextState(state, move)).toThrow(
      expect.objectContaining({
        code: 'invalid_transition',
        message: expect.stringContaining(`A plugin that is ${state} does not ${move}; it may `),
      }),
    );
  });
});
