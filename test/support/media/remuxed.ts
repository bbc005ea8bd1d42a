/** Runs the plugin `remux` over files that are there, and looks at what it makes with ffprobe. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOpenFiles } from '../../../builtin-plugins/remux/open-files.ts';
import { createTranscoding } from '../../../builtin-plugins/remux/transcoding.ts';
import type {
  SegmentPlan,
  TranscodeFailure,
  TranscodeIndex,
  TranscodeTrack,
} from '../../../plugin-api/index.ts';
import { createRangeHost, probeFileOf } from './probe-host.ts';

/** The index of a file, and the bytes of its segments. */
export interface Remuxed {
  readonly index: TranscodeIndex;
  readonly track: (kind: 'video' | 'audio', place?: number) => TranscodeTrack;
  readonly init: (track: TranscodeTrack) => Promise<Buffer>;
  readonly segment: (track: TranscodeTrack, n: number, keyframeOnly?: true) => Promise<Buffer>;
  /** Init and all segments, one after the other. */
  readonly whole: (track: TranscodeTrack) => Promise<Buffer>;
  readonly asked: { calls: number; bytes: number };
}

/** Opens a file as the server does; follows an index that is not complete. */
export async function remux(file: string): Promise<Remuxed> {
  const { host, asked } = createRangeHost();
  const calls = createTranscoding(createOpenFiles());
  const probed = probeFileOf(file, statSync(file).size);
  let index = told(await calls.index({ file: probed, state: null }, host));
  for (let turn = 0; !index.isComplete && turn < 1000; turn++) {
    index = told(await calls.index({ file: probed, state: index.state }, host));
  }
  const input = { file: probed, state: index.state };
  const init = async ({ id }: TranscodeTrack): Promise<Buffer> =>
    bytesOf(file, told(await calls.init({ ...input, track: id }, host)));
  const segment = async (
    { id }: TranscodeTrack,
    n: number,
    keyframeOnly?: true,
  ): Promise<Buffer> => {
    const { timescale, cuts, duration } = index;
    const [start = 0, end = duration] = [cuts[n], cuts[n + 1]];
    const at = { n, timescale, start, end, ...(keyframeOnly && { keyframeOnly }) };
    return bytesOf(file, told(await calls.segment({ ...input, track: id, ...at }, host)));
  };
  return {
    index,
    asked,
    init,
    segment,
    track: (kind, place = 0) => {
      const found = index.tracks.filter((track) => track.kind === kind)[place];
      if (found === undefined) throw new Error(`${file} has no ${kind} ${place}`);
      return found;
    },
    whole: async (track) => {
      const parts = [await init(track)];
      for (let n = 0; n < index.cuts.length; n++) parts.push(await segment(track, n));
      return Buffer.concat(parts);
    },
  };
}

function told<Answer>(answer: Answer | TranscodeFailure): Answer {
  const { kind, code, message } = answer as Partial<TranscodeFailure>;
  if (kind === 'failed') throw new Error(`${code}: ${message}`);
  return answer as Answer;
}

/** The bytes of a plan, as the server sends them. */
export function bytesOf(file: string, { head, inserts, pieces }: SegmentPlan): Buffer {
  const made = Buffer.from(inserts ?? '', 'base64');
  const descriptor = openSync(file, 'r');
  try {
    const parts = pieces.map(([offset, length, from]) => {
      if (from === 'inserts') return made.subarray(offset, offset + length);
      const bytes = Buffer.alloc(length);
      if (readSync(descriptor, bytes, 0, length, offset) !== length) throw new Error('cut short');
      return bytes;
    });
    return Buffer.concat([Buffer.from(head, 'base64'), ...parts]);
  } finally {
    closeSync(descriptor);
  }
}

/** A packet as ffprobe sees it. */
export interface SeenPacket {
  /** Seconds. */
  readonly pts: number;
  readonly duration: number;
  readonly size: number;
  readonly hash: string;
  readonly isKey: boolean;
  /** Whether an edit list shows it. */
  readonly isShown: boolean;
}

/** The packets of one stream, in the order of decoding. */
export function packetsIn(media: string | Buffer, stream = '0', extension = 'mp4'): SeenPacket[] {
  return withFile(media, extension, (file) => {
    const shown = ['-show_packets', '-show_data_hash', 'md5'];
    const args = ['-v', 'error', '-select_streams', stream, ...shown, '-of', 'json', file];
    const text = execFileSync('ffprobe', args, { maxBuffer: 1 << 29 }).toString();
    const { packets } = JSON.parse(text) as {
      readonly packets: Readonly<Record<string, string>>[];
    };
    return packets.map((packet) => ({
      pts: Number(packet['pts_time']),
      duration: Number(packet['duration_time']),
      size: Number(packet['size']),
      hash: String(packet['data_hash']),
      isKey: (packet['flags'] ?? '').startsWith('K'),
      isShown: !(packet['flags'] ?? '').includes('D'),
    }));
  });
}

/** What ffmpeg complains about while it decodes; empty when all is well. */
export function faultsIn(media: string | Buffer, extension = 'mp4'): string {
  return withFile(media, extension, (file) =>
    execFileSync('sh', ['-c', 'ffmpeg -v error -nostdin -i "$0" -f null - 2>&1', file]).toString(),
  );
}

/** The MD5 of each decoded picture or piece of sound. */
export function decodedIn(media: string | Buffer, stream = '0', extension = 'mp4'): string[] {
  return withFile(media, extension, (file) => {
    const input = ['-v', 'error', '-nostdin', '-i', file, '-map', `0:${stream}`];
    const args = [...input, '-vsync', 'passthrough', '-f', 'framemd5'];
    const lines = execFileSync('ffmpeg', [...args, '-'], { maxBuffer: 1 << 28 }).toString();
    const shown = lines.split('\n').filter((line) => /^\d/.test(line));
    return shown.map((line) => line.split(',').at(-1)?.trim() ?? '');
  });
}

/** How many samples of sound a player hears: from the time 0 on. */
export function samplesIn(media: string | Buffer): number {
  return withFile(media, 'mp4', (file) => {
    const heard = ['-map', '0:a', '-af', 'atrim=start=0', '-ac', '1', '-f', 's16le'];
    const args = ['-v', 'error', '-nostdin', '-copyts', '-i', file, ...heard];
    return execFileSync('ffmpeg', [...args, '-'], { maxBuffer: 1 << 28 }).length / 2;
  });
}

function withFile<Value>(
  media: string | Buffer,
  extension: string,
  look: (file: string) => Value,
): Value {
  if (typeof media === 'string') return look(media);
  const folder = mkdtempSync(path.join(tmpdir(), 'vitrine-remuxed-'));
  try {
    const file = path.join(folder, `made.${extension}`);
    writeFileSync(file, media);
    return look(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
