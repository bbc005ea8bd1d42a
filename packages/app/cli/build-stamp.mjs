/**
 * Decides whether `dist/` is up to date with the sources. Plain JavaScript, because the bootstrap
 * runs it on any Node version.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const sourceFolders = [
  'kernel',
  'packages',
  'src',
  'plugin-api',
  'manifests-schema',
  'builtin-plugins',
];

/**
 * A fingerprint of the sources by name, size and time of change.
 *
 * @param {string} root the project's folder
 * @returns {string}
 */
export function sourceStamp(root) {
  const hash = createHash('sha256');
  for (const folder of sourceFolders) addFolder(hash, root, folder);
  const lock = path.join(root, 'package-lock.json');
  hash.update(statSync(lock, { throwIfNoEntry: false })?.size.toString() ?? '');
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} folder
 */
function addFolder(hash, root, folder) {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    if (entry.isDirectory()) addFolder(hash, root, name);
    else if (!/\.(?:test|generated)\.ts/.test(entry.name)) {
      const { size, mtimeMs } = statSync(path.join(root, name));
      hash.update(`${name}:${size}:${mtimeMs}\n`);
    }
  }
}

/**
 * @param {string} root
 * @returns {boolean}
 */
export function isBuilt(root) {
  try {
    return readFileSync(path.join(root, 'dist/stamp'), 'utf8') === sourceStamp(root);
  } catch {
    return false;
  }
}
