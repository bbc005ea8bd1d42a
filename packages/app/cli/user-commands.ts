/** `vitrine users`: for an operator who has access to the machine and cannot sign in. */
import type { Command } from 'commander';
import { readConfig, type ConfigSources } from '../../../src/platform/config.ts';
import { addSettings, databaseSettings } from './setting-options.ts';
import { runUsersList, runUsersReset, type UsersTaskParts } from './users.ts';

export interface UserCommandParts
  extends Omit<UsersTaskParts, 'config'>, Omit<ConfigSources, 'flags'> {
  /** Standard input, for a password. */
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

/** Adds the commands; `ask` receives the task that was asked for. */
export function addUserCommands(program: Command, parts: UserCommandParts, ask: Ask): void {
  const { env, cwd, write, complain } = parts;
  const users = program
    .command('users')
    .description('list accounts and reset passwords')
    .exitOverride();
  const list = users.command('list').description('list all users').exitOverride();
  const reset = users
    .command('reset')
    .argument('<name>')
    .description('give a user a new password, print it, and end the user’s sessions')
    .option('--stdin', 'read the new password from the first line of standard input')
    .option('--remove-passkeys', 'remove the user’s passkeys as well')
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
