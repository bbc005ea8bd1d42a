/**
 * `npm run bench [-- name …]`: figures as ratios against bare limits of the same run, since the
 * machine is noisy and seconds travel badly. It prints figures and fails nothing.
 */
import { benchBareFastify } from './bare/bare-fastify.ts';
import { benchAttacks } from './attacks.ts';
import { benchClients } from './clients.ts';
import { benchChannel } from './channel.ts';
import { benchDispatch } from './dispatch.ts';
import { benchFaults } from './failures/faults.ts';
import { figureLine, type Figure } from './figure.ts';
import { benchFilter } from './filter.ts';
import { benchHostCalls } from './host-calls.ts';
import { benchIdentity } from './identity.ts';
import { benchIngest } from './ingest.ts';
import { benchKills } from './kills.ts';
import { benchLive } from './live.ts';
import { benchMatching } from './matching/matching.ts';
import { benchMutated } from './mutated.ts';
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
import { benchSoak } from './soak.ts';
import { benchStart } from './start.ts';
import { benchTold } from './failures/told.ts';
import { benchWeb } from './web/web.ts';
import { benchWebhooks } from './webhooks.ts';

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** The figures go where a page shows them. */
const isKept = process.argv.includes('--write');

/** The words of a flag as `--only=flood`; none = empty. */
function textOf(flag: string): string {
  const start = `--${flag}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length) ?? '';
}

/** The value of a flag as `--minutes=30`. */
function numberOf(flag: string, usual: number): number {
  const text = textOf(flag);
  const value = text === '' ? usual : Number(text);
  if (value > 0) return value;
  console.error(`--${flag} must be a number above 0, as --${flag}=${usual}.`);
  return process.exit(2);
}

const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  dispatch: benchDispatch,
  attacks: () =>
    benchAttacks({
      ...{ isKept, runs: numberOf('runs', 3), attacks: numberOf('attacks', Infinity) },
      ...{ atOnce: numberOf('at-once', 3), only: textOf('only') },
    }),
  catalogue: async () => [
    ...(await benchCatalogue(numberOf('items', 100_000), textOf('only'))),
    ...(textOf('only') === '' ? await benchPictures() : []),
  ],
  clients: benchClients,
  channel: () => benchChannel(textOf('only')),
  start: benchStart,
  scan: () => benchScan(10_000),
  search: () => benchSearch(100_000),
  filter: () => benchFilter(100_000),
  identity: benchIdentity,
  playback: async () => {
    const only = textOf('only');
    if (only === 'players') return benchPlayers();
    if (only === 'pictures' || only === 'viewers') return benchPlayers(only);
    return [...(await benchPlayback()), ...(await benchConversions()), ...(await benchPlayers())];
  },
  'bare-fastify': () => benchBareFastify(numberOf('items', 10_000)),
  live: () => benchLive(numberOf('clients', 2000)),
  overload: () => benchOverload(numberOf('items', 100_000)),
  soak: () => benchSoak(numberOf('hours', numberOf('minutes', 10) / 60) * 60),
  'first-scan': () => benchFirstScan(numberOf('files', 100_000)),
  million: () => benchMillion(numberOf('files', 1_000_000)),
  matching: () =>
    benchMatching({
      ...{ films: numberOf('films', 50_000), names: numberOf('names', 10_000) },
      ...{ albums: numberOf('albums', 10_000), copies: numberOf('copies', 400) },
      ...{ books: numberOf('books', 20_000), titles: numberOf('titles', 3000) },
      merged: numberOf('merged', 1000),
      only: textOf('only'),
    }),
  mutated: benchMutated,
  pictures: benchPictures,
  quotas: benchQuotas,
  'host-calls': benchHostCalls,
  ingest: () => benchIngest(10_000),
  'ingest-100k': () => benchIngest(100_000),
  kills: () => benchKills(1000),
  faults: () => benchFaults(numberOf('further', 100), textOf('only')),
  told: () => benchTold(textOf('only')),
  web: () => benchWeb(numberOf('titles', 100_000), textOf('only')),
  webhooks: () => benchWebhooks(100_000),
};

/** A minute and more, half an hour with the peers, minutes of restarts: only when they are asked for by name. */
const long: ReadonlySet<string> = new Set([
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
  'soak',
  'told',
  'web',
  'webhooks',
]);

const unknown = asked.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}"; there are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : long.has(name)) continue;
  for (const figure of await bench()) console.log(figureLine(figure));
}
