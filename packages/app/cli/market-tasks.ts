/** Tasks on the plugins of a server that need no consent. */
import type { ConsentPrompt } from './consent-prompt.ts';
import { listOffers } from './plugins/plugin-offers.ts';
import { fieldsOf, listIn, plainText, textIn } from './server-client.ts';
import type { Fields, ServerClient } from './server-client.ts';

export interface MarketTask {
  readonly client: ServerClient;
  readonly prompt: ConsentPrompt;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** Prints a line for each plugin, and one for each that was skipped. */
export async function listPlugins({ client, write }: MarketTask): Promise<number> {
  const reply = await client.get('/api/plugins');
  const offers = await listOffers(client);
  const newer = newerVersions(offers);
  const failed = takenBackVersions(offers);
  const skipped = listIn(reply, 'skipped');
  const plugins = listIn(reply, 'plugins');
  for (const plugin of plugins) {
    const { id } = plugin;
    const version = newer.get(id);
    const remarks = [
      plugin['enabled'] === false ? 'switched off' : '',
      version === undefined ? '' : `${version} is available`,
      ...(failed.get(id) ?? []),
      textIn(plugin, 'errorMessage'),
      ...skipped.filter((one) => one['id'] === id).map((one) => textIn(one, 'message')),
    ];
    write(line([...texts(plugin, 'id', 'version', 'type', 'state'), joined(remarks)]));
  }
  const known = new Set(plugins.map(({ id }) => id));
  for (const one of skipped.filter(({ id }) => !known.has(id))) {
    write(line([...texts(one, 'id', 'version'), 'skipped', ...texts(one, 'reason', 'message')]));
  }
  return 0;
}

/**
 * Prints a line for each local plugin that was added, changed or removed, and one for each that
 * does not run.
 */
export async function rescanPlugins({ client, write }: MarketTask): Promise<number> {
  const reply = await client.send('POST', '/api/plugins/rescan');
  for (const what of ['found', 'changed'] as const)
    for (const plugin of listIn(reply, what))
      write(line([what, ...texts(plugin, 'id', 'version', 'state', 'errorMessage')]));
  const { removed } = reply;
  for (const id of Array.isArray(removed) ? removed : [])
    write(line(['removed', plainText(String(id))]));
  for (const one of listIn(reply, 'skipped'))
    write(line(['skipped', ...texts(one, 'key', 'version', 'reason', 'message')]));
  const isQuiet = ['found', 'changed', 'removed', 'skipped'].every((key) => isEmpty(reply[key]));
  if (isQuiet) write('Nothing has changed.\n');
  return 0;
}

const isEmpty = (list: unknown): boolean => !Array.isArray(list) || list.length === 0;

function newerVersions(offers: readonly Fields[]): ReadonlyMap<unknown, string> {
  return new Map(
    offers
      .filter((offer) => fieldsOf(offer['installed'])['canUpgrade'] === true)
      .map((offer) => [offer['id'], textIn(offer, 'latest')] as const),
  );
}

/** The versions of each plugin that were tried and rolled back. */
function takenBackVersions(offers: readonly Fields[]): ReadonlyMap<unknown, readonly string[]> {
  return new Map(
    offers.map((offer) => [
      offer['id'],
      listIn(fieldsOf(offer['installed']), 'takenBack').map(
        (one) => `${textIn(one, 'version')} was rolled back`,
      ),
    ]),
  );
}

/** Prints a line for each offer. */
export async function searchOffers(
  { client, write }: MarketTask,
  words: readonly string[],
): Promise<number> {
  const offers = await listOffers(client, words.length === 0 ? {} : { q: words.join(' ') });
  if (offers.length === 0) write('No source offers a plugin that matches.\n');
  for (const offer of offers) {
    const installed = textIn(fieldsOf(offer['installed']), 'version');
    write(
      line([
        textIn(offer, 'id'),
        textIn(offer, 'latest') || 'none that runs on this server',
        textIn(fieldsOf(offer['source']), 'name'),
        installed === '' ? 'not installed' : `installed ${installed}`,
        textIn(offer, 'description'),
      ]),
    );
  }
  return 0;
}

/** Goes back to an earlier version: the named one, or the newest that is older and not revoked. */
export async function rollBackPlugin(
  { client, write }: MarketTask,
  id: string,
  version: string | undefined,
): Promise<number> {
  const body = { id, ...(version !== undefined && { version }) };
  const reply = await client.send('POST', '/api/plugins/marketplace/rollback', body);
  write(`${id} is back at ${stateText(reply)}.\n`);
  return 0;
}

/** Prints a line for each version that was installed before. */
export async function listEarlierVersions(
  { client, write }: MarketTask,
  id: string,
): Promise<number> {
  const versions = listIn(
    await client.get(`/api/plugins/${encodeURIComponent(id)}/versions`),
    'versions',
  );
  if (versions.length === 0) write(`No other version of ${id} was installed here.\n`);
  for (const one of versions) {
    const revoked = textIn(one, 'revoked');
    const remarks = [
      one['isNext'] === true && revoked === '' ? 'the next rollback' : '',
      one['isKept'] === true ? 'with its data of then' : 'its code is fetched, the data stays',
      revoked,
    ];
    write(line([...texts(one, 'version', 'replacedAt'), joined(remarks)]));
  }
  return 0;
}

/** Removes the plugin with its settings and data. */
export async function removePlugin({ client, write }: MarketTask, id: string): Promise<number> {
  await client.send('DELETE', `/api/plugins/${encodeURIComponent(id)}`);
  write(`${id} is removed, with its settings and its data.\n`);
  return 0;
}

/** The version and the state of the plugin in a reply. */
export function stateText(reply: Fields): string {
  const plugin = fieldsOf(reply['plugin']);
  return `${textIn(plugin, 'version')} (${textIn(plugin, 'state')})`;
}

/** A line of a list: columns separated by tabs, with none at the end. */
export const line = (columns: readonly string[]): string => `${columns.join('\t').trimEnd()}\n`;

/** Text fields of a reply. */
export const texts = (fields: Fields, ...keys: readonly string[]): readonly string[] =>
  keys.map((key) => textIn(fields, key));

const joined = (remarks: readonly string[]): string => remarks.filter(Boolean).join('; ');
