/**
 * Blocks of PGS (pictures as subtitles, Blu-ray) as a `.sup` file. Each segment is checked before it is
 * written, so a browser that draws the file meets no picture that is larger than it says, no palette or
 * object that is cut short, and no chain of sets in which an object is defined twice.
 */
import { joined } from '../../media-headers/bytes/joined.ts';
import { u16 } from '../../media-headers/bytes/numbers.ts';

/** Writes the file. */
export type SupWriter = ReturnType<typeof createSupWriter>;

const kinds = { palette: 0x14, object: 0x15, composition: 0x16, window: 0x17, end: 0x80 } as const;
const mostWidth = 4096;
const mostHeight = 2304;
/** Of one object; the pictures of Blu-ray have 1920x1080. */
const mostPixels = 2_400_000;
const mostCompositions = 4;
/** Of one epoch; Blu-ray allows 64. */
const mostObjects = 64;
/** Sets that need an older one. */
const mostFollowers = 500;
const newestMs = Math.floor(0xffff_ffff / 90);

interface Segment {
  readonly kind: number;
  readonly bytes: Uint8Array;
}

/** The segments of a block, by sets: each ends with an end, or with the block. `null` = cut short. */
function setsOf(block: Uint8Array): readonly (readonly Segment[])[] | null {
  const sets: Segment[][] = [[]];
  for (let at = 0; at < block.length;) {
    if (at + 3 > block.length) return null;
    const kind = block[at] ?? 0;
    const end = at + 3 + u16(block, at + 1);
    if (end > block.length) return null;
    if (kind === kinds.end) sets.push([]);
    else sets.at(-1)?.push({ kind, bytes: block.subarray(at + 3, end) });
    at = end;
  }
  return sets.filter((set) => set.length > 0);
}

/** What a set shows, and what it brings. */
interface ReadSet {
  readonly isFirst: boolean;
  readonly palette: number;
  /** Ids of the objects and the windows that it shows. */
  readonly shown: readonly (readonly [object: number, window: number])[];
  readonly objects: ReadonlySet<number>;
  readonly palettes: ReadonlySet<number>;
  readonly windows: ReadonlySet<number>;
}

/** Checks a set; `null` = it is not one. */
function readSet(segments: readonly Segment[]): ReadSet | null {
  const [first, ...rest] = segments;
  if (first?.kind !== kinds.composition || rest.some(({ kind }) => kind === kinds.composition))
    return null;
  const shown = compositionsOf(first.bytes);
  if (shown === null) return null;
  const palettes = new Set<number>();
  const windows = new Set<number>();
  const objects = new Map<number, ObjectParts>();
  for (const { kind, bytes } of rest) {
    const isRight =
      kind === kinds.palette
        ? addPalette(bytes, palettes)
        : kind === kinds.window
          ? addWindows(bytes, windows)
          : kind === kinds.object && addObject(bytes, objects);
    if (!isRight) return null;
  }
  if (![...objects.values()].every(isWhole)) return null;
  const isFirst = (first.bytes[7] ?? 0) !== 0;
  const palette = first.bytes[9] ?? 0;
  return { isFirst, palette, shown, objects: new Set(objects.keys()), palettes, windows };
}

function compositionsOf(bytes: Uint8Array): ReadSet['shown'] | null {
  const count = bytes[10] ?? Infinity;
  if (bytes.length < 11 || count > mostCompositions) return null;
  if (u16(bytes, 0) > mostWidth || u16(bytes, 2) > mostHeight) return null;
  const shown: (readonly [number, number])[] = [];
  let at = 11;
  for (let left = count; left > 0; left -= 1) {
    if (at + 8 > bytes.length) return null;
    shown.push([u16(bytes, at), bytes[at + 2] ?? 0]);
    at += ((bytes[at + 3] ?? 0) & 0x80) === 0 ? 8 : 16;
  }
  return at <= bytes.length ? shown : null;
}

function addPalette(bytes: Uint8Array, palettes: Set<number>): boolean {
  palettes.add(bytes[0] ?? 0);
  return bytes.length >= 2 && (bytes.length - 2) % 5 === 0;
}

function addWindows(bytes: Uint8Array, windows: Set<number>): boolean {
  const count = bytes[0] ?? 0;
  for (let at = 0; at < count; at += 1) windows.add(bytes[1 + at * 9] ?? 0);
  return bytes.length === 1 + count * 9;
}

/** An object, and its runs in as many segments as they need. */
interface ObjectParts {
  readonly pixels: number;
  readonly parts: Uint8Array[];
}

function addObject(bytes: Uint8Array, objects: Map<number, ObjectParts>): boolean {
  if (bytes.length < 4) return false;
  const id = u16(bytes, 0);
  const isFirst = ((bytes[3] ?? 0) & 0x80) !== 0;
  const known = objects.get(id);
  if (!isFirst) {
    known?.parts.push(bytes.subarray(4));
    return known !== undefined;
  }
  if (bytes.length < 11 || known !== undefined) return false;
  const [width, height] = [u16(bytes, 7), u16(bytes, 9)];
  const pixels = width * height;
  objects.set(id, { pixels, parts: [bytes.subarray(11)] });
  return pixels > 0 && pixels <= mostPixels && width <= mostWidth && height <= mostHeight;
}

/** Whether the runs end where the bytes do, and have no more pixels than the object. */
function isWhole({ pixels, parts }: ObjectParts): boolean {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const runs = new Uint8Array(length);
  let to = 0;
  for (const part of parts) {
    runs.set(part, to);
    to += part.length;
  }
  let drawn = 0;
  let at = 0;
  while (at < length && drawn <= pixels) {
    const run = runs[at + 1] ?? 0;
    if (runs[at] !== 0) {
      [drawn, at] = [drawn + 1, at + 1];
      continue;
    }
    const isLong = (run & 0x40) !== 0;
    drawn += isLong ? (run & 0x3f) * 256 + (runs[at + 2] ?? 0) : run & 0x3f;
    at += 2 + (isLong ? 1 : 0) + ((run & 0x80) !== 0 ? 1 : 0);
  }
  return at === length && drawn <= pixels;
}

export function createSupWriter() {
  const parts: Uint8Array[] = [];
  let length = 0;
  let known = new Set<number>();
  let followers = 0;

  function write(segment: Segment, ms: number): void {
    const bytes = new Uint8Array(13 + segment.bytes.length);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0x5047);
    view.setUint32(2, Math.round(Math.min(newestMs, Math.max(0, ms)) * 90));
    view.setUint8(10, segment.kind);
    view.setUint16(11, segment.bytes.length);
    bytes.set(segment.bytes, 13);
    parts.push(bytes);
    length += bytes.length;
  }

  function addSet(segments: readonly Segment[], ms: number): void {
    const set = readSet(segments);
    if (set === null) return;
    const isAlone =
      set.palettes.has(set.palette) &&
      set.shown.every(([object, window]) => set.objects.has(object) && set.windows.has(window));
    const begins = set.isFirst || (isAlone && set.shown.length > 0);
    if (begins) {
      known = new Set();
      followers = 0;
    } else if ([...set.objects].some((object) => known.has(object))) return;
    followers += begins ? 0 : 1;
    for (const object of set.objects) known.add(object);
    if (followers > mostFollowers || known.size > mostObjects) return;
    for (const segment of segments) {
      if (segment.kind !== kinds.composition || !begins || set.isFirst) write(segment, ms);
      else {
        // It needs no older set, and says so.
        const bytes = segment.bytes.slice();
        bytes[7] = 0x40;
        write({ ...segment, bytes }, ms);
      }
    }
    write({ kind: kinds.end, bytes: new Uint8Array(0) }, ms);
  }

  return {
    /** Adds the sets of a block that begins at a time; what is damaged is left out. */
    add: (block: Uint8Array, ms: number): void => {
      for (const set of setsOf(block) ?? []) addSet(set, ms);
    },
    /** Bytes so far. */
    length: (): number => length,
    bytes: (): Uint8Array => joined(parts),
  };
}
