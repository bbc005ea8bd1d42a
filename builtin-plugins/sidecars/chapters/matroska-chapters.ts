import { childOf, childrenOf, textOf, type XmlElement } from '../xml/xml-element.ts';
import { toSeconds, type ChapterMark } from './chapter-times.ts';

/** Chapters as mkvextract writes them, of the default edition or the first; empty when there are none. */
export function readMatroskaChapters(root: XmlElement): readonly ChapterMark[] {
  const editions = root.name === 'chapters' ? childrenOf(root, 'editionentry') : [];
  const edition = editions.find((one) => textOf(one, 'editionflagdefault') === '1') ?? editions[0];
  if (edition === undefined) return [];
  return childrenOf(edition, 'chapteratom').flatMap((atom) => {
    const start = toSeconds(textOf(atom, 'chaptertimestart'));
    if (start === undefined || isHidden(atom)) return [];
    const display = childOf(atom, 'chapterdisplay');
    const title = display && textOf(display, 'chapterstring');
    return [{ start, end: toSeconds(textOf(atom, 'chaptertimeend')), title }];
  });
}

const isHidden = (atom: XmlElement): boolean =>
  textOf(atom, 'chapterflaghidden') === '1' || textOf(atom, 'chapterflagenabled') === '0';
