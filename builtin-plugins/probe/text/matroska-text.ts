/**
 * The text of a Matroska track. With an index of the track only its blocks are read: a file costs
 * about a kilobyte for each text. Without one the clusters are walked from block to block within the
 * budget of the reader.
 */
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { utf8 } from '../../media-headers/bytes/text.ts';
import type { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import type { MediaSource } from '../media.ts';
import type { FoundBlock } from './matroska-block.ts';
import { blocksByCues } from './matroska-cues.ts';
import { packingOf, unpack, type Packing } from '../../media-headers/matroska/packing.ts';
import { openTrack } from './matroska-track.ts';
import { walkClusters } from './matroska-walk.ts';
import { createTextBudget } from './text-limits.ts';
import { writeAss, writeSrt, writeVtt, type TimedText } from './text-document.ts';

/** A text without a duration is shown until the next one, and at most so long. */
const usualMs = 5000;

/** The text of the track with this place in the list of tracks, as a document. */
export async function readMatroskaText(source: MediaSource, index: number): Promise<string> {
  const { file, entry, number, scale, cues } = await openTrack(source, index);
  const indexed = await blocksByCues(source, file, { cues, track: number });
  const blocks =
    indexed ??
    (await walkClusters(source, file, { track: number, spend: createTextBudget() })).blocks;
  return documentOf(entry, timed(unpacked(blocks, packingOf(entry)), scale));
}

/** A few bytes that are packed can be many texts of the largest size. */
function unpacked(blocks: readonly FoundBlock[], packing: Packing): readonly FoundBlock[] {
  const spend = createTextBudget();
  const added = packing.kind === 'header' ? packing.header.length : 0;
  return blocks.map((block) => {
    spend(added);
    const bytes = unpack(block.bytes, packing);
    spend(bytes.length - added);
    return { ...block, bytes };
  });
}

function documentOf(entry: Element, texts: readonly TimedText[]): string {
  const codec = entry.text(ids.codecId) ?? '';
  if (codec === 'S_TEXT/UTF8' || codec === 'S_TEXT/ASCII') return writeSrt(texts);
  if (codec === 'S_TEXT/WEBVTT') return writeVtt(texts);
  if (codec.startsWith('D_WEBVTT/')) return writeVtt(texts.map(withoutHead));
  if (/^S_(TEXT\/)?(ASS|SSA)$/.test(codec)) {
    return writeAss(utf8(entry.find(ids.codecPrivate)?.content ?? new Uint8Array(0)), texts);
  }
  throw malformed(`The track has no text: its codec is ${codec}.`);
}

/** An id and settings stand in the first two lines. */
function withoutHead(one: TimedText): TimedText & { readonly settings: string } {
  const [, settings = '', ...lines] = one.text.split(/\r?\n/);
  return { ...one, settings: settings.replaceAll('-->', ''), text: lines.join('\n') };
}

function timed(blocks: readonly FoundBlock[], scale: number): readonly TimedText[] {
  const inOrder = blocks.toSorted((one, other) => one.ticks - other.ticks);
  return inOrder.map(({ ticks, length, bytes }, at) => {
    const startMs = ticks * scale;
    const next = (inOrder[at + 1]?.ticks ?? Infinity) * scale;
    const endMs =
      length === undefined
        ? Math.min(startMs + usualMs, Math.max(next, startMs + 1))
        : startMs + length * scale;
    return { startMs, endMs, text: utf8(bytes) };
  });
}
