/** Packages come from where this machine is set to get them, so no file names a registry. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Without their last parts, so that this file names none. */
const names = ['registry.npmjs', 'registry.yarnpkg', 'npm.pkg.github', 'deb.debian', 'ftp.debian'];
const hosts = [...names, 'security.debian', 'snapshot.debian', 'archive.ubuntu'].map((name) =>
  RegExp(`${name.replaceAll('.', String.raw`\.`)}${String.raw`\.(org|com)\b`}`),
);

/** What is written for people, and what npm writes. */
const isLeftOut = (file: string): boolean =>
  /^docs\/|(^|\/)(package-lock\.json|[^/]+\.(png|webp|jpg|woff2|wasm))$|licen[cs]es?\b/i.test(file);

test('no file names the host of a registry of packages', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && !isLeftOut(file));

  const naming = files.filter((file) => {
    const text = readFileSync(path.join(root, file), 'latin1');
    return hosts.some((host) => host.test(text));
  });

  expect(naming).toEqual([]);
});
