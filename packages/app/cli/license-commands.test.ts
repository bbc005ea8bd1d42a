import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { verifyLicenseKey } from '../../../src/operations/license/index.ts';
import { parseProgram } from './program.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function vitrine(...args: readonly string[]) {
  let output = '';
  let complaint = '';
  const asked = parseProgram({
    args: ['license', ...args],
    env: {},
    cwd: folder,
    version: '1.2.3',
    write: (text) => (output += text),
    complain: (text) => (complaint += text),
  });
  const exitCode = asked.command === 'task' ? await asked.run() : 2;
  return { output, complaint, exitCode };
}

async function keygen(): Promise<string> {
  const { output } = await vitrine('keygen', '--out', 'issuer.key');
  return /[0-9a-f]{64}/.exec(output)?.[0] ?? '';
}

describe('vitrine license', () => {
  test('keygen creates a private key that only its owner can read, and prints the public key', async () => {
    const issuer = await keygen();

    const file = path.join(folder, 'issuer.key');
    expect(issuer).not.toBe('');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY');
    await expect(vitrine('keygen', '--out', 'issuer.key')).rejects.toThrow(/never overwritten/);
  });

  test('issue prints a key with the requested claims, and nothing else', async () => {
    const issuer = await keygen();
    const limits = ['--limit', 'users=5', '--limit', 'libraries=2'];
    const wanted = ['--id', 'l-1', '--tier', 'home', '--seats', '3', '--days', '30', ...limits];

    const { output } = await vitrine('issue', '--key', 'issuer.key', ...wanted);

    const verdict = verifyLicenseKey(output.trimEnd(), issuer);
    expect(verdict).toMatchObject({
      ok: true,
      claims: { id: 'l-1', tier: 'home', seats: 3, limits: { users: 5, libraries: 2 } },
    });
    if (verdict.ok) expect(verdict.claims.exp - verdict.claims.iat).toBe(30 * 86_400);
    expect(output).not.toContain('PRIVATE');
  });

  test('inspect prints the claims of a key and its validity, and never the whole key', async () => {
    const issuer = await keygen();
    const key = (await vitrine('issue', '--key', 'issuer.key', '--tier', 'home')).output.trim();

    const { output, exitCode } = await vitrine('inspect', key, '--issuer', issuer);

    expect(exitCode).toBe(0);
    expect(output).toMatch(/^tier +home$/m);
    expect(output).toMatch(/^signature +good$/m);
    expect(output).not.toContain(key);
    const other = await vitrine('inspect', key, '--issuer', 'ab'.repeat(32));
    expect(other).toMatchObject({ exitCode: 1, output: expect.stringMatching(/signature +bad/) });
    expect(await vitrine('inspect', 'hello')).toMatchObject({
      exitCode: 1,
      complaint: expect.stringContaining('this is not a license key'),
    });
  });

  test.each([
    [['issue', '--key', 'issuer.key', '--tier', 'a', '--limit', 'films=1'], /--limit films=1: /],
    [['issue', '--key', 'issuer.key', '--tier', 'a', '--seats', '0'], /--seats 0: .* from 1 to/],
    [['issue', '--key', 'issuer.key', '--tier', 'a', '--days', '1e9'], /--days 1e9: /],
    [
      ['issue', '--key', 'issuer.key', '--tier', 'a', '--expires', '2001-01-01'],
      /a date in the future/,
    ],
    [['issue', '--key', 'issuer.key', '--tier', ' '], /--id and --tier: 1 to 100 characters/],
    [['issue', '--key', 'gone.key', '--tier', 'a'], /there is no such file; keygen creates one/],
    [['issue', '--key', 'text.key', '--tier', 'a'], /not a private key made by .* keygen/],
    [['issue', '--key', 'open.key', '--tier', 'a'], /can be read by other users/],
    [['authority', '--issuer', 'abc'], /--issuer abc: .* 64 hex digits/],
    [['authority', '--issuer', 'ab'.repeat(32), '--port', 'x'], /--port x: /],
  ])('%j is refused in one line that names the fault', async (args, message) => {
    await keygen();
    writeFileSync(path.join(folder, 'text.key'), 'hello', { mode: 0o600 });
    writeFileSync(path.join(folder, 'open.key'), 'hello');
    chmodSync(path.join(folder, 'open.key'), 0o644);

    await expect(vitrine(...args)).rejects.toThrow(message);
  });
});
