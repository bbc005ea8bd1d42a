/**
 * Installs and upgrades plugins of a server. The request names the version and the permissions that
 * the user agreed to, so a source that changes its index meanwhile gets no more.
 */
import { ConfigError } from '../../../src/platform/config.ts';
import { stateText, texts, type MarketTask } from './market-tasks.ts';
import { candidateIn, decidedOn, explain, listOffers } from './plugins/plugin-offers.ts';
import type { Candidate, DecidedPlaces, Wanted } from './plugins/plugin-offers.ts';
import {
  resolveLibraryFlags,
  type LibraryFlags,
  type SelectedLibraries,
} from './permission-tasks.ts';
import { fieldsOf, listIn, ServerRefusal, type Fields } from './server-client.ts';

const market = '/api/plugins/marketplace';

/** Has the server ask its sources, so that what was published a moment ago is found. */
async function askSources({ client, complain }: MarketTask): Promise<void> {
  const reply = await client.send('POST', `${market}/refresh`, {});
  for (const source of listIn(reply, 'sources')) {
    const [name = '', error = ''] = texts(source, 'name', 'error');
    if (error !== '')
      complain(`vitrine: the source ${name} does not answer; its last index is used. ${error}\n`);
  }
}

/** Installs a plugin with all permissions that it asks for, or not at all. */
export async function installPlugin(
  task: MarketTask,
  wanted: Wanted,
  flags: LibraryFlags,
): Promise<number> {
  await askSources(task);
  const found = candidateIn(await listOffers(task.client, { id: wanted.id }), wanted);
  if (found.installed !== null)
    throw new ServerRefusal(
      found.revoked === null
        ? `${found.id} ${found.installed} is installed; upgrade it instead.`
        : `${found.id} ${found.installed} is installed and does not run. ${found.revoked} Upgrade to a version that is not revoked, or remove it.`,
    );
  const libraries = await resolveLibraryFlags(task.client, flags);
  const order = { found, decided: null, source: wanted.source, libraries };
  return agreed(task, { ...order, verb: 'install' });
}

/** Upgrades one plugin, or each that has a newer version; 1 when one of them was not upgraded. */
export async function upgradePlugins(
  task: MarketTask,
  wanted: Omit<Wanted, 'id'> & { readonly id?: string },
): Promise<number> {
  const { id, version, source } = wanted;
  await askSources(task);
  if (id !== undefined) return upgrade(task, { id, version, source });
  const offers = await listOffers(task.client);
  const ids = offers
    .filter((offer) => fieldsOf(offer['installed'])['canUpgrade'] === true)
    .map((offer) => offer['id'])
    .filter((one) => typeof one === 'string');
  if (ids.length === 0) task.write('No plugin has a newer version.\n');
  let exitCode = 0;
  for (const one of new Set(ids)) {
    const code = await upgrade(task, { id: one, source }).catch((error: unknown) => {
      // A refusal for one plugin does not stop the others.
      if (!(error instanceof ServerRefusal)) throw error;
      task.complain(`vitrine: ${one}: ${error.message}\n`);
      return 1;
    });
    exitCode = Math.max(exitCode, code);
  }
  return exitCode;
}

async function upgrade(task: MarketTask, wanted: Wanted): Promise<number> {
  const { client } = task;
  const found = candidateIn(await listOffers(client, { id: wanted.id }), wanted);
  if (found.installed === null)
    throw new ServerRefusal(`${found.id} is not installed; install it. (NOT_FOUND)`);
  if (found.installed === found.version)
    throw new ServerRefusal(
      `${found.id} ${found.version} is installed already.${found.takenBack} (ALREADY_LATEST)`,
    );
  const decided = await decidedOn(client, found.id);
  return agreed(task, { found, decided, source: wanted.source, verb: 'upgrade' });
}

interface Order {
  readonly found: Candidate;
  readonly decided: DecidedPlaces | null;
  /** The libraries that it may access, if they are set as well. */
  readonly libraries?: SelectedLibraries | undefined;
  readonly source: string | undefined;
  readonly verb: 'install' | 'upgrade';
}

/** Shows the permissions, takes consent, and installs or upgrades. */
async function agreed(
  { client, prompt, write, complain }: MarketTask,
  { found, decided, source, libraries, verb }: Order,
): Promise<number> {
  const { id, version } = found;
  const { text, more, granted } = explain(found, decided);
  write(text);
  if (!prompt.canAsk)
    throw new ConfigError(
      `There is no terminal for the question: use --yes to ${verb} ${id} with these permissions.`,
    );
  const isMeant = await prompt.agrees(`${verb === 'install' ? 'Install' : 'Upgrade'} ${id}?`);
  if (!isMeant) {
    complain(`vitrine: ${id} is unchanged.\n`);
    return 1;
  }
  const reply = await client.send('POST', `${market}/${verb}`, {
    id,
    version,
    ...(source !== undefined && { source }),
    // Without a new decision the earlier one stays in force.
    ...((more.length > 0 || libraries !== undefined) && { granted }),
    ...(libraries !== undefined && { libraries }),
  });
  return reportResult(reply, { id, verb, write });
}

function reportResult(
  reply: Fields,
  { id, verb, write }: Pick<Order, 'verb'> & { id: string; write: (text: string) => void },
): number {
  if (reply['waiting'] !== undefined)
    throw new ServerRefusal(`${id} asks for more permissions than were shown, so it is unchanged.`);
  write(`${id} is ${verb === 'install' ? 'installed' : 'upgraded'}: ${stateText(reply)}.\n`);
  return 0;
}
