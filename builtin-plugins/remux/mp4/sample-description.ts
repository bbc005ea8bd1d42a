/**
 * The format of a track by the first entry of its `stsd`. The entry is made again and not copied: an
 * entry of QuickTime has another form, which players of fragments refuse.
 */
import { slice, u16, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { readElementaryStream } from '../../media-headers/mp4/elementary-stream.ts';
import { box, letters } from '../fmp4/boxes.ts';
import { dolbyVisionFormat } from '../formats/dolby-vision.ts';
import { videoEntry } from '../formats/entries.ts';
import {
  aacFormat,
  ac3Format,
  alacFormat,
  dtsFormat,
  eac3Format,
  flacFormat,
  mp3Format,
  opusFormat,
} from '../formats/sound-formats.ts';
import type { SoundShape, TrackFormat, VideoShape } from '../formats/track-format.ts';
import { av1Format, avcFormat, hevcFormat, vp9Format } from '../formats/video-formats.ts';
import { MemoryBoxes } from './memory-boxes.ts';

/** `undefined` for a codec that is not written into fragments, and for one that is encrypted. */
export function formatOfDescription(
  table: Uint8Array,
  kind: 'video' | 'audio',
): TrackFormat | undefined {
  if (table.length < 16 || u32(table, 4) === 0) return undefined;
  const name = ascii(table, 12, 4);
  const body = slice(table, 16, Math.max(0, Math.min(u32(table, 8), table.length - 8) - 8));
  try {
    return kind === 'video' ? videoFormat(name, body) : soundFormat(name, body);
  } catch {
    return undefined;
  }
}

const kept = ['pasp', 'mdcv', 'clli', 'SmDm', 'CoLL'];

function videoFormat(name: string, body: Uint8Array): TrackFormat | undefined {
  if (body.length < 78) return undefined;
  const boxes = new MemoryBoxes(body, 78);
  const extras = kept.flatMap((type) => {
    const content = boxes.content(type);
    return content === undefined ? [] : [box(type, content)];
  });
  const shape: VideoShape = {
    width: u16(body, 24),
    height: u16(body, 26),
    transfer: transferOf(boxes.content('colr')),
    extras: [...colourOf(boxes.content('colr')), ...extras],
  };
  const dolby = boxes.content('dvcC') ?? boxes.content('dvvC') ?? boxes.content('dvwC');
  const format = plainVideoFormat(name, boxes, shape);
  return format && dolby !== undefined ? dolbyVisionFormat(format, name, dolby) : format;
}

function plainVideoFormat(
  name: string,
  boxes: MemoryBoxes,
  shape: VideoShape,
): TrackFormat | undefined {
  const avc = boxes.content('avcC');
  const hevc = boxes.content('hvcC');
  const av1 = boxes.content('av1C');
  const vp9 = boxes.content('vpcC');
  if (name === 'avc1' || name === 'avc3' || name === 'dva1' || name === 'dvav')
    return avc && avcFormat(avc, shape, name === 'avc3' ? 'avc3' : 'avc1');
  if (/^(hvc1|hev1|dvh1|dvhe)$/.test(name)) return hevc && hevcFormat(hevc, shape);
  if (name === 'av01') return av1 && av1Format(av1, shape);
  if (name === 'vp09') return vp9 && vp9Format(vp9, shape);
  return name === 'mp4v' ? visualFormat(boxes.content('esds'), shape) : undefined;
}

/** MPEG-4 video, of which a few players know the simple profiles. */
function visualFormat(stream: Uint8Array | undefined, shape: VideoShape): TrackFormat | undefined {
  const { codec, configuration } = readElementaryStream(stream) ?? {};
  if (stream === undefined || codec !== 'mpeg4' || configuration === undefined) return undefined;
  const level = configuration[4] ?? 0;
  return {
    codecName: 'mpeg4',
    codec: `mp4v.20.${level}`,
    entry: videoEntry('mp4v', shape, box('esds', stream)),
    about: { width: shape.width, height: shape.height, videoRange: 'SDR' },
  };
}

/** QuickTime's `nclc` lacks the range at its end. */
function colourOf(content: Uint8Array | undefined): readonly Uint8Array[] {
  if (content === undefined || content.length < 10) return [];
  const kind = ascii(content, 0, 4);
  const range = kind === 'nclx' ? (content[10] ?? 0) & 0x80 : 0;
  if (kind !== 'nclx' && kind !== 'nclc') return [];
  return [box('colr', letters('nclx'), content.subarray(4, 10), Uint8Array.of(range))];
}

function transferOf(content: Uint8Array | undefined): number | undefined {
  const isKnown = content !== undefined && content.length >= 10 && ascii(content, 0, 3) === 'ncl';
  return isKnown ? u16(content, 6) : undefined;
}

const versionLengths = [28, 44, 64];

function soundFormat(name: string, body: Uint8Array): TrackFormat | undefined {
  if (body.length < 28) return undefined;
  const version = u16(body, 8);
  const outer = new MemoryBoxes(body, versionLengths[version] ?? 28);
  const wave = outer.content('wave');
  const inner = wave === undefined ? outer : new MemoryBoxes(wave);
  const get = (type: string): Uint8Array | undefined => outer.content(type) ?? inner.content(type);
  const shape: SoundShape =
    version === 2
      ? { channels: u32(body, 40), sampleRate: float64(body, 32), bitDepth: 16 }
      : { channels: u16(body, 16), sampleRate: u16(body, 24), bitDepth: u16(body, 18) };
  return configured(name, get, shape);
}

type Get = (type: string) => Uint8Array | undefined;

function configured(name: string, get: Get, shape: SoundShape): TrackFormat | undefined {
  const [ac3, eac3, opus, flac] = ['dac3', 'dec3', 'dOps', 'dfLa'].map(get);
  switch (name) {
    case 'mp4a':
      return streamFormat(get('esds'), shape);
    case '.mp3':
    case 'ms\0U':
      return mp3Format(shape);
    case 'ac-3':
      return ac3 && ac3Format(ac3, shape);
    case 'ec-3':
      return eac3 && eac3Format(eac3, shape);
    case 'Opus':
      return opus && opusFormat(opus);
    case 'fLaC':
      return flac && flacFormat(flac, shape);
    case 'alac':
      return alacOf(get('alac'), shape);
    default:
      return dtsOf(name, get('ddts'), shape);
  }
}

function streamFormat(box_: Uint8Array | undefined, shape: SoundShape): TrackFormat | undefined {
  const { codec, configuration } = readElementaryStream(box_) ?? {};
  if (codec === 'mp3') return mp3Format(shape);
  return codec === 'aac' && configuration !== undefined
    ? aacFormat(configuration, shape)
    : undefined;
}

/** QuickTime may nest the box in itself; the inner one is complete. */
function alacOf(content: Uint8Array | undefined, shape: SoundShape): TrackFormat | undefined {
  if (content === undefined || content.length < 28) return undefined;
  return alacFormat(content, {
    channels: u8(content, 13),
    sampleRate: u32(content, 24),
    bitDepth: shape.bitDepth,
  });
}

const dtsNames = ['dtsc', 'dtsh', 'dtsl', 'dtse', 'dtsx'];

function dtsOf(
  name: string,
  content: Uint8Array | undefined,
  shape: SoundShape,
): TrackFormat | undefined {
  return content !== undefined && dtsNames.includes(name)
    ? dtsFormat(name, content, shape)
    : undefined;
}

function float64(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0);
}
