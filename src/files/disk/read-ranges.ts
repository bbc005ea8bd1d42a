/** Reads many ranges of many files in one message, since a message costs more than a read. */
import type { Roots } from './confinement.ts';
import type { ReadRange } from './disk.ts';
import { createOpenFiles, fill, type OpenRegularFile } from './open-files.ts';
import { failedRange, lengthBytes } from './range-pack.ts';

/** A range and its file; `null` = it cannot be read. */
interface Task {
  readonly file: OpenRegularFile | null;
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads the ranges, in the form of `host.fs.readRanges`. A file that cannot be read fails only its
 * own ranges. A range ends with its file.
 */
export function readRanges(ranges: readonly ReadRange[], roots: Roots): Uint8Array<ArrayBuffer> {
  const files = createOpenFiles(roots);
  try {
    return readAll(
      ranges.map(({ path, offset, length }) => {
        const file = files.find(path);
        return {
          file,
          offset,
          length: file ? Math.min(length, Math.max(0, file.size - offset)) : 0,
        };
      }),
    );
  } finally {
    files.close();
  }
}

function readAll(tasks: readonly Task[]): Uint8Array<ArrayBuffer> {
  const bound = tasks.reduce((sum, { length }) => sum + lengthBytes + length, 0);
  const answer = new Uint8Array(bound);
  const view = new DataView(answer.buffer);
  let end = 0;
  for (const task of tasks) {
    const length = read(task, answer.subarray(end + lengthBytes, end + lengthBytes + task.length));
    view.setUint32(end, length ?? failedRange);
    end += lengthBytes + (length ?? 0);
  }
  return end === bound ? answer : answer.slice(0, end);
}

function read({ file, offset }: Task, bytes: Uint8Array): number | null {
  if (!file) return null;
  try {
    return fill(file.fd, offset, bytes);
  } catch {
    return null;
  }
}
