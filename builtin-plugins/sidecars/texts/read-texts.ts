import { splitRanges, type BundleAuxiliaryFile, type Host } from '../../../plugin-api/index.ts';
import { decodeText } from '../../media-headers/charsets/decode-text.ts';

/** A larger text is not a sidecar. */
const maxTextBytes = 1_048_576;
/** The most that one call of `host.fs.readRanges` may request. */
const maxCallBytes = 4_194_304;
const maxCallRanges = 64;
/** The most texts of one item. */
const maxTexts = 32;

/** A text to read, or only so many bytes from its start. */
export interface WantedText {
  readonly file: BundleAuxiliaryFile;
  readonly headBytes?: number;
}

/** Reads requested in one turn, by the URI and the length of each. */
interface Gathering {
  readonly host: Host;
  readonly wanted: Map<string, WantedText>;
  /** How many more bytes fit into its call. */
  room: number;
  readonly bytes: Promise<ReadonlyMap<string, Uint8Array | null>>;
}

/**
 * The texts of these files, by URI. Items that are processed at the same time share a host call, and
 * a text that several of them need, such as the NFO of a show, is read once. A text that cannot be
 * read or is too large is left out and logged.
 */
export async function readTexts(
  wanted: readonly WantedText[],
  host: Host,
): Promise<ReadonlyMap<string, string>> {
  const readable = wanted.slice(0, maxTexts).filter(isReadable);
  const texts = new Map<string, string>();
  if (readable.length === 0) return texts;
  const read = await gather(readable, host);
  for (const one of readable) {
    const { file, headBytes } = one;
    const bytes = read.get(placeOf(one)) ?? null;
    if (bytes === null) console.warn(`${quote(file.path)} could not be read.`);
    else if (headBytes === undefined && bytes.length >= maxTextBytes) warnLarge(file);
    else texts.set(file.uri, decodeText(bytes, null));
  }
  return texts;
}

/** Open during the turn in which it was created; empty between turns. */
let gathering: Gathering | null = null;

function gather(
  wanted: readonly WantedText[],
  host: Host,
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const length = wanted.reduce((sum, one) => sum + lengthOf(one), 0);
  const fits = gathering?.host === host && gathering.room >= length;
  const open = fits && gathering !== null ? gathering : begin(host);
  for (const one of wanted) open.wanted.set(placeOf(one), one);
  open.room -= length;
  return open.bytes;
}

function begin(host: Host): Gathering {
  const wanted = new Map<string, WantedText>();
  const bytes = Promise.resolve().then(() => {
    if (gathering?.wanted === wanted) gathering = null;
    return readAll([...wanted], host);
  });
  gathering = { host, wanted, room: maxCallBytes, bytes };
  return gathering;
}

async function readAll(
  wanted: readonly (readonly [string, WantedText])[],
  host: Host,
): Promise<ReadonlyMap<string, Uint8Array | null>> {
  const read = new Map<string, Uint8Array | null>();
  for (const batch of batchesOf(wanted)) {
    const ranges = batch.map(([, one]) => {
      return { uri: one.file.uri, offset: 0, length: lengthOf(one) };
    });
    const answers = splitRanges(await host.fs.readRanges({ ranges }));
    for (const [at, [place]] of batch.entries()) read.set(place, answers[at] ?? null);
  }
  return read;
}

const placeOf = (one: WantedText): string => `${lengthOf(one)} ${one.file.uri}`;

/** A name as it is shown in the log. */
export function quote(path: string): string {
  return JSON.stringify(path.length > 300 ? `${path.slice(0, 300)}…` : path);
}

function isReadable({ file, headBytes }: WantedText): boolean {
  if (file.size === 0) return false;
  const isSmall = headBytes !== undefined || (file.size ?? 0) < maxTextBytes;
  if (!isSmall) warnLarge(file);
  return isSmall;
}

function warnLarge({ path }: BundleAuxiliaryFile): void {
  console.warn(`${quote(path)} is not read: a text beside media must be smaller than 1 MiB.`);
}

/** A file may have grown since it was listed: the read is a little longer, and nothing is lost. */
function lengthOf({ file: { size }, headBytes }: WantedText): number {
  if (headBytes !== undefined) return headBytes;
  return size === undefined ? maxTextBytes : Math.min(maxTextBytes, size + 1024);
}

function batchesOf<One extends readonly [string, WantedText]>(wanted: readonly One[]): One[][] {
  const batches: One[][] = [];
  let room = 0;
  for (const one of wanted) {
    const length = lengthOf(one[1]);
    const batch = batches.at(-1);
    if (batch === undefined || length > room || batch.length === maxCallRanges) {
      batches.push([one]);
      room = maxCallBytes - length;
    } else {
      batch.push(one);
      room -= length;
    }
  }
  return batches;
}
