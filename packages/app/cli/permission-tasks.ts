/** The permissions and libraries of a plugin of a server: list them, and grant them. */
import { ConfigError } from '../../../src/platform/config.ts';
import { parseScopes } from '../../../src/plugins/scopes/index.ts';
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

/** The libraries that an admin selects. */
export interface LibraryFlags {
  /** `Films`, or `Films=Kids` for a folder of it. */
  readonly library?: readonly string[];
  readonly allLibraries?: true;
}

/** The grant that an admin gives. */
export interface GrantFlags extends LibraryFlags {
  /** JSON in the manifest's form; absent = the current grant, or what consent to the version gives. */
  readonly granted?: string;
}

/** The selected libraries in the form of a request; undefined = unchanged. */
export type SelectedLibraries =
  | 'all'
  | readonly { readonly id: string; readonly folders?: readonly string[] }[];

/** Lists what a plugin may do and where, and marks permissions that were not granted. */
export async function showPermissions({ client, write }: MarketTask, id: string): Promise<number> {
  write(explained(await client.get(permissionsOf(id))));
  return 0;
}

/** Shows the grant, takes consent, and grants it; 1 when it stays unchanged. */
export async function grantPermissions(
  { client, prompt, write, complain }: MarketTask,
  id: string,
  flags: GrantFlags,
): Promise<number> {
  const now = await client.get(permissionsOf(id));
  const granted =
    flags.granted === undefined
      ? (now['granted'] ?? now['proposed'] ?? now['asked'])
      : parsed(flags.granted);
  const libraries = await resolveLibraryFlags(client, flags);
  const places = libraries === undefined ? '' : `\nin ${await placesOf(client, libraries)}`;
  write(`${id} would be granted\n${plainText(JSON.stringify(granted))}${plainText(places)}\n`);
  if (!prompt.canAsk)
    throw new ConfigError(
      `There is no terminal for the question: use --yes to grant ${id} these permissions.`,
    );
  if (!(await prompt.agrees(`Grant that to ${id}?`))) {
    complain(`vitrine: ${id} is unchanged.\n`);
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
    const why = reason === '' ? 'It gives no reason.' : `Why: ${plainText(reason)}`;
    return `${mark}${plainText(name)}: ${plainText(textIn(one, 'sentence'))}\n  ${why}\n`;
  });
  const reach = fieldsOf(reply['reach']);
  const withheld = listIn(reach, 'withheld').map((one) => plainText(textIn(one, 'name')));
  const kept =
    withheld.length === 0 ? '' : `Libraries that it may not access: ${withheld.join(', ')}\n`;
  const asks = lines.length === 0 ? 'It asks for nothing.\n' : lines.join('');
  const adds = textIn(reply, 'interface');
  const pages = adds === '' ? '' : `${adds}\n`;
  return `${asks}${pages}${textIn(reach, 'sentence')}\n${kept}`;
}

/** Resolves the flags to library ids of the server. */
export async function resolveLibraryFlags(
  client: ServerClient,
  { library: words, allLibraries }: LibraryFlags,
): Promise<SelectedLibraries | undefined> {
  if (allLibraries === true && words !== undefined)
    throw new ConfigError('--all-libraries and --library: use only one of them.');
  if (allLibraries === true) return 'all';
  if (words === undefined) return undefined;
  const libraries = listIn(await client.get('/api/libraries'), 'libraries');
  const named = libraries.map((one) => ({ id: textIn(one, 'id'), name: textIn(one, 'name') }));
  const found = parseScopes(words, named);
  switch (found.kind) {
    case 'parsed':
      return found.libraries;
    case 'twice':
      throw new ConfigError(
        `--library ${found.word}: name either the whole library or folders of it.`,
      );
    case 'unknown': {
      const names = named.map(({ name }) => plainText(name)).join(', ');
      throw new ServerRefusal(
        `There is no library ${plainText(found.word)}; there are ${names || 'none'}.`,
      );
    }
  }
}

async function placesOf(client: ServerClient, selected: SelectedLibraries): Promise<string> {
  if (selected === 'all') return 'all libraries, and those added later';
  const libraries = listIn(await client.get('/api/libraries'), 'libraries');
  const texts = selected.map(({ id, folders }) => {
    const name = textIn(libraries.find((one) => one['id'] === id) ?? {}, 'name');
    return folders === undefined ? name : `${name} (only ${folders.join(', ')})`;
  });
  return `${texts.join(', ') || 'no library'}, and in no other`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError('--granted is not JSON; right is {"library": "read"}.');
  }
}
