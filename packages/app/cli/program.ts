import { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../../../src/platform/config.ts';
import { runAuditVerify } from './audit-verify.ts';
import { badCommandLine } from './author-kit/bad-command-line.ts';
import { addBackupCommands } from './backup-commands.ts';
import { addBrokerCommands } from './broker-commands.ts';
import { addDatabaseCommands } from './database-commands.ts';
import { addDoctorCommand } from './doctor-command.ts';
import { addLicenseCommands } from './license-commands.ts';
import { addPluginCommands } from './plugins/plugin-commands.ts';
import { addSettings, databaseSettings } from './setting-options.ts';
import { addUserCommands } from './user-commands.ts';

/** The command that was asked for. */
export type Asked =
  | { readonly command: 'serve'; readonly config: Config }
  /** A short task; it returns the exit code. */
  | { readonly command: 'task'; readonly run: () => Promise<number> }
  /** Help or the version was printed, or a mistake was reported; nothing more to do. */
  | { readonly command: 'none'; readonly exitCode: number };

/** The command line, and the outputs. */
export interface ProgramParts {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** The output folder of the build. */
  readonly folder?: string;
  readonly write: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Standard input, for a password. */
  readonly stdin?: NodeJS.ReadableStream;
}

/** Parses the command line. A mistake is reported in one line that names it. */
export function parseProgram(parts: ProgramParts): Asked {
  let asked: Asked = { command: 'none', exitCode: 0 };
  const program = new Command('vitrine')
    .description('A self-hosted media server in which every feature is a sandboxed plugin.')
    .version(parts.version)
    .exitOverride()
    .configureOutput({ writeOut: parts.write, writeErr: () => undefined });
  const serve = program.command('serve').description('run the server').exitOverride();
  addSettings(serve, 'all');
  serve.action((flags: Record<string, string | readonly string[]>) => {
    const { env, cwd } = parts;
    asked = { command: 'serve', config: readConfig({ flags, env, cwd }) };
  });
  addAuditCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addBackupCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addBrokerCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addDatabaseCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addDoctorCommand(program, parts, (run) => (asked = { command: 'task', run }));
  addLicenseCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addPluginCommands(program, parts, (run) => (asked = { command: 'task', run }));
  addUserCommands(program, parts, (run) => (asked = { command: 'task', run }));
  try {
    program.parse([...parts.args], { from: 'user' });
  } catch (error) {
    return badCommandLine(error, parts);
  }
  return asked;
}

function addAuditCommands(
  program: Command,
  { env, cwd, write, complain }: ProgramParts,
  ask: (run: () => Promise<number>) => void,
): void {
  const audit = program.command('audit').description('check the audit log').exitOverride();
  const verify = audit
    .command('verify')
    .description(
      'verify the chain of the audit log; exit code 0 = intact, 1 = broken, 2 = cannot be read',
    )
    .option('--head <hash>', 'the hash of an entry, noted elsewhere, that the log must contain')
    .exitOverride();
  addSettings(verify, databaseSettings).action(({ head, ...flags }: Record<string, string>) => {
    if (head !== undefined && !/^[0-9a-f]{64}$/i.test(head))
      throw new ConfigError(`--head ${head}: it must be a hash of the log, 64 hex digits.`);
    const config = readConfig({ flags, env, cwd });
    const noted = head?.toLowerCase() ?? null;
    ask(() => runAuditVerify({ config, noted, write, complain }));
  });
}
