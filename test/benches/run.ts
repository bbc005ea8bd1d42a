/**
 * `npm run bench [-- name …] [--smallest]`: figures as ratios against bare limits of the same run, since
 * the machine is noisy and seconds travel badly. It prints figures and fails nothing. With `--smallest`
 * each bench only shows that it works, and how long that took.
 */
import { benches, long } from './benches.ts';
import { figureLine } from './figure.ts';
import { GaveUp } from './failures/patience.ts';
import { isSmallest } from './size.ts';

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.find((name) => !(name in benches));
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}"; there are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 ? !asked.includes(name) : long.has(name)) continue;
  const start = performance.now();
  const figures = await bench().catch(giveUp);
  for (const figure of figures) console.log(figureLine(figure));
  if (isSmallest) console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

function giveUp(error: unknown): never {
  if (!(error instanceof GaveUp)) throw error;
  console.error(error.message);
  process.exit(1);
}
