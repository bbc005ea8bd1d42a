import type { Config } from '../../platform/config.ts';
import { probeFolder } from '../../platform/folder-probe.ts';
import { isHeld } from '../../platform/data-folder/index.ts';
import { examineData, firstStart, isThere } from './data.ts';
import { examineDatabase } from './database.ts';
import { hint, type Finding } from './finding.ts';
import { examineMachine } from './machine.ts';
import { examineReachability } from './reachability.ts';
import { examineSandbox } from './sandbox.ts';
import { examineTranscoder } from './transcoder.ts';
import { say } from '../../platform/text.ts';

/** The input of the checks. */
export interface ExamineParts {
  readonly config: Config;
  /** The output folder of the build. */
  readonly folder: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Tries to write into a folder. */
  readonly probe?: typeof probeFolder;
}

/** Checks the whole installation, without changing it; a server may be running. */
export async function examineInstallation(parts: ExamineParts): Promise<readonly Finding[]> {
  const { config, folder, now, probe = probeFolder } = parts;
  const machine = [
    ...examineMachine(config),
    ...(await examineSandbox(folder, config.pluginIsolation)),
    await examineTranscoder(config),
  ];
  if (!isThere(config)) {
    const what = say('doctor.placeDoesNotExistYet', { folder: config.data });
    return [...machine, hint('data folder', { what, remedy: firstStart })];
  }
  const isRunning = isHeld(config.data);
  return [
    ...machine,
    ...(await examineData(config, now, probe)),
    ...(await examineDatabase(config, isRunning, probe)),
    ...(await examineReachability(config, isRunning)),
  ];
}
