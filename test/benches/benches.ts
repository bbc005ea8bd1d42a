/** All benches, each with its sizes. */
import { benchBareFastify } from './bare/bare-fastify.ts';
import { benchAttacks } from './attacks.ts';
import { benchClients } from './clients.ts';
import { benchChannel } from './channel.ts';
import { benchDispatch } from './dispatch.ts';
import { benchFaults } from './failures/faults.ts';
import type { Figure } from './figure.ts';
import { benchFilter } from './filter.ts';
import { benchHostCalls } from './host-calls.ts';
import { benchIdentity } from './identity.ts';
import { benchIngest } from './ingest.ts';
import { benchKills } from './kills.ts';
import { benchLive } from './live.ts';
import { benchMatching } from './matching/matching.ts';
import { benchMutated } from './mutated.ts';
import { benchOpen } from './open.ts';
import { benchOverload } from './overload.ts';
import { benchCatalogue } from './catalogue/catalogue.ts';
import { benchFirstScan } from './catalogue/first-scan.ts';
import { benchMillion } from './catalogue/million.ts';
import { benchPictures } from './catalogue/pictures.ts';
import { benchConversions } from './playback/conversions.ts';
import { benchPlayers } from './playback/players.ts';
import { benchPlayback } from './playback/segments.ts';
import { benchQuotas } from './quotas.ts';
import { benchScan } from './scan.ts';
import { benchSearch } from './search.ts';
import { benchServers } from './playback/servers.ts';
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import { benchTold } from './failures/told.ts';
import { benchWeb } from './web/web.ts';
import { benchWebhooks } from './webhooks.ts';
import { sized } from './size.ts';

/** The figures go where a page shows them. */
const isKept = process.argv.includes('--write');

/** The words of a flag as `--only=flood`; none = empty. */
function textOf(flag: string): string {
  const start = `--${flag}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length) ?? '';
}

/** The value of a flag as `--minutes=30`; without it the usual one, and the least with `--smallest`. */
function numberOf(flag: string, usual: number, least: number): number {
  const text = textOf(flag);
  const value = text === '' ? sized(usual, least) : Number(text);
  if (value > 0) return value;
  console.error(`--${flag} must be a number above 0, as --${flag}=${usual}.`);
  return process.exit(2);
}

function minutesOfSoak(): number {
  if (textOf('hours') !== '') return numberOf('hours', 1, 1) * 60;
  return numberOf('minutes', 10, 0.1);
}

/** The benches by the names under which they are asked for. */
export const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  dispatch: benchDispatch,
  attacks: () =>
    benchAttacks({
      ...{ isKept, runs: numberOf('runs', 3, 1), attacks: numberOf('attacks', Infinity, 1) },
      ...{ atOnce: numberOf('at-once', 3, 3), only: textOf('only') },
    }),
  catalogue: async () => [
    ...(await benchCatalogue(numberOf('items', 100_000, 200), textOf('only'))),
    ...(textOf('only') === '' ? await benchPictures() : []),
  ],
  clients: benchClients,
  channel: () => benchChannel(textOf('only')),
  start: benchStart,
  scan: () => benchScan(sized(10_000, 100), sized(3, 1)),
  search: () => benchSearch(sized(100_000, 200)),
  filter: () => benchFilter(sized(100_000, 200)),
  identity: benchIdentity,
  playback: async () => {
    const only = textOf('only');
    if (only === 'players') return benchPlayers();
    if (only === 'pictures' || only === 'viewers') return benchPlayers(only);
    return [...(await benchPlayback()), ...(await benchConversions()), ...(await benchPlayers())];
  },
  'bare-fastify': () => benchBareFastify(numberOf('items', 10_000, 200)),
  live: () => benchLive(numberOf('clients', 2000, 10)),
  open: benchOpen,
  // Of 100,000 items the scan alone takes minutes: `--items=100000`.
  overload: () => benchOverload(numberOf('items', 10_000, 200)),
  servers: benchServers,
  soak: () => benchSoak(minutesOfSoak()),
  'first-scan': () => benchFirstScan(numberOf('files', 100_000, 200)),
  million: () => benchMillion(numberOf('files', 1_000_000, 1000)),
  matching: () =>
    benchMatching({
      ...{ films: numberOf('films', 50_000, 500), names: numberOf('names', 10_000, 100) },
      ...{ albums: numberOf('albums', 10_000, 100), copies: numberOf('copies', 400, 5) },
      ...{ books: numberOf('books', 20_000, 200), titles: numberOf('titles', 3000, 30) },
      merged: numberOf('merged', 1000, 10),
      only: textOf('only'),
    }),
  mutated: benchMutated,
  pictures: benchPictures,
  quotas: benchQuotas,
  'host-calls': benchHostCalls,
  ingest: () => benchIngest(sized(10_000, 100)),
  'ingest-100k': () => benchIngest(sized(100_000, 200)),
  kills: () => benchKills(sized(1000, 1)),
  faults: () => benchFaults(numberOf('further', 100, 2), textOf('only')),
  told: () => benchTold(textOf('only') || undefined),
  web: () => benchWeb(numberOf('titles', 100_000, 200), textOf('only')),
  webhooks: () => benchWebhooks(sized(100_000, 40)),
};

/** A minute and more, half an hour with the peers, minutes of restarts: only when they are asked for by name. */
export const long: ReadonlySet<string> = new Set([
  'attacks',
  'catalogue',
  'channel',
  'clients',
  'ingest-100k',
  'kills',
  'faults',
  'first-scan',
  'million',
  'overload',
  'pictures',
  'servers',
  'soak',
  'told',
  'web',
  'webhooks',
]);
