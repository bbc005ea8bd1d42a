import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Media servers of others that are measured beside ours, in the same run. */
export const peerNames = ['minidlna', 'mpd', 'gerbera'] as const;

export type PeerName = (typeof peerNames)[number];

/** What a peer took, in seconds. */
export interface PeerFigures {
  readonly name: PeerName;
  readonly first: number;
  readonly again: number;
}

/** A folder of scripts that measure them; `''` = none is measured. */
const scripts = process.env['BENCH_PEERS'] ?? '';

/**
 * Measures a peer over a copy of the library. `null`, with a line that says why, when its script is
 * not there, its Debian package cannot be had, or it does not come to an end.
 */
export function measurePeer(name: PeerName, library: string): PeerFigures | null {
  if (scripts === '') return skipped(name, 'set BENCH_PEERS to the folder of its script');
  const script = path.join(scripts, `${name}.sh`);
  if (!existsSync(script)) return skipped(name, `${script} is not there`);
  try {
    const output = execFileSync(script, [library, '--reps', '1', '--searches', '1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    const found = JSON.parse(output) as Readonly<Record<string, unknown>>;
    const [first, again] = [Number(found['scan_s']), Number(found['rescan_s'])];
    if (first > 0 && again > 0) return { name, first, again };
    return skipped(name, 'it gave no figures');
  } catch (cause) {
    return skipped(name, reasonOf(cause));
  }
}

function skipped(name: PeerName, reason: string): null {
  console.log(`skip ${name}: ${reason}`);
  return null;
}

/** A script that fails still says why on its standard output. */
function reasonOf(cause: unknown): string {
  const output = cause instanceof Error && 'stdout' in cause ? String(cause.stdout).trim() : '';
  return output === '' ? String(cause) : output;
}
