import { test, type TestAPI } from 'vitest';
import { isNightly } from './nightly.ts';

/**
 * A test that takes too long for a suite that runs for each change. Shorter tests of the same sentence stand
 * beside it. `npm run nightly` runs it; `npm test` leaves it out, and does not count it as skipped.
 */
export const testByNight: TestAPI = isNightly
  ? test
  : (Object.assign(() => undefined, {
      each: () => () => undefined,
      skipIf: () => () => undefined,
    }) as unknown as TestAPI);
