/** The init segment of one track: `ftyp` and `moov` (ISO/IEC 14496-12, ISO/IEC 23000-19). */
import { joined } from '../../media-headers/bytes/joined.ts';
import { box, fullBox, letters, numbers, zeros } from './boxes.ts';

/** What an init segment says of its track. */
export interface InitTrack {
  readonly kind: 'video' | 'audio';
  /** The sample entry, as a whole box. */
  readonly entry: Uint8Array;
  /** Ticks per second. */
  readonly scale: number;
  /**
   * Ticks by which all times in the fragments are later than in the session, so that sound before the
   * beginning, which decoders need, has no negative time. An edit list subtracts them.
   */
  readonly delay: number;
  readonly width: number;
  readonly height: number;
  /** The nine numbers of the transformation, as they stand in the source. */
  readonly matrix?: Uint8Array | undefined;
}

const identity = numbers(4, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

export const trackId = 1;

export function makeInit(track: InitTrack): Uint8Array {
  const movie = box('moov', movieHeader(track.scale), trackBox(track), extendsBox());
  return joined([box('ftyp', letters('iso6'), zeros(4), letters('iso6cmfcmp41')), movie]);
}

function movieHeader(scale: number): Uint8Array {
  const nextTrack = numbers(4, trackId + 1);
  return fullBox(
    'mvhd',
    {},
    numbers(4, 0, 0, scale, 0, 0x10000),
    numbers(2, 0x100),
    zeros(10),
    identity,
    zeros(24),
    nextTrack,
  );
}

function trackBox(track: InitTrack): Uint8Array {
  const { kind, scale, delay } = track;
  const isVideo = kind === 'video';
  const header = fullBox(
    'tkhd',
    { flags: 3 },
    numbers(4, 0, 0, trackId, 0, 0),
    zeros(8),
    numbers(2, 0, 0, isVideo ? 0 : 0x100, 0),
    track.matrix ?? identity,
    numbers(4, isVideo ? track.width * 0x10000 : 0, isVideo ? track.height * 0x10000 : 0),
  );
  const edits = fullBox('elst', {}, numbers(4, 1, 0, delay), numbers(2, 1, 0));
  const media = box(
    'mdia',
    fullBox('mdhd', {}, numbers(4, 0, 0, scale, 0), numbers(2, 0x55c4, 0)),
    fullBox('hdlr', {}, zeros(4), letters(isVideo ? 'vide' : 'soun'), zeros(13)),
    mediaInformation(track),
  );
  return box('trak', header, ...(delay > 0 ? [box('edts', edits)] : []), media);
}

function mediaInformation({ kind, entry }: InitTrack): Uint8Array {
  const header =
    kind === 'video' ? fullBox('vmhd', { flags: 1 }, zeros(8)) : fullBox('smhd', {}, zeros(4));
  const reference = fullBox('dref', {}, numbers(4, 1), fullBox('url ', { flags: 1 }));
  const tables = box(
    'stbl',
    fullBox('stsd', {}, numbers(4, 1), entry),
    fullBox('stts', {}, zeros(4)),
    fullBox('stsc', {}, zeros(4)),
    fullBox('stsz', {}, zeros(8)),
    fullBox('stco', {}, zeros(4)),
  );
  return box('minf', header, box('dinf', reference), tables);
}

function extendsBox(): Uint8Array {
  return box('mvex', fullBox('trex', {}, numbers(4, trackId, 1, 0, 0, 0)));
}
