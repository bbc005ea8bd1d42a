import { expect, test } from 'vitest';
import type { Host } from '../../plugin-api/index.ts';
import { createAsk, isLater } from './ask.ts';

/** A network that says how many questions it had at once. */
function slowNetwork() {
  let [open, most] = [0, 0];
  const fetch = async (): Promise<object> => {
    open += 1;
    most = Math.max(most, open);
    await Promise.resolve();
    open -= 1;
    return { status: 200, headers: {}, body: '{}', cache: 'miss' };
  };
  return { net: { fetch } as unknown as Host['net'], most: () => most };
}

const parts = { baseUrl: 'https://a.test', maxAge: 1 };
const paths = ['/1', '/2', '/3'];

test('with patience, questions go one after the other', async () => {
  const { net, most } = slowNetwork();
  const ask = createAsk(net, { ...parts, patience: 10_000 });
  await Promise.all(paths.map(ask));

  expect(most()).toBe(1);
});

test('when the patience ends, what is left is asked later', async () => {
  const { net, most } = slowNetwork();
  const ask = createAsk(net, { ...parts, patience: 0 });
  const answers = await Promise.allSettled(paths.map(ask));

  expect(answers.map((one) => one.status === 'rejected' && isLater(one.reason))).toEqual([
    true,
    true,
    true,
  ]);
  expect(most()).toBe(0);
});
