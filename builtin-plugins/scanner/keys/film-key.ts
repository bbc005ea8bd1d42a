import type { Identification } from '../../../plugin-api/index.ts';
import { fold, keyFrom, part } from './fold.ts';
import { homeOf } from './home-folder.ts';
import type { SplitPath } from './split-path.ts';

/** What stands in a file's name for a part of a film. */
const partMark = /[ ._-]*(?:cd|disc|disk|dvd|part|pt)[ ._-]?\d{1,2}$/i;

/**
 * A film with its parts, versions and extras: what has one title and year in one folder, where the
 * folders of discs, versions and extras count as their film's.
 */
export function filmKey(path: SplitPath, identification: Identification | null): string {
  const home = homeOf(path.folders);
  if (identification === null) {
    return keyFrom('film', home, fold(path.stem.replace(partMark, '')), '');
  }
  const { title, metadata } = identification;
  return keyFrom('film', home, fold(title), part(metadata, 'year'));
}
