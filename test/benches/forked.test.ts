import { expect, test } from 'vitest';
import { forkProgram } from './forked.ts';

test('a bench whose program is missing ends with an error', async () => {
  const { orEnd } = forkProgram('missing.ts', { silent: true });

  await expect(orEnd(new Promise(() => undefined))).rejects.toThrow(
    'test/benches/missing.ts ended.',
  );
});
