import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The scripts that a browser loads before these can run: they and all that they import. */
export function firstScripts(folder: string, entries: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    const text = readFileSync(path.join(folder, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
      walk(imported);
  };
  entries.forEach(walk);
  return found;
}
