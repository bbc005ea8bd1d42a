import { Option, type Command } from 'commander';
import { settings } from '../../../src/platform/config.ts';

/** Adds settings to a command, spelled as for `vitrine serve`: those with these keys, or all. */
export function addSettings(command: Command, keys: ReadonlySet<string> | 'all'): Command {
  for (const { key, flag, argument, help, isRepeatable } of settings) {
    if (keys !== 'all' && !keys.has(key)) continue;
    const option = new Option(`--${flag} <${argument}>`, help);
    if (isRepeatable === true) option.argParser(gather);
    command.addOption(option);
  }
  return command.exitOverride();
}

/** The settings that say where the database is. */
export const databaseSettings: ReadonlySet<string> = new Set(['data', 'database', 'storageDriver']);

const gather = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];
