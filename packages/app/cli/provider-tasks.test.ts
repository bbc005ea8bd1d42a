import { expect, test } from 'vitest';
import { chooseProvider, listProviders } from './provider-tasks.ts';
import type { MarketTask } from './market-tasks.ts';

const provider = (pluginId: string | null) => ({
  key: 'search',
  pluginId,
  candidates: [{ pluginId: 'search' }, { pluginId: 'my-search' }],
});

/** A server with fixed answers, and a prompt with one answer. */
function task(agrees: boolean, canAsk = true) {
  const sent: unknown[] = [];
  let output = '';
  const made: MarketTask = {
    client: {
      get: async () => ({ providers: [provider('search'), provider(null)] }),
      send: async (...what) => {
        sent.push(what);
        return { provider: provider('my-search') };
      },
    },
    prompt: { canAsk, agrees: async () => agrees, close: () => undefined },
    write: (text) => (output += text),
    complain: (text) => (output += text),
  };
  return { made, sent, output: () => output };
}

test('lists the provider of each capability, and the other candidates', async () => {
  const { made, output } = task(true);

  expect(await listProviders(made)).toBe(0);
  expect(output()).toBe(
    'search\tsearch\tcould: my-search\nsearch\tnobody\tcould: search my-search\n',
  );
});

test('chooses a provider only after consent', async () => {
  const [yes, no] = [task(true), task(false)];
  const wanted = { key: 'filesystem:s3', pluginId: 'my-search' };

  expect([await chooseProvider(yes.made, wanted), await chooseProvider(no.made, wanted)]).toEqual([
    0, 1,
  ]);
  expect(yes.sent).toEqual([
    ['PUT', '/api/plugins/providers/filesystem%3As3', { pluginId: 'my-search' }],
  ]);
  expect(yes.output()).toBe('search\tmy-search\tcould: search\n');
  expect([no.sent, no.output()]).toEqual([[], 'vitrine: filesystem:s3 is unchanged.\n']);
});

test('asks for --yes where there is no terminal', async () => {
  const { made } = task(true, false);

  await expect(chooseProvider(made, { key: 'search', pluginId: 'x' })).rejects.toThrow('--yes');
});
