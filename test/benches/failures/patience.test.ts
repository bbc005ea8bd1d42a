import { expect, test } from 'vitest';
import { GaveUp, Patience } from './patience.ts';

test('a bench that does not end in its time gives up, and names what had not ended', async () => {
  const patience = new Patience('overload', 50);

  expect(await patience.wait('the start', Promise.resolve('started'))).toBe('started');
  const scan = patience.wait('the scan', new Promise(() => undefined));

  await expect(scan).rejects.toThrow(
    new GaveUp(
      'The bench overload gave up after 0 s: the scan had not ended. The machine may be busy.',
    ),
  );
});
