import type { Identification } from '../../../plugin-api/index.ts';
import { findDate } from '../reading/dates.ts';
import type { FilePath } from '../reading/file-path.ts';
import { tokenize } from '../reading/tokens.ts';
import { compact, type IdentifyContext } from './identify-context.ts';
import { pendingEntity } from './pending-entity.ts';

const shelves = /^(?:dcim|camera|photos?|pictures?|\d{3}[a-z_]{3,5}|\d{4}|\d{1,2}|\d{4}-\d{2})$/i;

/** A photo: its name unchanged, the day from its name, the year from that or a folder, the album folder. */
export function identifyPhoto(path: FilePath, context: IdentifyContext): Identification {
  const at = path.folders.findLastIndex((name) => !shelves.test(name));
  const album = path.folders[at]?.replace(/_/g, ' ').trim();
  const place = [context.libraryId, ...path.folders.slice(0, at + 1)].join('/');
  const takenAt = dayOf(path.stem, context);
  return compact({
    title: path.stem.trim() || 'Untitled',
    metadata: compact({
      album,
      takenAt,
      year: yearOf(takenAt) ?? folderYear(path.folders, context),
    }),
    classification: 'primary' as const,
    entities:
      album === undefined
        ? undefined
        : {
            album: [{ ...pendingEntity('album', album), ids: { folder: { id: printOf(place) } } }],
          },
    confidence: 0.5,
  });
}

/**
 * Two folders of one name are two albums, so an album is known by its place. The print of a path
 * tells nobody the path.
 */
function printOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b9];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b) ^ (other >>> 13);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
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
