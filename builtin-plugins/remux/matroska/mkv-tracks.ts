/** The tracks of a Matroska file that can be played, before any of their packets is read. */
import { packingOf } from '../../media-headers/matroska/packing.ts';
import type { Element } from '../../media-headers/matroska/elements.ts';
import { ids } from '../../media-headers/matroska/ids.ts';
import { mostTracks } from '../limits.ts';
import type { SoundShape, VideoShape } from '../formats/track-format.ts';
import { shapeOf } from './video-shape.ts';

/** A track as its entry has it. */
export interface MkvTrack {
  readonly number: number;
  /** Its place in the list of tracks. */
  readonly stream: number;
  readonly kind: 'video' | 'audio';
  readonly codecId: string;
  readonly setup: Uint8Array | undefined;
  readonly video: VideoShape;
  readonly sound: SoundShape;
  /** Seconds that each packet is shown before its time, which decoders need. */
  readonly delay: number;
  /** Seconds of a packet, if the entry says so. */
  readonly usualLength: number | undefined;
  /** Bytes with which all packets begin and that the blocks lack. */
  readonly prefix: Uint8Array | undefined;
  /** The packets are packed or encrypted, so they cannot be copied. */
  readonly isPacked: boolean;
  /** The content of Dolby Vision's box. */
  readonly dolby: Uint8Array | undefined;
}

const kinds = new Map<number, MkvTrack['kind']>([
  [1, 'video'],
  [2, 'audio'],
]);

/** The tracks of pictures and sound. */
export function readMkvTracks(list: Element): readonly MkvTrack[] {
  return list
    .all(ids.trackEntry)
    .slice(0, mostTracks)
    .flatMap((entry, stream) => {
      const kind = kinds.get(entry.uint(ids.trackType) ?? 0);
      return kind === undefined ? [] : [readEntry(entry, { kind, stream })];
    });
}

function readEntry(
  entry: Element,
  { kind, stream }: { readonly kind: MkvTrack['kind']; readonly stream: number },
): MkvTrack {
  const usual = entry.uint(ids.defaultDuration) ?? 0;
  const audio = entry.find(ids.audio);
  return {
    number: entry.uint(ids.trackNumber) ?? 0,
    stream,
    kind,
    codecId: entry.text(ids.codecId) ?? '',
    setup: entry.find(ids.codecPrivate)?.content,
    video: shapeOf(entry.find(ids.video)),
    sound: {
      channels: audio?.uint(ids.channels) ?? 1,
      sampleRate: audio?.real(ids.samplingFrequency) ?? 8000,
      bitDepth: audio?.uint(ids.bitDepth) || undefined,
    },
    delay: (entry.uint(ids.codecDelay) ?? 0) / 1e9,
    usualLength: usual > 0 ? usual / 1e9 : undefined,
    ...readPacking(entry),
    dolby: dolbyOf(entry),
  };
}

function readPacking(entry: Element): Pick<MkvTrack, 'prefix' | 'isPacked'> {
  try {
    const packing = packingOf(entry);
    if (packing.kind === 'header') return { prefix: packing.header, isPacked: false };
    return { prefix: undefined, isPacked: packing.kind !== 'none' };
  } catch {
    return { prefix: undefined, isPacked: true };
  }
}

/** `dvcC`, `dvvC` and `dvwC`, as numbers. */
const dolbyTypes: readonly number[] = [0x64766343, 0x64767643, 0x64767743];

function dolbyOf(entry: Element): Uint8Array | undefined {
  return entry
    .all(ids.blockAdditionMapping)
    .find((mapping) => dolbyTypes.includes(mapping.uint(ids.blockAddIdType) ?? 0))
    ?.find(ids.blockAddIdExtra)?.content;
}
