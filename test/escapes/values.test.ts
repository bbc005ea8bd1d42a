/** Values of hostile plugins and packages against the walls that judge them: none passes. */
import { describe, expect, test } from 'vitest';
import { programClasses, serviceClasses, valueClasses } from './corpus/index.ts';

describe('a wall', () => {
  test.each(valueClasses)('lets none of these $name through', async (judged) => {
    const passed: string[] = [];
    for (const [goal, value] of Object.entries(judged.attempts)) {
      if (await judged.wins(value as never)) passed.push(goal);
    }

    expect(passed).toEqual([]);
    expect(await judged.wins(judged.honest as never)).toBe(true);
  });
});

test('the corpus has more than 300 attempts in more than 30 classes', () => {
  const classes = [...programClasses, ...serviceClasses, ...valueClasses];
  const attempts = classes.reduce((sum, one) => sum + Object.keys(one.attempts).length, 0);

  console.log(`the corpus: ${attempts} attempts in ${classes.length} classes`);
  expect(attempts).toBeGreaterThan(300);
  expect(classes.length).toBeGreaterThan(30);
  expect(new Set(classes.map(({ name }) => name)).size).toBe(classes.length);
});
