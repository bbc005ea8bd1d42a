/** Chapters of a Matroska file: those of the edition that a player uses. */
import type { FoundChapter } from '../../media.ts';
import type { Element } from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';

const deepest = 4;
const mostChapters = 2000;

export function readMatroskaChapters(
  part: Element | undefined,
): readonly FoundChapter[] | undefined {
  const editions = part?.all(ids.edition) ?? [];
  const shown = editions.filter((edition) => edition.uint(ids.editionHidden) !== 1);
  const edition = shown.find((one) => one.uint(ids.editionDefault) === 1) ?? shown[0];
  return edition && chaptersIn(edition, 1).slice(0, mostChapters);
}

/** Nested chapters come after their parent. */
function chaptersIn(parent: Element, depth: number): readonly FoundChapter[] {
  if (depth > deepest) return [];
  return parent.all(ids.chapterAtom).flatMap((atom) => {
    if (atom.uint(ids.chapterHidden) === 1 || atom.uint(ids.chapterEnabled) === 0) return [];
    const start = atom.uint(ids.chapterStart) ?? 0;
    const end = atom.uint(ids.chapterEnd);
    const chapter: FoundChapter = {
      startTime: start / 1e9,
      endTime: end === undefined || end <= start ? undefined : end / 1e9,
      title: atom.find(ids.chapterDisplay)?.text(ids.chapterString),
    };
    return [chapter, ...chaptersIn(atom, depth + 1)];
  });
}
