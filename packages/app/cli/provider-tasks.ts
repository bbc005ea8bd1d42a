/** The providers of a server: list them, and choose another one. */
import { ConfigError } from '../../../src/platform/config.ts';
import type { MarketTask } from './market-tasks.ts';
import { fieldsOf, listIn, plainText, textIn, type Fields } from './server-client.ts';

const route = '/api/plugins/providers';

/** Prints a line for each capability: its provider, and the other candidates. */
export async function listProviders({ client, write }: MarketTask): Promise<number> {
  for (const provider of listIn(await client.get(route), 'providers')) write(line(provider));
  return 0;
}

/** Takes consent and chooses the provider; 1 when it stays unchanged. */
export async function chooseProvider(
  { client, prompt, write, complain }: MarketTask,
  { key, pluginId }: { readonly key: string; readonly pluginId: string },
): Promise<number> {
  if (!prompt.canAsk)
    throw new ConfigError(
      `There is no terminal for the question: use --yes to choose ${pluginId}.`,
    );
  if (!(await prompt.agrees(`Let ${plainText(pluginId)} provide ${plainText(key)}?`))) {
    complain(`vitrine: ${key} is unchanged.\n`);
    return 1;
  }
  const reply = await client.send('PUT', `${route}/${encodeURIComponent(key)}`, { pluginId });
  write(line(fieldsOf(reply['provider'])));
  return 0;
}

function line(provider: Fields): string {
  const id = textIn(provider, 'pluginId');
  const others = listIn(provider, 'candidates')
    .map((one) => textIn(one, 'pluginId'))
    .filter((other) => other !== id);
  const rest = others.length === 0 ? '' : `\tcould: ${others.join(' ')}`;
  return `${textIn(provider, 'key')}\t${id === '' ? 'nobody' : id}${rest}\n`;
}
