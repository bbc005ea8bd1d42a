/** Between places in chapters and pages of a book, which are the same on every screen. */

interface HasPages {
  readonly pages: number;
}

/** The page of a place; `share` is 0 at the beginning of the chapter and 1 at its end. */
export function positionOf(chapters: readonly HasPages[], chapter: number, share: number): number {
  const before = chapters.slice(0, chapter).reduce((sum, { pages }) => sum + pages, 0);
  const pages = chapters[chapter]?.pages ?? 0;
  // The end of a chapter is not the beginning of the next.
  return before + Math.min(share * pages, pages - 0.01);
}

/** The place of a page. */
export function placeOf(
  chapters: readonly HasPages[],
  position: number,
): { readonly chapter: number; readonly share: number } {
  let before = 0;
  for (const [chapter, { pages }] of chapters.entries()) {
    if (position < before + pages)
      return { chapter, share: Math.max(0, (position - before) / pages) };
    before += pages;
  }
  return { chapter: Math.max(0, chapters.length - 1), share: 1 };
}
