import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of files for a test. */
export interface MediaTree {
  readonly path: string;
  /** Writes a file below it; its content is its own name unless given. */
  readonly write: (name: string, content?: string | Uint8Array) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  /** Removes a file or a folder below it; `.` empties it. */
  readonly drop: (name: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Makes a folder with files of these names. */
export async function createMediaTree(names: readonly string[] = []): Promise<MediaTree> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-media-'));
  const write = async (name: string, content: string | Uint8Array = name) => {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  for (const name of names) await write(name);
  const drop = async (name: string) => {
    await rm(path.join(folder, name), { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  };
  const move = (from: string, to: string) => rename(path.join(folder, from), path.join(folder, to));
  return {
    path: folder,
    write,
    move,
    drop,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
