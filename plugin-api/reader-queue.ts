/**
 * Collects reads of many readers into one host call. The call is sent when the running code has come
 * to rest (some turns of the microtask queue later), so files that are read in parallel share calls:
 * 32 small files cost one call.
 */
import type { FsService, ReadFileInput } from './host/fs.ts';
import { splitRanges } from './ranges.ts';
import { ReaderError } from './reader-error.ts';

const rangesPerCall = 64;
const bytesPerCall = 4 * 1024 * 1024;
/** The microtask turns to wait: how deep awaits may be nested between an answer and the next read. */
const turnsOfRest = 24;

interface Wanted {
  readonly range: ReadFileInput;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: ReaderError) => void;
}

/** Reads one range, at most 1 MiB; fewer bytes at the end of the file. */
type RangeQueue = (range: ReadFileInput) => Promise<Uint8Array>;

/** Creates a queue over `host.fs`. */
export function createRangeQueue(fs: Pick<FsService, 'readRanges'>): RangeQueue {
  let waiting: Wanted[] = [];

  async function sendWhenQuiet(): Promise<void> {
    for (let turn = 0; turn < turnsOfRest; turn++) await Promise.resolve();
    const wanted = waiting;
    waiting = [];
    for (const share of intoCalls(wanted)) void send(fs, share);
  }

  return (range) =>
    new Promise((resolve, reject) => {
      waiting.push({ range, resolve, reject });
      if (waiting.length === 1) void sendWhenQuiet();
    });
}

async function send(fs: Pick<FsService, 'readRanges'>, wanted: readonly Wanted[]): Promise<void> {
  let parts: readonly (Uint8Array | null)[];
  try {
    parts = splitRanges(await fs.readRanges({ ranges: wanted.map(({ range }) => range) }));
  } catch (error) {
    const why = error instanceof Error ? error.message : 'The file could not be read.';
    for (const { reject } of wanted) reject(new ReaderError('unreadable', why));
    return;
  }
  wanted.forEach(({ resolve, reject }, at) => {
    const bytes = parts[at];
    if (bytes) resolve(bytes);
    else reject(new ReaderError('unreadable', 'The file could not be read.'));
  });
}

function intoCalls(wanted: readonly Wanted[]): readonly (readonly Wanted[])[] {
  const calls: Wanted[][] = [];
  let call: Wanted[] = [];
  let bytes = 0;
  for (const one of wanted) {
    if (call.length === rangesPerCall || bytes + one.range.length > bytesPerCall) {
      calls.push(call);
      call = [];
      bytes = 0;
    }
    call.push(one);
    bytes += one.range.length;
  }
  if (call.length > 0) calls.push(call);
  return calls;
}
