import { Command } from 'commander';
import { badCommandLine } from './bad-command-line.ts';
import { addPluginCommands } from '../plugins/plugin-commands.ts';
import type { ProgramParts } from '../program.ts';

/** The task that was asked for, or the exit code when there is nothing more to do. */
type Asked =
  | { readonly command: 'task'; readonly run: () => Promise<number> }
  | { readonly command: 'none'; readonly exitCode: number };

/** Parses the command line of the package `vitrine`, which has the plugin commands alone. */
export function parseAuthorProgram(parts: ProgramParts): Asked {
  let asked: Asked = { command: 'none', exitCode: 0 };
  const program = new Command('vitrine')
    .description('Makes, tests and packs plugins of Vitrine.')
    .version(parts.version)
    .exitOverride()
    .configureOutput({ writeOut: parts.write, writeErr: () => undefined });
  addPluginCommands(program, parts, (run) => (asked = { command: 'task', run }));
  try {
    program.parse([...parts.args], { from: 'user' });
  } catch (error) {
    return badCommandLine(error, parts);
  }
  return asked;
}
