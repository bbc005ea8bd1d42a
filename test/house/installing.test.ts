/** What the files of docs/install say of the server is what the server says of itself. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { serverEnvironment, serverFlags } from '../../packages/app/cli/server-flags.mjs';
import { settings } from '../../src/platform/config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(path.join(root, 'docs', name), 'utf8');
const isSystemd = existsSync('/usr/bin/systemd-analyze');

/** Flags of other programs that the same lines have. */
const pages = ['installing.md', 'reverse-proxy.md', 'upgrading.md', 'monitoring.md'];

describe('docs/install', () => {
  test('the image starts the server as npm start does', () => {
    const dockerfile = read('install/Dockerfile');
    const [, entry = ''] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];

    expect(JSON.parse(entry)).toEqual(['node', ...serverFlags, '/app/dist/server.mjs']);
    for (const [name, value] of Object.entries(serverEnvironment))
      expect(dockerfile).toContain(`${name}=${value}`);
    expect(dockerfile).toMatch(/^USER 8360:8360$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  test('the services of compose.yaml may do no more than they need', () => {
    const { services } = parse(read('install/compose.yaml')) as {
      services: { vitrine: Record<string, unknown> };
    };

    expect(services.vitrine).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(existsSync(path.join(root, 'docs/install', '../../docs/install/Dockerfile'))).toBe(true);
  });

  test.skipIf(!isSystemd)('systemd takes the unit (needs systemd)', async () => {
    const unit = path.join(root, 'docs/install/vitrine.service');
    const text = readFileSync(unit, 'utf8');

    expect(text).toMatch(
      /^ExecStart=\S+ \/opt\/vitrine\/packages\/app\/cli\/bootstrap\.mjs serve /m,
    );
    const { stdout } = await promisify(execFile)('systemd-analyze', [
      'security',
      '--offline=true',
      // Namespaces for plugins count for half a point.
      '--threshold=25',
      unit,
    ]);
    expect(stdout).toContain('Overall exposure level');
  });

  test('every variable and file that the pages name is there', () => {
    const known = new Set([...settings.map(({ env }) => env), 'VITRINE_ADMIN_TOKEN']);
    const texts = [
      ...pages,
      ...readdirSync(path.join(root, 'docs/install'), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => `install/${name}`),
    ].map(read);

    for (const [name] of texts.join('\n').matchAll(/\bVITRINE_[A-Z_]+/g))
      expect(known).toContain(name);
    for (const [, file = ''] of texts
      .join('\n')
      .matchAll(/\bdocs\/([\w/-]+\.(?:md|yaml|service|json))/g))
      expect(existsSync(path.join(root, 'docs', file)), file).toBe(true);
  });
});
