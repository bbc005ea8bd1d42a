/**
 * Whether each bench is as small as it can be (`--smallest`). It then shows that it works, in seconds;
 * its figures say nothing, and it writes no page.
 */
export const isSmallest = process.argv.includes('--smallest');

/** A size of a bench: the usual one, or the least that still does each of its steps. */
export const sized = (usual: number, least: number): number => (isSmallest ? least : usual);
