/** The offers of the sources of a server, as commands read them. */
import { createManifestReader } from '../../../../kernel/run/manifest/index.ts';
import {
  consentTo,
  placesSentence,
  sentencesOf,
  type Consent,
  type Decided,
} from '../../../../kernel/run/powers/index.ts';
import type { Permissions } from '../../../../plugin-api/index.ts';
import { fieldsOf, listIn, plainText, ServerRefusal, textIn } from '../server-client.ts';
import type { Fields, ServerClient } from '../server-client.ts';

const market = '/api/plugins/marketplace';

/** All offers that match, from all pages. */
export async function listOffers(
  client: ServerClient,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly Fields[]> {
  const found: Fields[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const words = new URLSearchParams({ ...query, limit: '500', ...(cursor !== '' && { cursor }) });
    const page = await client.get(`${market}?${words.toString()}`);
    found.push(...listIn(page, 'plugins'));
    const next = page['nextCursor'];
    cursor = typeof next === 'string' && next !== cursor ? next : null;
  }
  return found;
}

/** A version that a user may consent to. */
export interface Candidate {
  readonly id: string;
  readonly version: string;
  readonly publisherKey: string;
  readonly asked: Permissions;
  /** The views and actions that it adds: shown with the consent, but not granted. */
  readonly adds: string;
  /** The running version; `null` = the plugin is not installed. */
  readonly installed: string | null;
  /** Why the installed version was revoked; `null` = it was not. */
  readonly revoked: string | null;
  /** A sentence about newer versions that were tried and rolled back; empty = there are none. */
  readonly takenBack: string;
}

/** The plugin that is looked for. */
export interface Wanted {
  readonly id: string;
  readonly version?: string | undefined;
  /** The id of the source. */
  readonly source?: string | undefined;
}

/** The matching version. Throws a {@link ServerRefusal} with the reason if there is none. */
export function candidateIn(offers: readonly Fields[], wanted: Wanted): Candidate {
  const { id, source } = wanted;
  const among = offers.filter(
    (offer) =>
      offer['id'] === id && (source === undefined || fieldsOf(offer['source'])['id'] === source),
  );
  const [offer] = among;
  if (!offer) throw new ServerRefusal(`No source offers the plugin ${id}. (NOT_FOUND)`);
  if (among.some((other) => other['publisherKey'] !== offer['publisherKey'])) {
    const names = among
      .map((one) => fieldsOf(one['source']))
      .map((one) => `${textIn(one, 'name')}: --source ${textIn(one, 'id')}`);
    throw new ServerRefusal(
      `Several publishers offer ${id}; choose one with --source (${names.join(', ')}).`,
    );
  }
  const version = wanted.version ?? textIn(offer, 'latest');
  const found = listIn(offer, 'versions').find((one) => one['version'] === version);
  if (!found) throw new ServerRefusal(absence(offer, wanted));
  const asked = createManifestReader().parsePermissions(found['permissions']);
  if (!asked.ok) {
    const why = plainText(asked.faults.join(' '));
    throw new ServerRefusal(
      `${id} ${version} asks for a permission that this version of vitrine does not know. ${why}`,
    );
  }
  const there = fieldsOf(offer['installed']);
  // A plugin with damaged files is installed again, like a missing one.
  const installed = there['isDamaged'] === true ? '' : textIn(there, 'version');
  return {
    id,
    version,
    publisherKey: textIn(offer, 'publisherKey'),
    asked: asked.value,
    adds: addsIn(found),
    installed: installed === '' ? null : installed,
    revoked: textIn(there, 'revoked') || null,
    takenBack: takenBackIn(there),
  };
}

function addsIn(version: Fields): string {
  const { views } = fieldsOf(version['subscriptions']);
  return [
    ['It adds views', views],
    ['It has the actions', version['actions']],
  ]
    .flatMap(([title, list]) => {
      const names = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
      return names.length === 0 ? [] : [`${String(title)}: ${plainText(names.join(', '))}.\n`];
    })
    .join('');
}

function takenBackIn(installed: Fields): string {
  const [newest] = listIn(installed, 'takenBack');
  if (!newest) return '';
  const version = textIn(newest, 'version');
  return ` ${version} was rolled back: ${textIn(newest, 'reason')} Name that version to try it again.`;
}

function absence(offer: Fields, { id, version }: Wanted): string {
  if (version !== undefined) return `No source offers ${id} ${version}. (NOT_FOUND)`;
  const [newest = {}] = listIn(offer, 'versions');
  const revoked = textIn(newest, 'revoked');
  if (revoked !== '') return `${id} is revoked: ${revoked} (REVOKED)`;
  const need = textIn(newest, 'minVersion');
  return `No version of ${id} runs on this server; it needs ${need}. (INCOMPATIBLE_VERSION)`;
}

/**
 * The decision of an admin, with the folders that the plugin is limited to, as text; `null` = not
 * limited to folders.
 */
export interface DecidedPlaces extends Decided {
  readonly places: string | null;
}

/** The decision of an admin about an installed plugin; `null` = none yet. */
export async function decidedOn(client: ServerClient, id: string): Promise<DecidedPlaces | null> {
  const reply = await client.get(`/api/plugins/${encodeURIComponent(id)}/permissions`);
  const [asked, granted] = [reply['asked'], reply['granted']].map(
    createManifestReader().parsePermissions,
  );
  return asked?.ok === true && granted?.ok === true
    ? { asked: asked.value, granted: granted.value, places: placesIn(reply) }
    : null;
}

function placesIn(reply: Fields): string | null {
  const { places } = fieldsOf(reply['reach']);
  return typeof places === 'string' ? places : null;
}

/** The permissions that are asked for, one line each, and what consent means. */
export function explain(
  { id, version, publisherKey, asked, adds, installed }: Candidate,
  decided: DecidedPlaces | null,
): Consent & { readonly text: string } {
  const consent = consentTo(asked, decided);
  const fresh = new Set<string>(consent.more);
  const sentences = sentencesOf(asked, { places: decided?.places ?? null }).map(
    ({ permission, sentence, reason }) => {
      const mark = installed !== null && fresh.has(permission) ? 'NEW  ' : '';
      const why = reason === null ? 'It gives no reason.' : `Why: ${plainText(reason)}`;
      return `  ${mark}${permission}: ${plainText(sentence)}\n    ${why}\n`;
    },
  );
  const before = installed === null ? '' : ` (now ${installed})`;
  const where = decided === null ? '' : `${plainText(placesSentence(decided.places))}\n`;
  const asks = sentences.length === 0 ? 'It asks for nothing.\n' : 'It asks for:\n';
  const text = `${id} ${version}${before}, published by ${publisherKey}\n${asks}${sentences.join('')}${adds}${where}`;
  return { ...consent, text };
}
