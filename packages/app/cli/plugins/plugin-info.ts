/** `vitrine plugin info`: the details of a plugin in a source, without downloading its package. */
import { texts, type MarketTask } from '../market-tasks.ts';
import { candidateIn, decidedOn, explain, listOffers, type Wanted } from './plugin-offers.ts';
import { fieldsOf, listIn, plainPage, plainText, textIn, type Fields } from '../server-client.ts';

/** Shows the version that an installation would take, or the one that is named. */
export async function showPlugin({ client, write }: MarketTask, wanted: Wanted): Promise<number> {
  const offers = await listOffers(client, { id: wanted.id });
  const found = candidateIn(offers, wanted);
  const offer = offers.find((one) => isOf(one, found.publisherKey, wanted.source)) ?? {};
  const version = listIn(offer, 'versions').find((one) => one['version'] === found.version) ?? {};
  const decided = found.installed === null ? null : await decidedOn(client, found.id);
  write(`${headOf(offer)}\n${explain(found, decided).text}`);
  write(`${linesOf(version).join('')}${versionsOf(offer)}${sourceOf(offer)}`);
  for (const [title, key] of [
    ['README', 'readme'],
    ['What changed', 'changes'],
  ] as const) {
    const text = offer[key];
    if (typeof text === 'string') write(`\n--- ${title} ---\n${plainPage(text)}\n`);
  }
  return 0;
}

const isOf = (offer: Fields, publisherKey: string, source: string | undefined): boolean =>
  offer['publisherKey'] === publisherKey &&
  (source === undefined || fieldsOf(offer['source'])['id'] === source);

function headOf(offer: Fields): string {
  const [name, author, license] = texts(offer, 'name', 'author', 'license');
  const description = textIn(offer, 'description');
  const links = texts(offer, 'homepage', 'repository').filter((link) => link !== '');
  return [`${name ?? ''}, by ${author ?? ''} (${license ?? ''})`, description, ...links].join('\n');
}

/** Its contributions besides its permissions, one line for each that exists. */
function linesOf(version: Fields): readonly string[] {
  const { events, hooks } = fieldsOf(version['subscriptions']);
  const lists = [
    ['Provides', version['capabilities']],
    ['Events', events],
    ['Hooks', hooks],
    ['Hosts that you may let it reach', listIn(version, 'grants').map((one) => one['label'])],
  ] as const;
  return lists.flatMap(([title, list]) => {
    const names = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
    return names.length === 0 ? [] : [`${title}: ${plainText(names.join(', '))}\n`];
  });
}

const versionsOf = (offer: Fields): string => {
  const names = listIn(offer, 'versions').map((one) => {
    const revoked = textIn(one, 'revoked');
    return revoked === '' ? textIn(one, 'version') : `${textIn(one, 'version')} (revoked)`;
  });
  return `Versions: ${names.join(', ')}\n`;
};

const sourceOf = (offer: Fields): string => {
  const source = fieldsOf(offer['source']);
  const state = source['isExpired'] === true ? ', which has expired' : '';
  return `Source: ${textIn(source, 'name')}${state}\n`;
};
