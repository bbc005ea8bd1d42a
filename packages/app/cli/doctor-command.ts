/** `vitrine doctor`: the problems of this installation, and their remedies. */
import type { Command } from 'commander';
import { readConfig } from '../../../src/platform/config.ts';
import type { ShownFinding } from '../../../src/operations/doctor/index.ts';
import { addSettings } from './setting-options.ts';

export interface DoctorCommandParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The output folder of the build. */
  readonly folder?: string;
  readonly write: (text: string) => void;
}

type Ask = (run: () => Promise<number>) => void;

const placeKeys: ReadonlySet<string> = new Set([
  'host',
  'port',
  'data',
  'database',
  'storageDriver',
  'backupFolder',
  'publicUrl',
  'trustedProxy',
]);

/** Adds the command; `ask` receives the task that was asked for. */
export function addDoctorCommand(program: Command, parts: DoctorCommandParts, ask: Ask): void {
  const doctor = program
    .command('doctor')
    .description(
      'list the problems of this installation and their remedies; exit code 1 = there are some',
    )
    .option('--json', 'print JSON, for scripts');
  addSettings(doctor, placeKeys).action(
    ({ json, ...flags }: Record<string, string> & { json?: true }) => {
      const { env, cwd, folder = import.meta.dirname, write } = parts;
      const config = readConfig({ flags, env, cwd });
      ask(async () => {
        const { examineInstallation, findingIn } =
          await import('../../../src/operations/doctor/index.ts');
        const found = await examineInstallation({ config, folder, now: Date.now() });
        const findings = found.map((one) => findingIn(one, null));
        write(json === true ? `${JSON.stringify({ findings }, null, 2)}\n` : textOf(findings));
        return findings.some(({ state }) => state === 'bad') ? 1 : 0;
      });
    },
  );
}

const marks = { good: 'ok  ', hint: 'hint', bad: 'BAD ' } as const;

function textOf(findings: readonly ShownFinding[]): string {
  const lines = findings.flatMap(({ check, state, what, remedy }) => [
    `${marks[state]} ${check}: ${printable(what)}`,
    ...(remedy === null ? [] : [`       -> ${printable(remedy)}`]),
  ]);
  const count = (state: ShownFinding['state']) =>
    findings.filter((one) => one.state === state).length;
  return `${lines.join('\n')}\n\n${count('bad')} bad, ${count('hint')} hints, ${count('good')} ok\n`;
}

/** Removes control characters: names of libraries and files may hold any character. */
const printable = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?');
