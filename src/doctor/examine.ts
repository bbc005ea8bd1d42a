import type { Config } from '../config.ts';
import { isHeld } from '../data-folder.ts';
import { examineData, isThere } from './data.ts';
import { examineDatabase } from './database.ts';
import { hint, type Finding } from './finding.ts';
import { examineMachine } from './machine.ts';
import { examineReach } from './reach.ts';
import { examineSandbox } from './sandbox.ts';

/** What the looks need. */
export interface ExamineParts {
  readonly config: Config;
  /** What the build made. */
  readonly folder: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Looks at everything that an installation needs; changes nothing, beside a running server too. */
export async function examineInstallation(parts: ExamineParts): Promise<readonly Finding[]> {
  const { config, folder, now } = parts;
  const machine = [...examineMachine(), ...(await examineSandbox(folder, config.pluginIsolation))];
  if (!isThere(config)) {
    const what = `${config.data} is not there yet.`;
    return [...machine, hint('data folder', { what, remedy: 'The first start makes it.' })];
  }
  return [
    ...machine,
    ...examineData(config, now),
    ...(await examineDatabase(config)),
    ...(await examineReach(config, isHeld(config.data))),
  ];
}
