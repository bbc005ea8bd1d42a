import { editionRows } from '../words/edition-words.ts';
import { languageRows } from '../words/language-words.ts';
import { releaseRows } from '../words/release-words.ts';
import { createWordTable } from './word-table.ts';

/** All words about how a release was made. */
export const knownWords = createWordTable([...releaseRows, ...languageRows, ...editionRows]);
