import type { Identification, IndexFile, IndexResult } from '../../plugin-api/index.ts';
import { isLater } from './ask.ts';

/** Identifies each file; those that could not be asked about now are in `later`. */
export async function identifyAll(
  files: readonly IndexFile[],
  identify: (file: IndexFile) => Promise<Identification | null>,
): Promise<IndexResult> {
  const later: number[] = [];
  const one = async (file: IndexFile, place: number): Promise<Identification | null> => {
    try {
      return await identify(file);
    } catch (error) {
      if (!isLater(error)) throw error;
      later.push(place);
      return null;
    }
  };
  const results = await Promise.all(files.map(one));
  return { results, later: later.sort((a, b) => a - b) };
}
