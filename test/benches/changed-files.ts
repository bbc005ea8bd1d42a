import { lutimesSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { readManifest } from '../support/made-library/made-library.ts';
import { median, type Figure } from './figure.ts';
import { sized } from './size.ts';

const everyHundredth = 100;
/** The first of them warms what a scan of nothing new never runs. */
const scansOfFew = sized(6, 2);
const scansOfAll = sized(3, 2);

/**
 * What a re-scan costs beyond one of nothing new, when each hundredth media file has changed and when all
 * have: were it by what has changed, the one would be a hundredth of the other. `rescan` gives the seconds
 * of one. The files have their times again when it is over.
 */
export async function changedFiles(
  rescan: () => Promise<number>,
  folder: string,
  unchanged: number,
): Promise<Figure> {
  const files = readManifest(folder).map((file) => path.join(folder, file.path));
  const beyond = async (every: number, scans: number): Promise<number> => {
    const times = [];
    for (let round = 0; round < scans; round++) {
      for (const file of files.filter((_, at) => at % every === round % every))
        lutimesSync(file, new Date(), new Date(lstatSync(file).mtimeMs + 1000));
      times.push(await rescan());
    }
    return median(times.slice(1)) - unchanged;
  };
  const before = files.map((file) => lstatSync(file));
  const few = await beyond(everyHundredth, scansOfFew);
  const all = await beyond(1, scansOfAll);
  for (const [at, { atime, mtime }] of before.entries()) lutimesSync(files[at] ?? '', atime, mtime);
  return {
    name: 'scan: again, 1 % changed, of what all changed costs',
    ours: few,
    bare: all,
    unit: 's',
    goal: 0.1,
  };
}
