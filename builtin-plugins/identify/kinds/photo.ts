import type { Identification } from '../../../plugin-api/index.ts';
import { findDate } from '../reading/dates.ts';
import type { FilePath } from '../reading/file-path.ts';
import { tokenize } from '../reading/tokens.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

const shelves = /^(?:dcim|camera|photos?|pictures?|\d{3}[a-z_]{3,5}|\d{4}|\d{1,2}|\d{4}-\d{2})$/i;

/** A photo: its name unchanged, the year from the name or a folder, the album folder. */
export function identifyPhoto(path: FilePath, context: IdentifyContext): Identification {
  const folder = path.folders.findLast((name) => !shelves.test(name));
  const album = folder === undefined ? undefined : folder.replace(/_/g, ' ').trim();
  return compact({
    title: path.stem.trim() || 'Untitled',
    metadata: compact({
      album,
      year: yearOf(path.stem, context) ?? folderYear(path.folders, context),
    }),
    classification: 'primary' as const,
    entities: album === undefined ? undefined : { album: [pendingEntity('album', album)] },
    confidence: 0.5,
  });
}

function yearOf(text: string, context: IdentifyContext): number | undefined {
  const found = findDate(tokenize(text.slice(0, 200)), context.thisYear);
  return found === undefined ? undefined : Number(found.date.slice(0, 4));
}

function folderYear(folders: readonly string[], context: IdentifyContext): number | undefined {
  for (const folder of folders.toReversed()) {
    const plain = /(?:^|[ _(])((?:18|19|20)\d\d)(?=[-_. )]|$)/.exec(folder);
    const year = plain === null ? yearOf(folder, context) : Number(plain[1]);
    if (year !== undefined && year <= context.thisYear + 1) return year;
  }
  return undefined;
}
