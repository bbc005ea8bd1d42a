import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './key-parts.ts';
import { filmHomeOf, homeOf } from './home-folder.ts';
import type { SplitPath } from './split-path.ts';

/** Words that mark a part of a film in a file name. */
const partMark = /[ ._-]*(?:cd|disc|disk|dvd|part|pt)[ ._-]?\d{1,2}$/i;

/**
 * A film with its parts, versions and extras: one title and year in one folder; folders of discs,
 * versions and extras belong to their film.
 */
export function filmKey(path: SplitPath, identification: Identification | null): string {
  if (identification === null) {
    return keyFrom('film', homeOf(path.folders), fold(path.stem.replace(partMark, '')), '');
  }
  const { title, metadata, edition, classification = 'primary' } = identification;
  const isExtra = classification !== 'primary';
  const home = filmHomeOf(path.folders, { edition, isExtra });
  return keyFrom('film', home, fold(title), part(metadata, 'year'));
}
