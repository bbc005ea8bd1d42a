/**
 * Plugins with few grants against the services of a whole server: none reaches what is another's, and
 * the victim has all that is its own when they are done.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Success } from './burglary.ts';
import { serviceClasses } from './corpus/index.ts';
import { openHouse, type House } from './guarded-house.ts';
import { sampleOf } from '../support/run/nightly.ts';

describe('a plugin with few grants', () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(() => house.close());

  test.each(serviceClasses)('does not reach $name', async ({ by, control, attempts }) => {
    expect(await house.run(by, control)).toBe('{"result":"ok"}');
    const successes: Success[] = [];
    for (const [goal, code] of sampleOf(Object.entries(attempts), 8)) {
      const knocks = house.knocks();
      const answer = await house.run(by, code);
      const isWon = [...house.canaries, 'WON'].some((word) => answer.includes(word));
      if (isWon) successes.push({ goal, why: answer.slice(0, 200) });
      if (house.knocks() > knocks) successes.push({ goal, why: 'knocked at a hidden door' });
    }

    expect(successes).toEqual([]);
    expect(await house.loss()).toBe('ok');
  });
});
