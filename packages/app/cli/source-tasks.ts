/** `vitrine plugin sources`: the marketplace sources of a server. */
import { line, texts, type MarketTask } from './market-tasks.ts';
import { fieldsOf, listIn, textIn } from './server-client.ts';
import type { Fields } from './server-client.ts';

const route = '/api/plugins/marketplace/sources';

/** Prints a line for each source. */
export async function listSources({ client, write }: MarketTask): Promise<number> {
  shown(await client.get(route), write);
  return 0;
}

/** Adds a source, and prints the key that is pinned. */
export async function addSource(
  { client, write }: MarketTask,
  url: string,
  publisherKey: string | undefined,
): Promise<number> {
  const body = { url, ...(publisherKey !== undefined && { publisherKey }) };
  const source = fieldsOf((await client.send('POST', route, body))['source']);
  const [id = '', name = '', key = ''] = texts(source, 'id', 'name', 'publisherKey');
  write(`The source ${name} is added, as ${id}. Its key is pinned: ${key}\n`);
  return 0;
}

export async function removeSource({ client, write }: MarketTask, id: string): Promise<number> {
  await client.send('DELETE', `${route}/${encodeURIComponent(id)}`);
  write(`The source ${id} is removed; plugins that were installed from it stay.\n`);
  return 0;
}

/** Downloads the indexes of all sources; 1 when one of them failed. */
export async function refreshSources({ client, write }: MarketTask): Promise<number> {
  const reply = await client.send('POST', '/api/plugins/marketplace/refresh', {});
  shown(reply, write);
  return listIn(reply, 'sources').some((source) => textIn(source, 'error') !== '') ? 1 : 0;
}

function shown(reply: Fields, write: (text: string) => void): void {
  const sources = listIn(reply, 'sources');
  if (sources.length === 0)
    write('There is no source yet: add one with vitrine plugin sources add <url>.\n');
  for (const source of sources) {
    const error = textIn(source, 'error');
    const plugins = `${Number(source['pluginCount'])} plugins`;
    const expired = source['isExpired'] === true && `expired ${textIn(source, 'expiresAt')}`;
    const state = [expired, error && `away: ${error}`].filter(Boolean).join('; ');
    write(line([...texts(source, 'id', 'name', 'url'), plugins, state]));
  }
}
