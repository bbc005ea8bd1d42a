import { watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

/** Watches the folders of some files, since a new file there may be the missing one. */
export type FileWatch = ReturnType<typeof createFileWatch>;

/** Editors write a file in several steps, and one file after the other. */
const settleMs = 40;

/** Calls when a file in these folders was written, created or removed, after a short pause without changes. */
export function createFileWatch(changed: () => void) {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  const hear = (name: string | null): void => {
    if (name !== null && /^\.|~$/.test(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, settleMs);
  };

  return {
    /** Replaces the watched folders with those of these files. */
    follow: (files: readonly string[]): void => {
      const folders = new Set(files.map((file) => path.dirname(file)));
      for (const [folder, watcher] of watchers) {
        if (folders.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      for (const folder of folders) {
        if (watchers.has(folder)) continue;
        const watcher = watch(folder, (_event, name) => hear(name));
        watcher.on('error', () => undefined);
        watchers.set(folder, watcher);
      }
    },
    close: (): void => {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
