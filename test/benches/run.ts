/**
 * `npm run bench [-- name …]`: figures as ratios against bare limits of the same run, since the
 * machine is noisy and seconds travel badly. It prints; it is no test and gates nothing.
 */
import { benchBareFastify } from './bare-fastify.ts';
import { benchDispatch } from './dispatch.ts';
import { benchFaults } from './faults.ts';
import { figureLine, type Figure } from './figure.ts';
import { benchFilter } from './filter.ts';
import { benchIdentity } from './identity.ts';
import { benchIngest } from './ingest.ts';
import { benchKills } from './kills.ts';
import { benchMutated } from './mutated.ts';
import { benchScan } from './scan.ts';
import { benchQuotas } from './quotas.ts';
import { benchSearch } from './search.ts';
import { benchStart } from './start.ts';

const benches: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  dispatch: benchDispatch,
  start: benchStart,
  scan: () => benchScan(10_000),
  search: () => benchSearch(100_000),
  filter: () => benchFilter(100_000),
  identity: benchIdentity,
  'bare-fastify': () => benchBareFastify(10_000),
  mutated: benchMutated,
  ingest: () => benchIngest(10_000),
  'ingest-100k': () => benchIngest(100_000),
  kills: () => benchKills(50),
  faults: () => benchFaults(500),
};

  quotas: benchQuotas,
/** Half an hour with the peers, minutes of restarts: only when they are asked for by name. */
const long: ReadonlySet<string> = new Set(['ingest-100k', 'kills', 'faults']);

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}"; there are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : long.has(name)) continue;
  for (const figure of await bench()) console.log(figureLine(figure));
}
