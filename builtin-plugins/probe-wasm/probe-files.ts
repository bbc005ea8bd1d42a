/** `probe.probe`: one file after the other, since each MediaInfo needs its own memory. */
import {
  createReaders,
  ReaderError,
  type Handler,
  type ProbeFile,
  type ProbeInput,
  type ProbeOutcome,
  type ProbeResult,
  type Readers,
} from '../../plugin-api/index.ts';
import { createMediaInfoPool } from './media-info.ts';
import { readTracks, type ReadTracks } from './read-tracks.ts';
import { toReport } from './track-report.ts';

/** What one file may cost. */
const limits = { milliseconds: 8000, reads: 5000 } as const;
const leastBytes = 1024 * 1024;
const mostBytes = 8 * 1024 * 1024;
const share = 0.02;

const pool = createMediaInfoPool();

export const probeFiles: Handler<ProbeInput, ProbeResult> = async ({ files }, host) => {
  const readers = createReaders({ fs: host.fs });
  const results: ProbeOutcome[] = [];
  for (const file of files) results.push(await probeFile(file, readers));
  return { results };
};

async function probeFile(file: ProbeFile, readers: Readers): Promise<ProbeOutcome> {
  if (file.size === 0) return failed('truncated', 'The file is empty.');
  try {
    const { tracks, warnings } = await lookInto(file, readers);
    const report = toReport(tracks, warnings);
    return report === undefined
      ? failed('malformed', 'There is nothing to play in the file.')
      : { kind: 'read', report };
  } catch (error) {
    if (error instanceof ReaderError) return failed(error.code, error.message);
    return failed('malformed', 'The file could not be understood.');
  }
}

/** MediaInfo's report of a file. If it fails, its instance is discarded. */
export async function lookInto(file: ProbeFile, readers: Readers): Promise<ReadTracks> {
  const bytes = Math.min(mostBytes, Math.max(leastBytes, file.size * share));
  const mediaInfo = await pool.take();
  const found = await readTracks(mediaInfo, readers.open(file, { ...limits, bytes }));
  pool.giveBack(mediaInfo);
  return found;
}

function failed(
  code: Extract<ProbeOutcome, { kind: 'failed' }>['code'],
  message: string,
): ProbeOutcome {
  return { kind: 'failed', code, message };
}
