/**
 * Matroska and WebM. The parts before the first cluster are read in order; parts after the media
 * (tags, chapters, attachments) are found through the index in front.
 */
import { malformed, truncated } from '../../bytes/probe-error.ts';
import { readUpTo } from '../../bytes/byte-source.ts';
import { hasDynamicMetadata } from '../../codecs/hevc.ts';
import type { FormatReader, MediaSource, StreamDraft } from '../../media.ts';
import { readPictures } from './attachments.ts';
import { measureFrameRates, readLastTimestamp } from './clusters.ts';
import { readElement, readWhole, type Element, type ElementPlace } from './elements.ts';
import { ids } from './ids.ts';
import { readMatroskaChapters } from './matroska-chapters.ts';
import { readMatroskaTags } from './matroska-tags.ts';
import { readMatroskaTrack, type MatroskaTrack } from './matroska-track.ts';

const mostParts = 500;
const mostSeeks = 100;

export const readMatroska: FormatReader = async (source) => {
  const { docType, segment, places } = await openMatroska(source, probedParts);
  if (Number.isFinite(segment.end) && segment.end > source.size) {
    throw truncated(`The file ends ${segment.end - source.size} bytes too soon.`);
  }
  const part = async (id: number): Promise<Element | undefined> => {
    const place = places.get(id);
    return place && readWhole(source, place);
  };
  const info = await part(ids.info);
  const trackList = await part(ids.tracks);
  if (trackList === undefined) throw truncated('The file has no list of tracks; it was cut off.');
  const tracks = trackList.all(ids.trackEntry).map(readMatroskaTrack);
  const scale = (info?.uint(ids.timestampScale) ?? 1_000_000) / 1e9;
  const cluster = places.get(ids.cluster);
  const warnings: string[] = [];
  const optional = async (id: number): Promise<Element | undefined> => {
    try {
      return await part(id);
    } catch (error) {
      warnings.push(error instanceof Error ? error.message : 'A part could not be read.');
      return undefined;
    }
  };
  const fromHeader = (info?.real(ids.duration) ?? 0) * scale;
  const tags = readMatroskaTags(await optional(ids.tags), info?.text(ids.segmentTitle));
  return {
    container: docType === 'webm' ? 'webm' : 'matroska',
    duration: fromHeader > 0 ? fromHeader : await readLastTimestamp(source, scale, cluster),
    streams: await completed(source, { tracks, cluster, scale, bitrates: tags.bitrates }),
    chapters: readMatroskaChapters(await optional(ids.chapters)),
    tags: tags.tags,
    pictures: await readPictures(source, places.get(ids.attachments)),
    warnings,
  };
};

/** A file with the places of its parts. */
export interface OpenMatroska {
  readonly docType: string;
  readonly segment: ElementPlace;
  readonly places: ReadonlyMap<number, ElementPlace>;
}

/** Finds the parts of a file: those before the first cluster, and the wanted ones after it. */
export async function openMatroska(
  source: MediaSource,
  wanted: readonly number[],
): Promise<OpenMatroska> {
  const head = await readElement(source, 0);
  if (head?.id !== ids.ebml)
    throw malformed('The file begins as Matroska does and is not Matroska.');
  const docType = (await readWhole(source, head)).text(ids.docType) ?? 'matroska';
  const segment = await readElement(source, head.end);
  if (segment?.id !== ids.segment) throw truncated('The file has no segment; it was cut off.');
  return { docType, segment, places: await findParts(source, segment, wanted) };
}

const probedParts = [ids.info, ids.tracks, ids.chapters, ids.tags, ids.attachments];

/** The first part for each id. */
async function findParts(
  source: MediaSource,
  segment: ElementPlace,
  wanted: readonly number[],
): Promise<ReadonlyMap<number, ElementPlace>> {
  const places = new Map<number, ElementPlace>();
  const announced: Element[] = [];
  const end = Math.min(segment.end, source.size);
  let at = segment.from;
  for (let count = 0; at < end && count < mostParts; count++) {
    const place = await readElement(source, at);
    if (place === undefined) break;
    if (!places.has(place.id)) places.set(place.id, place);
    if (place.id === ids.cluster) break;
    if (place.end > end) throw truncated('The file ends inside of its headers.');
    if (place.id === ids.seekHead) announced.push(await readWhole(source, place));
    at = place.end;
  }
  await followAnnounced(source, { segment, heads: announced, wanted }, places);
  return places;
}

/**
 * A place with another content is skipped. An index may lead to one further index, since the first
 * one has room for a single entry in some files.
 */
async function followAnnounced(
  source: MediaSource,
  {
    segment,
    heads,
    wanted,
  }: {
    readonly segment: ElementPlace;
    readonly heads: readonly Element[];
    readonly wanted: readonly number[];
  },
  places: Map<number, ElementPlace>,
): Promise<void> {
  const waiting = seeksIn(heads, segment);
  let hasFurther = false;
  for (const { id, at } of waiting) {
    if (id === ids.seekHead && !hasFurther) {
      const further = await readPart(source, id, at);
      hasFurther = further !== undefined;
      if (further !== undefined) waiting.push(...seeksIn([further], segment));
    } else if (wanted.includes(id) && !places.has(id)) {
      const place = await readElement(source, at);
      if (place?.id === id && place.end <= source.size) places.set(id, place);
    }
  }
}

function seeksIn(
  heads: readonly Element[],
  segment: ElementPlace,
): { readonly id: number; readonly at: number }[] {
  const seeks = heads.flatMap((head) => head.all(ids.seek)).slice(0, mostSeeks);
  return seeks.map((seek) => ({
    id: seek.uint(ids.seekId) ?? 0,
    at: segment.from + (seek.uint(ids.seekPosition) ?? 0),
  }));
}

async function readPart(source: MediaSource, id: number, at: number): Promise<Element | undefined> {
  const place = await readElement(source, at);
  return place?.id === id && place.end <= source.size ? readWhole(source, place) : undefined;
}

/** Values that only the media has: measured frame rates, HDR10+. */
async function completed(
  source: MediaSource,
  known: {
    readonly tracks: readonly MatroskaTrack[];
    readonly cluster: ElementPlace | undefined;
    readonly scale: number;
    readonly bitrates: ReadonlyMap<number, number>;
  },
): Promise<readonly StreamDraft[]> {
  const { tracks, cluster, scale, bitrates } = known;
  const lacking = tracks.filter(
    ({ stream }) => stream.kind === 'video' && stream.frameRate === undefined,
  );
  const measured =
    lacking.length > 0
      ? await measureFrameRates(source, cluster, scale)
      : new Map<number, number>();
  const isDynamic =
    cluster !== undefined &&
    tracks.some(({ stream }) => stream.codec === 'hevc' && stream.hdr === 'hdr10') &&
    hasDynamicMetadata(await readUpTo(source, cluster.from, 32 * 1024));
  return tracks.map(({ number, uid, stream }) => ({
    ...stream,
    bitrate: bitrates.get(uid),
    ...(stream.kind === 'video' && { frameRate: stream.frameRate ?? measured.get(number) }),
    ...(isDynamic && stream.hdr === 'hdr10' && { hdr: 'hdr10plus' as const }),
  }));
}
