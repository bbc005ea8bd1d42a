/** `vitrine users`: for whoever has the machine and cannot come in by the front door. */
import type { Command } from 'commander';
import { readConfig, type ConfigSources } from '../config.ts';
import { addSettings, databaseSettings } from './setting-options.ts';
import { runUsersList, runUsersReset, type UsersTaskParts } from './users.ts';

/** What the commands need of the program. */
export interface UserCommandParts
  extends Omit<UsersTaskParts, 'config'>, Omit<ConfigSources, 'flags'> {
  /** Where a password is read from when that is asked for. */
  readonly stdin?: NodeJS.ReadableStream;
}

type Ask = (run: () => Promise<number>) => void;

interface Flags {
  readonly data?: string;
  readonly database?: string;
  readonly storageDriver?: string;
}

interface ResetFlags extends Flags {
  readonly stdin?: true;
  readonly removePasskeys?: true;
}

/** Adds the commands; `ask` takes what is to be done. */
export function addUserCommands(program: Command, parts: UserCommandParts, ask: Ask): void {
  const { env, cwd, write, complain } = parts;
  const users = program.command('users').description('look after accounts').exitOverride();
  const list = users.command('list').description('list all users').exitOverride();
  const reset = users
    .command('reset')
    .argument('<name>')
    .description('give a user a new password, which is printed, and end their sessions')
    .option('--stdin', 'take the new password from the first line of the standard input')
    .option('--remove-passkeys', 'remove their passkeys as well')
    .exitOverride();
  for (const command of [list, reset]) addSettings(command, databaseSettings);

  list.action(({ ...flags }: Flags) => {
    const config = readConfig({ flags, env, cwd });
    ask(() => runUsersList({ config, write, complain }));
  });

  reset.action((name: string, { stdin, removePasskeys, ...flags }: ResetFlags) => {
    const config = readConfig({ flags, env, cwd });
    const from = stdin === true ? (parts.stdin ?? process.stdin) : null;
    const removesPasskeys = removePasskeys === true;
    ask(() => runUsersReset({ config, name, stdin: from, removesPasskeys, write, complain }));
  });
}
