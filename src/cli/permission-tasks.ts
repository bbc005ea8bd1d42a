/** What a plugin of a server may do, and where; and how an admin decides on it. */
import { ConfigError } from '../config.ts';
import { pickWords } from '../plugin-reach/index.ts';
import type { MarketTask } from './market-tasks.ts';
import {
  fieldsOf,
  listIn,
  plainText,
  ServerRefusal,
  textIn,
  type Fields,
} from './server-client.ts';
import type { ServerClient } from './server-client.ts';

/** What an admin picks of the libraries. */
export interface LibraryFlags {
  /** `Films`, or `Films=Kids` for a folder of it. */
  readonly library?: readonly string[];
  readonly allLibraries?: true;
}

/** What an admin grants. */
export interface GrantFlags extends LibraryFlags {
  /** JSON in the manifest's form; what is granted now, or asked for, when absent. */
  readonly granted?: string;
}

/** The picked libraries as a request has them; undefined = as it was. */
export type Picked =
  'all' | readonly { readonly id: string; readonly folders?: readonly string[] }[];

/** Says in plain words what a plugin may do and where; what it asks for and has not is marked. */
export async function showPermissions({ client, write }: MarketTask, id: string): Promise<number> {
  write(explained(await client.get(permissionsOf(id))));
  return 0;
}

/** Says what is to be granted, takes consent, and grants it; 1 when it stays as it was. */
export async function grantPermissions(
  { client, prompt, write, complain }: MarketTask,
  id: string,
  flags: GrantFlags,
): Promise<number> {
  const now = await client.get(permissionsOf(id));
  const granted =
    flags.granted === undefined ? (now['granted'] ?? now['asked']) : parsed(flags.granted);
  const libraries = await pickedIn(client, flags);
  const places = libraries === undefined ? '' : `\nin ${await placesOf(client, libraries)}`;
  write(`${id} would be granted\n${plainText(JSON.stringify(granted))}${plainText(places)}\n`);
  if (!prompt.canAsk)
    throw new ConfigError(`There is no terminal to ask on: say --yes to grant ${id} that.`);
  if (!(await prompt.agrees(`Grant that to ${id}?`))) {
    complain(`vitrine: ${id} was left as it is.\n`);
    return 1;
  }
  const body = { granted, ...(libraries !== undefined && { libraries }) };
  write(explained(await client.send('PUT', permissionsOf(id), body)));
  return 0;
}

const permissionsOf = (id: string): string => `/api/plugins/${encodeURIComponent(id)}/permissions`;

function explained(reply: Fields): string {
  const granted = reply['granted'] === null ? null : fieldsOf(reply['granted']);
  const lines = listIn(reply, 'sentences').map((one) => {
    const name = textIn(one, 'permission');
    const mark = granted !== null && name in granted ? '' : 'NOT GRANTED  ';
    const reason = textIn(one, 'reason');
    const why = reason === '' ? 'It does not say why.' : `Why: ${plainText(reason)}`;
    return `${mark}${plainText(name)}: ${plainText(textIn(one, 'sentence'))}\n  ${why}\n`;
  });
  const reach = fieldsOf(reply['reach']);
  const withheld = listIn(reach, 'withheld').map((one) => plainText(textIn(one, 'name')));
  const kept =
    withheld.length === 0 ? '' : `Libraries that it may not touch: ${withheld.join(', ')}\n`;
  const asks = lines.length === 0 ? 'It asks for nothing.\n' : lines.join('');
  const adds = textIn(reply, 'interface');
  const pages = adds === '' ? '' : `${adds}\n`;
  return `${asks}${pages}${textIn(reach, 'sentence')}\n${kept}`;
}

/** What the flags pick, with the ids that the server has for the names. */
export async function pickedIn(
  client: ServerClient,
  { library: words, allLibraries }: LibraryFlags,
): Promise<Picked | undefined> {
  if (allLibraries === true && words !== undefined)
    throw new ConfigError('--all-libraries and --library: say one of them.');
  if (allLibraries === true) return 'all';
  if (words === undefined) return undefined;
  const libraries = listIn(await client.get('/api/libraries'), 'libraries');
  const named = libraries.map((one) => ({ id: textIn(one, 'id'), name: textIn(one, 'name') }));
  const found = pickWords(words, named);
  switch (found.kind) {
    case 'picked':
      return found.libraries;
    case 'twice':
      throw new ConfigError(
        `--library ${found.word}: all of the library, and a folder of it as well.`,
      );
    case 'unknown': {
      const names = named.map(({ name }) => plainText(name)).join(', ');
      throw new ServerRefusal(
        `There is no library ${plainText(found.word)}; there are ${names || 'none'}.`,
      );
    }
  }
}

async function placesOf(client: ServerClient, picked: Picked): Promise<string> {
  if (picked === 'all') return 'all libraries, those to come too';
  const libraries = listIn(await client.get('/api/libraries'), 'libraries');
  const texts = picked.map(({ id, folders }) => {
    const name = textIn(libraries.find((one) => one['id'] === id) ?? {}, 'name');
    return folders === undefined ? name : `${name} (only ${folders.join(', ')})`;
  });
  return `${texts.join(', ') || 'no library'}, and in no other`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('--granted is no JSON; right is {"library": "read"}.');
  }
}
