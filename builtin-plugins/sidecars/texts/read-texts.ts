import { splitRanges, type BundleAuxiliaryFile, type Host } from '../../../plugin-api/index.ts';
import { decodeText } from './decode-text.ts';

/** A larger text is no sidecar. */
const maxTextBytes = 1_048_576;
/** What one call of `host.fs.readRanges` may ask for. */
const maxCallBytes = 4_194_304;
const maxCallRanges = 64;
/** The most texts of one item. */
const maxTexts = 32;

/** A text to read, or only so many bytes from its start. */
export interface WantedText {
  readonly file: BundleAuxiliaryFile;
  readonly headBytes?: number;
}

/**
 * The texts of these files, by URI: one call of the host for all, several only when they are too
 * large for one. What cannot be read or is too large is left out, and the log says so.
 */
export async function readTexts(
  wanted: readonly WantedText[],
  host: Host,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const batch of batchesOf(wanted.slice(0, maxTexts).filter(isReadable))) {
    const ranges = batch.map((one) => ({ uri: one.file.uri, offset: 0, length: lengthOf(one) }));
    const answers = splitRanges(await host.fs.readRanges({ ranges }));
    for (const [at, { file, headBytes }] of batch.entries()) {
      const bytes = answers[at] ?? null;
      if (bytes === null) console.warn(`${quote(file.path)} could not be read.`);
      else if (headBytes === undefined && bytes.length >= maxTextBytes) warnLarge(file);
      else texts.set(file.uri, decodeText(bytes));
    }
  }
  return texts;
}

/** A name as the log shows it. */
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

/** A file may have grown since it was listed: a little more is asked for, and nothing is lost. */
function lengthOf({ file: { size }, headBytes }: WantedText): number {
  if (headBytes !== undefined) return headBytes;
  return size === undefined ? maxTextBytes : Math.min(maxTextBytes, size + 1024);
}

function batchesOf(wanted: readonly WantedText[]): WantedText[][] {
  const batches: WantedText[][] = [];
  let room = 0;
  for (const one of wanted) {
    const length = lengthOf(one);
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
