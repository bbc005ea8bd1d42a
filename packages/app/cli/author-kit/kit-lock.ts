/** The lock file of a new plugin: the packages of the kit, and those of others that they and the templates need. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { lockedPackages, type LockedPackages, type LockEntry } from './locked-packages.ts';
import type { NpmPackage } from './npm-package.ts';

/**
 * The text of `package-lock.json` without the plugin itself, which `create` adds; `null` where this
 * project has no lock file.
 */
export async function kitLock(root: string, kit: readonly NpmPackage[]): Promise<string | null> {
  const text = await readFile(path.join(root, 'package-lock.json'), 'utf8').catch(() => null);
  if (text === null) return null;
  const { packages: known } = JSON.parse(text) as { readonly packages: LockedPackages };
  const wanted = await wantedByTemplates(path.join(root, 'plugin-api/create/templates'));
  const own = kit.filter(({ listed }) => wanted.has(listed.name));
  for (const { listed, manifest } of own) {
    wanted.delete(listed.name);
    const { dependencies, optionalDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) wanted.add(name);
  }
  const packages = {
    ...Object.fromEntries(own.map((one) => [`node_modules/${one.listed.name}`, entryOf(one)])),
    ...lockedPackages([...wanted], known),
  };
  return `${JSON.stringify({ packages }, null, 2)}\n`;
}

async function wantedByTemplates(folder: string): Promise<Set<string>> {
  const wanted = new Set<string>();
  for (const name of await readdir(folder)) {
    const text = await readFile(path.join(folder, name, 'package.json'), 'utf8');
    const { devDependencies } = JSON.parse(text) as { readonly devDependencies: object };
    for (const one of Object.keys(devDependencies)) wanted.add(one);
  }
  return wanted;
}

/** What npm keeps of a `package.json` in a lock file. */
const kept = ['version', 'license', 'bin', 'engines'].concat([
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
]);

function entryOf({ listed, manifest }: NpmPackage): LockEntry {
  const own = Object.entries(manifest).filter(([key]) => kept.includes(key));
  return { ...Object.fromEntries(own), integrity: listed.integrity, dev: true };
}
