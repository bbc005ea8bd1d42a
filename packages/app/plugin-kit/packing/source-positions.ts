/** Maps a position in the script of an isolate to the author's source line. */
import path from 'node:path';
import { silentLog } from '../../../../kernel/index.ts';
import { createPacker } from '../../../../kernel/run/scripts/index.ts';

/** Finds the author's lines. */
export type SourcePositions = Awaited<ReturnType<typeof createSourcePositions>>;

/** Positions of a module with an inline source map; the folder is what its sources are relative to. */
export async function createSourcePositions(module: string, folder: string) {
  const packer = createPacker({ cacheFolder: folder, log: silentLog });
  const find = await packer.positions(module, folder);
  return {
    /**
     * One frame of a stack, as `sends (<folder>/index.ts:12:5)`; `null` = it is not in the author's
     * code.
     */
    place: (frame: string): string | null => {
      const found = /^\s*at (?:async )?(?:([^(]*?) \()?.*?:(\d+):(\d+)\)?$/.exec(frame);
      if (!found) return null;
      const [, name = '', line, column] = found;
      const origin = find(Number(line), Number(column));
      if (origin?.source == null || origin.source.includes('vitrine-test-harness')) return null;
      const at = `${path.resolve(folder, origin.source)}:${origin.line}:${origin.column}`;
      return name === '' || name === 'eval' || name.includes('wrapper') ? at : `${name} (${at})`;
    },
  };
}
