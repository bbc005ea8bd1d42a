import type { Roots } from './confinement.ts';
import { fingerprintOf, samplesOf } from './fingerprint.ts';
import { createOpenFiles, fill, type OpenRegularFile } from './open-files.ts';

/**
 * The fingerprints of files below the roots; `null` for one that is unreadable or shrinks
 * meanwhile.
 */
export function readFingerprints(
  paths: readonly string[],
  roots: Roots,
): readonly (string | null)[] {
  const files = createOpenFiles(roots);
  try {
    return paths.map((path) => readFingerprint(files.find(path)));
  } finally {
    files.close();
  }
}

function readFingerprint(file: OpenRegularFile | null): string | null {
  if (!file) return null;
  try {
    const samples: Uint8Array[] = [];
    for (const { offset, length } of samplesOf(file.size)) {
      const bytes = new Uint8Array(length);
      if (fill(file.fd, offset, bytes) < length) return null;
      samples.push(bytes);
    }
    return fingerprintOf(file.size, samples);
  } catch {
    return null;
  }
}
