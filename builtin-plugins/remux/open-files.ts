/**
 * The files that were opened last, since a player asks for many segments of one file. `transcode.index`
 * always reads again: the server calls it when the file has changed.
 */
import {
  createReaders,
  type FileReader,
  type Host,
  type ProbeFile,
} from '../../plugin-api/index.ts';
import { openFile } from './formats.ts';
import { indexBudget, mostHeldBytes, mostOpenFiles, planBudget } from './limits.ts';
import type { AskedFile, OpenMedia } from './media/open-media.ts';

export type OpenFiles = ReturnType<typeof createOpenFiles>;

/** Creates an empty set of files. */
export function createOpenFiles() {
  const kept = new Map<string, { readonly opened: Promise<OpenMedia>; heldBytes: number }>();
  /** Reads the index of a file. */
  const read = (asked: AskedFile, host: Host): Promise<OpenMedia> => {
    const key = keyOf(asked);
    const reader = createReaders({ fs: host.fs }).open(asked.file, indexBudget(asked.file.size));
    const entry = { opened: openFile(reader, asked), heldBytes: 0 };
    kept.delete(key);
    kept.set(key, entry);
    entry.opened.then(
      ({ heldBytes }) => {
        entry.heldBytes = heldBytes;
        forgetOldest(kept, key);
      },
      () => {
        if (kept.get(key) === entry) kept.delete(key);
      },
    );
    return entry.opened;
  };
  return {
    read,
    /** The file as it was read last. */
    get: (asked: AskedFile, host: Host): Promise<OpenMedia> => {
      const key = keyOf(asked);
      const entry = kept.get(key);
      if (entry === undefined) return read(asked, host);
      kept.delete(key);
      kept.set(key, entry);
      return entry.opened;
    },
    /** A reader for one plan. */
    reader: (file: ProbeFile, host: Host): FileReader =>
      createReaders({ fs: host.fs }).open(file, planBudget),
  };
}

function keyOf({ file, state }: AskedFile): string {
  return `${file.size} ${file.uri} ${state ?? ''}`;
}

/** Drops the files that were not used for the longest time, but not the one that was opened now. */
function forgetOldest(
  kept: Map<string, { readonly opened: Promise<OpenMedia>; heldBytes: number }>,
  current: string,
): void {
  let held = 0;
  for (const { heldBytes } of kept.values()) held += heldBytes;
  for (const [key, { heldBytes }] of kept) {
    if (held <= mostHeldBytes && kept.size <= mostOpenFiles) return;
    if (key === current) continue;
    kept.delete(key);
    held -= heldBytes;
  }
}
