/**
 * Matroska and WebM. The parts before the first cluster are read in order; parts after the media
 * (tags, chapters, attachments) are found through the index in front.
 */
import { truncated } from '../../../media-headers/bytes/probe-error.ts';
import { readUpTo } from '../../../media-headers/bytes/byte-source.ts';
import { hasDynamicMetadata } from '../../../media-headers/codecs/hevc.ts';
import type { FormatReader, MediaSource, StreamDraft } from '../../media.ts';
import { readPictures } from './attachments.ts';
import { measureFrameRates, readLastTimestamp } from './clusters.ts';
import {
  readWhole,
  type Element,
  type ElementPlace,
} from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';
import { openMatroska } from '../../../media-headers/matroska/open-matroska.ts';
import { readMatroskaChapters } from './matroska-chapters.ts';
import { readMatroskaTags } from './matroska-tags.ts';
import { readMatroskaTrack, type MatroskaTrack } from './matroska-track.ts';

const probedParts = [ids.info, ids.tracks, ids.chapters, ids.tags, ids.attachments];

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
