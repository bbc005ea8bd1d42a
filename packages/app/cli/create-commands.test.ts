import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { manifestOf } from '../../../test/support/plugins/packages.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { parseProgram } from './program.ts';

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

async function vitrine(args: readonly string[], typed?: string) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['plugin', ...args],
    env: {},
    cwd: folder,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
    stdin: Object.assign(new PassThrough().end(typed ?? ''), { isTTY: typed !== undefined }),
  });
  const exitCode = asked.command === 'task' ? await asked.run() : 2;
  return { output, complaint, exitCode };
}

const today = () => new Date().toISOString().slice(0, 10);
const manifestIn = (name: string) =>
  JSON.parse(readFileSync(path.join(folder, name, 'manifest.json'), 'utf8')) as object;

describe('vitrine plugin create', () => {
  test('asks nothing when all options are given, and prints the next step', async () => {
    const made = await vitrine(['create', 'film-tags', '--template', 'hook', '--author', 'Ada']);

    expect(made).toMatchObject({ exitCode: 0, complaint: '' });
    expect(made.output).toContain('cd film-tags\n');
    expect(made.output).not.toContain('Template:');
    expect(manifestIn('film-tags')).toMatchObject({
      id: 'film-tags',
      author: 'Ada',
      compatibilityDate: today(),
    });
  });

  test('asks at a terminal for the template and the author', async () => {
    const made = await vitrine(['create', 'told'], 'notifier\nAda\n');

    expect(made.exitCode).toBe(0);
    expect(manifestIn('told')).toMatchObject({ id: 'told', author: 'Ada' });
  });

  test('refuses bad options in one line that names what would be right', async () => {
    mkdirSync(path.join(folder, 'full'));
    writeFileSync(path.join(folder, 'full/notes.txt'), 'mine');

    const full = await vitrine(['create', 'full', '--template', 'hook']);
    const unknown = await vitrine(['create', 'a', '--template', 'theme']);
    const silent = await vitrine(['create', 'a']);

    expect(full).toMatchObject({
      exitCode: 1,
      output: '',
      complaint: expect.stringMatching(/^vitrine: .*is not empty.*\n$/),
    });
    expect(unknown.complaint).toMatch(/"theme" is unknown; known are hook, indexer/);
    expect(silent.complaint).toMatch(/Choose a --template: hook/);
  });
});

describe('vitrine plugin migrate', () => {
  function write(fields: object): void {
    mkdirSync(path.join(folder, 'old'), { recursive: true });
    const manifest = manifestOf({ id: 'old', ...fields });
    writeFileSync(path.join(folder, 'old/manifest.json'), JSON.stringify(manifest));
  }

  test('lists the changes between the date of the plugin and another date, and changes nothing', async () => {
    write({});
    const before = manifestIn('old');

    const told = await vitrine(['migrate', 'old', '--to', '2026-12-01']);

    expect(told).toMatchObject({ exitCode: 0, complaint: '' });
    expect(told.output).toMatch(/^2026-11-21 {2}A manifest names the day .*\n {2}Nothing: /);
    expect(told.output).toMatch(/is unchanged: --apply sets its compatibility date to 2026-12-01/);
    expect(manifestIn('old')).toEqual(before);
  });

  test('writes the new date with --apply, next to the server version, and once', async () => {
    write({});
    const before = manifestIn('old');

    const moved = await vitrine(['migrate', 'old', '--to', '2026-12-01', '--apply']);
    const again = await vitrine(['migrate', 'old', '--to', '2026-11-25', '--apply']);

    const keys = Object.keys(manifestIn('old'));
    expect(moved.output).toContain('old now has the compatibility date 2026-12-01.');
    expect(manifestIn('old')).toEqual({ ...before, compatibilityDate: '2026-12-01' });
    expect(keys.indexOf('compatibilityDate')).toBe(keys.indexOf('minVersion') + 1);
    expect(again.output).toMatch(/has the compatibility date 2026-12-01: it needs no change/);
  });

  test('says so when nothing changed since the date of the plugin', async () => {
    write({ compatibilityDate: '2026-11-21' });

    const { output } = await vitrine(['migrate', 'old', '--to', '2026-11-22']);

    expect(output).toMatch(/^Nothing changed since 2026-11-21\.\n/);
  });

  test('refuses an invalid date, a missing folder and a missing manifest', async () => {
    write({ version: '1' });

    const noDay = await vitrine(['migrate', 'old', '--to', 'tomorrow']);
    const none = await vitrine(['migrate', 'nowhere']);
    const broken = await vitrine(['migrate', 'old']);

    expect(noDay).toMatchObject({ exitCode: 1, complaint: expect.stringMatching(/--to tomorrow/) });
    expect(none.complaint).toMatch(/nowhere has no manifest.json/);
    expect(broken.complaint).toMatch(/version: "1" is not a strict/);
  });
});
