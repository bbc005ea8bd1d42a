import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of films that have names and nothing in them. */
export interface FilmTree {
  readonly path: string;
  readonly remove: () => void;
}

const words = [
  'Lantern',
  'Harbour',
  'Winter',
  'Orchard',
  'Signal',
  'Meridian',
  'Sparrow',
  'Quarry',
];

/** Makes so many films, each in a folder of its own, a thousand of them in a folder. */
export function createFilmTree(count: number): FilmTree {
  const root = mkdtempSync(path.join(tmpdir(), 'vitrine-films-'));
  for (let at = 0; at < count; at += 1) {
    const name = `${words[at % words.length] ?? ''} ${words[(at >> 3) % words.length] ?? ''} ${at} (${1950 + (at % 70)})`;
    const folder = path.join(root, String(Math.floor(at / 1000)), name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${name}.mkv`), '');
  }
  return { path: root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
