/**
 * The corpus of escape attempts against real isolates: none may succeed. And the same programs against
 * a plain `node:vm`, where most of them do: a corpus that nothing falls to would prove nothing.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childPids } from '../support/plugins/open-sandboxes.ts';
import { attemptsOf, breakOutOfVm, openPrison, type Prison, type Success } from './burglary.ts';
import { programClasses } from './corpus/index.ts';
import { sampleOf } from '../support/run/nightly.ts';
import { testByNight } from '../support/run/test-by-night.ts';

const atOnce = 6;

describe('programs in an isolate', () => {
  let prison: Prison;
  beforeAll(async () => {
    prison = await openPrison();
  });
  afterAll(async () => {
    await prison.close();
    expect(childPids()).toEqual([]);
  });

  test.each(programClasses)('do not reach anything by $name', async ({ wasm = false, ...rest }) => {
    const waiting = [...sampleOf(attemptsOf(rest), 6)];
    const successes: Success[] = [];
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const why = await prison.hold(one, wasm);
        if (why !== null) successes.push({ goal: one.goal, why });
      }
    };
    await Promise.all(Array.from({ length: wasm ? 2 : atOnce }, work));

    expect(successes).toEqual([]);
  });
});

testByNight(
  'the same programs under a plain node:vm reach what they want, by most of the classes',
  async () => {
    const named = programClasses.flatMap((one) =>
      one.wasm ? [] : attemptsOf(one).map((attempt) => ({ ...attempt, goal: one.name })),
    );

    const successes = await breakOutOfVm(named);

    const fallen = new Set(successes.map(({ goal }) => goal));
    const holding = programClasses.filter(({ name, wasm }) => !wasm && !fallen.has(name));
    console.log(
      `node:vm: ${successes.length} of ${named.length} succeed, in ${fallen.size} classes`,
    );
    expect(holding.map(({ name }) => name)).toEqual(['results that run', 'forged frames']);
    expect(successes.length).toBeGreaterThan(120);
  },
  180_000,
);
