import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './key-parts.ts';
import { homeOf } from './home-folder.ts';
import type { SplitPath } from './split-path.ts';

/** Words that mark a part of a film in a file name. */
const partMark = /[ ._-]*(?:cd|disc|disk|dvd|part|pt)[ ._-]?\d{1,2}$/i;

/**
 * A film with its parts, versions and extras: one title and year in one folder; folders of discs,
 * versions and extras belong to their film.
 */
export function filmKey(path: SplitPath, identification: Identification | null): string {
  if (identification === null) {
    const home = homeOf(path.folders);
    return keyFrom('film', home, fold(path.stem.replace(partMark, '')), '');
  }
  const { title, metadata, edition } = identification;
  const home = homeOf(path.folders, edition ?? undefined);
  return keyFrom('film', home, fold(title), part(metadata, 'year'));
}
