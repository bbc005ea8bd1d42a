import { describe, expect, test } from 'vitest';
import { KernelError } from '../../errors.ts';
import { withPlaces } from './start-failure.ts';

const failed = (cause: unknown) =>
  new KernelError('plugin_failed', 'It did not start: No.', { cause });
const ending = { reason: 'exited', message: 'No.', stack: 'Error: No.' };

describe('a start that failed', () => {
  test('has the three innermost places of the stack after its reason', async () => {
    const places = async () => [
      'boom (src/a.ts:1:2)',
      'src/b.ts:3:4',
      'c (d.js:5:6)',
      'e (f.js:7:8)',
    ];

    expect(await withPlaces(failed(ending), places)).toMatchObject({
      code: 'plugin_failed',
      message: 'It did not start: No. at boom (src/a.ts:1:2) at src/b.ts:3:4 at c (d.js:5:6)',
      cause: ending,
    });
  });

  test('keeps its reason when the places are unknown', async () => {
    const error = failed(ending);

    expect(await withPlaces(error, () => Promise.reject(new Error('Bad map.')))).toBe(error);
    expect(await withPlaces(error, async () => [])).toBe(error);
  });

  test.each([
    ['that has no stack', failed({ reason: 'memory', message: 'Too much.' })],
    ['whose cause is an error, with the stack of the server', failed(new Error('No.'))],
    ['that is not of the kernel', new Error('No.')],
  ])('%s stays as it is', async (_, error) => {
    expect(await withPlaces(error, async () => ['index.js:1:1'])).toBe(error);
  });
});
