import { CommanderError } from 'commander';
import { ConfigError } from '../../../../src/platform/config.ts';

/** The command line, and where a mistake in it is reported. */
interface CommandLine {
  readonly args: readonly string[];
  readonly complain: (text: string) => void;
}

/** The command line ran no command. */
interface NoCommand {
  readonly command: 'none';
  readonly exitCode: number;
}

/** Reports a mistake in the command line in one line; rejects any other error. */
export function badCommandLine(error: unknown, { complain, args }: CommandLine): NoCommand {
  if (error instanceof ConfigError) complain(`vitrine: ${error.message}\n`);
  else if (!(error instanceof CommanderError)) throw error;
  else if (error.code === 'commander.help') {
    const said = args.map((arg) => `${arg} `).join('');
    const example = args.length === 0 ? ', for example: vitrine serve' : '';
    complain(
      `vitrine: a command is missing${example}. vitrine ${said}--help lists all commands.\n`,
    );
  } else if (error.exitCode === 0) return { command: 'none', exitCode: 0 };
  else
    complain(
      `vitrine: ${error.message
        .replace(/^error: /, '')
        .split('\n')
        .join(' ')}\n`,
    );
  return { command: 'none', exitCode: 2 };
}
