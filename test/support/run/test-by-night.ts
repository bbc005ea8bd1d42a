import { test, type TestAPI } from 'vitest';
import { isNightly } from './nightly.ts';

/**
 * A test that takes too long for a suite that is run for each change, beside shorter ones of the same
 * thing. `npm run nightly` runs it; `npm test` does not know of it.
 */
export const testByNight: TestAPI = isNightly
  ? test
  : (Object.assign(() => undefined, {
      each: () => () => undefined,
    }) as unknown as TestAPI);
