/** Duration and frame rates from the media itself, when the headers lack them. */
import { i16, indexOfBytes, u8 } from '../../../media-headers/bytes/numbers.ts';
import { readUpTo, type ByteSource } from '../../../media-headers/bytes/byte-source.ts';
import { frameRate } from '../../../media-headers/codecs/video-format.ts';
import { Element, type ElementPlace } from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';

const tailBytes = 128 * 1024;
const clusterMark = [0x1f, 0x43, 0xb6, 0x75];
const fewestFrames = 6;

/** Seconds from the start to the last block in the end of the file. */
export async function readLastTimestamp(
  source: ByteSource,
  scale: number,
  first: ElementPlace | undefined,
): Promise<number | undefined> {
  if (first === undefined) return undefined;
  const from = Math.max(first.start, source.size - tailBytes);
  const tail = await readUpTo(source, from, tailBytes);
  let last: number | undefined;
  for (let at = indexOfBytes(tail, clusterMark); at >= 0;) {
    const next = indexOfBytes(tail, clusterMark, at + 4);
    const cluster = blocksIn(tail.subarray(at, next < 0 ? tail.length : next));
    const latest = Math.max(...cluster.map(({ time }) => time), last ?? 0);
    if (cluster.length > 0) last = latest;
    at = next;
  }
  return last === undefined || last <= 0 ? undefined : last * scale;
}

/** Frames per second by track number, from the first cluster. */
export async function measureFrameRates(
  source: ByteSource,
  cluster: ElementPlace | undefined,
  scale: number,
): Promise<ReadonlyMap<number, number>> {
  const rates = new Map<number, number>();
  if (cluster === undefined) return rates;
  const blocks = blocksIn(await readUpTo(source, cluster.start, 64 * 1024));
  const times = Map.groupBy(blocks, ({ track }) => track);
  for (const [track, ofTrack] of times) {
    const sorted = ofTrack.map(({ time }) => time).sort((one, other) => one - other);
    const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
    if (sorted.length < fewestFrames || last <= first) continue;
    // Times are usually whole milliseconds, so a few frames are not exact.
    const rate = frameRate((sorted.length - 1) / ((last - first) * scale), 0.01);
    if (rate !== undefined) rates.set(track, rate);
  }
  return rates;
}

interface BlockTime {
  readonly track: number;
  readonly time: number;
}

/** Blocks of a cluster, which may be cut off. */
function blocksIn(bytes: Uint8Array): readonly BlockTime[] {
  const from = 4 + (Math.clz32(u8(bytes, 4)) - 23);
  const cluster = new Element(bytes.subarray(from));
  const base = cluster.uint(ids.timestamp) ?? 0;
  const blocks: BlockTime[] = [];
  cluster.forEach((id, content) => {
    const block =
      id === ids.simpleBlock
        ? content()
        : id === ids.blockGroup
          ? content().find(ids.block)
          : undefined;
    const head = block?.content ?? new Uint8Array(0);
    const track = head[0] ?? 0;
    if (track > 0x80 && head.length >= 4) {
      blocks.push({ track: track & 0x7f, time: base + i16(head, 1) });
    }
    return true;
  });
  return blocks;
}
