import { describe, expect, test } from 'vitest';
import { settings } from '../../../src/platform/config.ts';
import { parseProgram } from './program.ts';

function run(...args: readonly string[]) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args,
    env: {},
    cwd: '/media',
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
  });
  return { asked, output, complaint };
}

describe('vitrine serve', () => {
  test('reads its settings from flags, a repeatable one several times', () => {
    const { asked } = run('serve', '--port', '0', '--library', 'tv:A:/a', '--library', 'tv:B:/b');

    expect(asked).toMatchObject({
      command: 'serve',
      config: { port: 0, libraries: [{ name: 'A' }, { name: 'B' }] },
    });
  });

  test('lists every setting in its help', () => {
    const { asked, output } = run('serve', '--help');

    expect(asked).toEqual({ command: 'none', exitCode: 0 });
    for (const { flag } of settings) expect(output).toContain(`--${flag} <`);
  });
});

describe('a mistake is reported in one line that names it, with exit code 2', () => {
  test.each([
    ['an unknown option', ['serve', '--prot', '1'], /^vitrine: unknown option '--prot'/],
    ['an unknown command', ['serv'], /^vitrine: unknown command 'serv'/],
    ['a bad value', ['serve', '--port', 'x'], /^vitrine: --port x: it must be a number/],
    [
      'a command of several',
      ['license'],
      /a command is missing. vitrine license --help lists all commands/,
    ],
    ['no command', [], /^vitrine: a command is missing, for example: vitrine serve/],
  ])('%s', (_, args, message) => {
    const { asked, complaint } = run(...args);

    expect(asked).toEqual({ command: 'none', exitCode: 2 });
    expect(complaint).toMatch(message);
    expect(complaint.trimEnd()).not.toContain('\n');
  });
});

test('the version is that of the server', () => {
  expect(run('--version').output.trim()).toBe('1.2.3');
});
