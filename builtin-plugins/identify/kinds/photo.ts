import type { Identification } from '../../../plugin-api/index.ts';
import { findDate } from '../reading/dates.ts';
import type { FilePath } from '../reading/file-path.ts';
import { tokenize } from '../reading/tokens.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

const shelves = /^(?:dcim|camera|photos?|pictures?|\d{3}[a-z_]{3,5}|\d{4}|\d{1,2}|\d{4}-\d{2})$/i;

/** A photo: its name unchanged, the day from its name, the year from that or a folder, the album folder. */
export function identifyPhoto(path: FilePath, context: IdentifyContext): Identification {
  const folder = path.folders.findLast((name) => !shelves.test(name));
  const album = folder === undefined ? undefined : folder.replace(/_/g, ' ').trim();
  const takenAt = dayOf(path.stem, context);
  return compact({
    title: path.stem.trim() || 'Untitled',
    metadata: compact({
      album,
      takenAt,
      year: yearOf(takenAt) ?? folderYear(path.folders, context),
    }),
    classification: 'primary' as const,
    entities: album === undefined ? undefined : { album: [pendingEntity('album', album)] },
    confidence: 0.5,
  });
}

/** The day that a name tells, as yyyy-mm-dd. */
const dayOf = (text: string, context: IdentifyContext): string | undefined =>
  findDate(tokenize(text.slice(0, 200)), context.thisYear)?.date;

const yearOf = (day: string | undefined): number | undefined =>
  day === undefined ? undefined : Number(day.slice(0, 4));

function folderYear(folders: readonly string[], context: IdentifyContext): number | undefined {
  for (const folder of folders.toReversed()) {
    const plain = /(?:^|[ _(])((?:18|19|20)\d\d)(?=[-_. )]|$)/.exec(folder);
    const year = plain === null ? yearOf(dayOf(folder, context)) : Number(plain[1]);
    if (year !== undefined && year <= context.thisYear + 1) return year;
  }
  return undefined;
}
