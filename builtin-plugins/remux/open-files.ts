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

export interface OpenFiles {
  /** Reads the index of a file. */
  readonly read: (asked: AskedFile, host: Host) => Promise<OpenMedia>;
  /** The file as it was read last. */
  readonly get: (asked: AskedFile, host: Host) => Promise<OpenMedia>;
  /** A reader for one plan. */
  readonly reader: (file: ProbeFile, host: Host) => FileReader;
}

/** Creates an empty set of files. */
export function createOpenFiles(): OpenFiles {
  const kept = new Map<string, { readonly opened: Promise<OpenMedia>; heldBytes: number }>();
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
    get: (asked, host) => {
      const key = keyOf(asked);
      const entry = kept.get(key);
      if (entry === undefined) return read(asked, host);
      kept.delete(key);
      kept.set(key, entry);
      return entry.opened;
    },
    reader: (file, host) => createReaders({ fs: host.fs }).open(file, planBudget),
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
