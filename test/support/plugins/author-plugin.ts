/** The folder of a plugin as its author has it, for tests of what authors try it out with. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder that is written to like by an editor. */
export interface AuthorFolder {
  readonly folder: string;
  readonly write: (name: string, text: string) => void;
  readonly remove: () => void;
}

/** Makes it, with a manifest that says what every manifest must, and `index.ts`. */
export function createAuthorFolder(manifest: object, source: string): AuthorFolder {
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-author-'));
  const write = (name: string, text: string): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('manifest.json', authorManifest(manifest));
  write('index.ts', source);
  return { folder, write, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A manifest as text. */
export const authorManifest = (fields: object): string =>
  JSON.stringify({
    manifestVersion: 1,
    id: 'tried-out',
    name: 'Tried out',
    version: '1.0.0',
    description: 'For tests of the kit.',
    author: 'Its author',
    license: 'MIT',
    main: 'index.js',
    minVersion: '>=0.1.0',
    capabilities: [],
    mediaTypes: [],
    permissions: {},
    ...fields,
  });
