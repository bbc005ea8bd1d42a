import { expect, test } from 'vitest';
import { Refusal } from '../core/api.ts';
import { problemOf } from './problems.ts';

test('a title that is not there, or not for this person, is neither converted nor downloaded', () => {
  for (const status of [403, 404])
    expect(problemOf(new Refusal(status, 'There is none.'), 'auto').waysOut).toEqual(['retry']);
});

test('what a browser cannot play is offered converted, elsewhere and as a file, with the reasons', () => {
  const refusal = new Refusal(409, 'no', { code: 'unplayable', reasons: ['video_codec'] });

  expect(problemOf(refusal, 'auto')).toMatchObject({
    reasons: ['video_codec'],
    waysOut: ['convert', 'elsewhere', 'download'],
  });
  expect(problemOf(refusal, 'convert').waysOut).not.toContain('convert');
});
