/** The first entry of a track's `stsd`: its codec and the values in the codec's own header. */
import { readAacConfiguration } from '../../../media-headers/codecs/aac.ts';
import { readAc3Box, readEac3Box } from '../../../media-headers/codecs/dolby.ts';
import { readAvcConfiguration } from '../../../media-headers/codecs/h264.ts';
import { readHevcConfiguration } from '../../../media-headers/codecs/hevc.ts';
import { readMpeg4Profile } from '../../../media-headers/codecs/mpeg4-visual.ts';
import {
  dolbyVisionProfile,
  hdrByTransfer,
  shownSize,
  type AudioFormat,
  type VideoFormat,
} from '../../../media-headers/codecs/video-format.ts';
import {
  readAv1Configuration,
  readVp9Configuration,
} from '../../../media-headers/codecs/web-video.ts';
import { float, slice, u16, u32, u8 } from '../../../media-headers/bytes/numbers.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';
import type { StreamDraft } from '../../media.ts';
import { boxesIn, findBox, type Box } from '../../../media-headers/mp4/boxes.ts';
import { readElementaryStream } from '../../../media-headers/mp4/elementary-stream.ts';

type Entry = Omit<StreamDraft, 'kind'>;

const codecs = new Map(
  Object.entries({
    avc1: 'h264',
    avc2: 'h264',
    avc3: 'h264',
    avc4: 'h264',
    hvc1: 'hevc',
    hev1: 'hevc',
    dvh1: 'hevc',
    dvhe: 'hevc',
    dvav: 'h264',
    dva1: 'h264',
    av01: 'av1',
    vp08: 'vp8',
    vp09: 'vp9',
    vvc1: 'vvc',
    mp4v: 'mpeg4',
    s263: 'h263',
    h263: 'h263',
    jpeg: 'mjpeg',
    mjpa: 'mjpeg',
    mjpb: 'mjpeg',
    'png ': 'png',
    apch: 'prores',
    apcn: 'prores',
    apcs: 'prores',
    apco: 'prores',
    ap4h: 'prores',
    ap4x: 'prores',
    AVdn: 'dnxhd',
    AVdh: 'dnxhd',
    CFHD: 'cfhd',
    m2v1: 'mpeg2video',
    mp4a: 'aac',
    'ac-3': 'ac3',
    'ec-3': 'eac3',
    'ac-4': 'ac4',
    Opus: 'opus',
    fLaC: 'flac',
    alac: 'alac',
    '.mp3': 'mp3',
    dtsc: 'dts',
    dtsh: 'dts',
    dtsl: 'dts',
    dtse: 'dts',
    mlpa: 'truehd',
    samr: 'amr_nb',
    sawb: 'amr_wb',
    sowt: 'pcm_s16le',
    twos: 'pcm_s16be',
    in24: 'pcm_s24be',
    in32: 'pcm_s32be',
    fl32: 'pcm_f32be',
    fl64: 'pcm_f64be',
    lpcm: 'pcm_s16le',
    ipcm: 'pcm_s16le',
    ulaw: 'pcm_mulaw',
    alaw: 'pcm_alaw',
    tx3g: 'mov_text',
    text: 'mov_text',
    wvtt: 'webvtt',
    stpp: 'ttml',
    c608: 'eia_608',
    c708: 'eia_708',
    mp4s: 'dvd_subtitle',
    tmcd: 'timecode',
  }),
);

const proresProfiles: Readonly<Record<string, string>> = {
  apco: 'Proxy',
  apcs: 'LT',
  apcn: 'Standard',
  apch: 'HQ',
  ap4h: '4444',
  ap4x: '4444 XQ',
};

export function readSampleEntry(table: Uint8Array | undefined, kind: StreamDraft['kind']): Entry {
  const unknown: Entry = { codec: 'unknown' };
  if (table === undefined || table.length < 16 || u32(table, 4) === 0) return unknown;
  const name = ascii(table, 12, 4);
  const body = slice(table, 16, Math.max(0, Math.min(u32(table, 8), table.length - 8) - 8));
  const codec = codecs.get(name) ?? name.trim().toLowerCase();
  if (kind === 'video' && body.length >= 78) return readVideo(name, codec, body);
  if (kind === 'audio' && body.length >= 28) return readAudio(name, codec, body);
  if (codec === 'mov_text' && body.length >= 12) {
    return { codec, isForced: (u32(body, 8) & 0x80000000) !== 0 || undefined };
  }
  return { codec };
}

function readVideo(name: string, codec: string, body: Uint8Array): Entry {
  const boxes = boxesIn(body, 78);
  const original = protectedName(body, boxes) ?? name;
  const configured: VideoFormat & { codec?: string } = {
    ...readVideoConfiguration(body, boxes),
    ...(codec === 'mpeg4' && readOldVideo(boxContent(body, boxes, 'esds'))),
  };
  const coded = { width: u16(body, 24), height: u16(body, 26) };
  const aspect = boxContent(body, boxes, 'pasp');
  const size =
    aspect === undefined || aspect.length < 8
      ? { width: configured.width ?? coded.width, height: configured.height ?? coded.height }
      : shownSize(coded, { across: u32(aspect, 0), down: u32(aspect, 4) });
  return {
    profile: proresProfiles[name],
    ...configured,
    codec: configured.codec ?? codecs.get(original) ?? codec,
    ...size,
    hdr: hdrOf(body, boxes, name) ?? configured.hdr,
    dolbyVisionProfile: dolbyVisionProfile(dolbyBox(body, boxes)),
    bitrate: bitrateOf(body, boxes),
  };
}

function readVideoConfiguration(body: Uint8Array, boxes: readonly Box[]): VideoFormat {
  const avc = boxContent(body, boxes, 'avcC');
  if (avc !== undefined) return readAvcConfiguration(avc);
  const hevc = boxContent(body, boxes, 'hvcC');
  if (hevc !== undefined) return readHevcConfiguration(hevc);
  const av1 = boxContent(body, boxes, 'av1C');
  if (av1 !== undefined) return readAv1Configuration(av1);
  const vp9 = boxContent(body, boxes, 'vpcC');
  return vp9 === undefined ? {} : readVp9Configuration(vp9);
}

function readOldVideo(box: Uint8Array | undefined): VideoFormat & { readonly codec?: string } {
  const { codec, configuration } = readElementaryStream(box) ?? {};
  return {
    ...(codec !== undefined && { codec }),
    ...(configuration !== undefined && readMpeg4Profile(configuration)),
  };
}

const dolbyBox = (body: Uint8Array, boxes: readonly Box[]): Uint8Array | undefined =>
  ['dvcC', 'dvvC', 'dvwC'].map((type) => boxContent(body, boxes, type)).find((box) => box);

function hdrOf(body: Uint8Array, boxes: readonly Box[], name: string): StreamDraft['hdr'] {
  const isDolby = ['dvcC', 'dvvC', 'dvwC'].some((type) => findBox(boxes, type) !== undefined);
  if (isDolby || name.startsWith('dv')) return 'dolby-vision';
  const colour = boxContent(body, boxes, 'colr');
  if (colour === undefined || colour.length < 8) return undefined;
  const kind = ascii(colour, 0, 4);
  return kind === 'nclx' || kind === 'nclc' ? hdrByTransfer(u16(colour, 6)) : undefined;
}

function readAudio(name: string, codec: string, body: Uint8Array): Entry {
  const version = u16(body, 8);
  const from = version === 1 ? 44 : version === 2 ? 64 : 28;
  const plain =
    version === 2 && body.length >= 56
      ? { channels: u32(body, 40), sampleRate: float(body, 32, 8), bitDepth: u32(body, 48) }
      : { channels: u16(body, 16), sampleRate: u16(body, 24), bitDepth: u16(body, 18) };
  const outer = boxesIn(body, from);
  const original = protectedName(body, outer) ?? name;
  const wave = boxContent(body, outer, 'wave');
  const inner =
    wave === undefined ? { body, boxes: outer } : { body: wave, boxes: boxesIn(wave, 0) };
  const isPlain = codec.startsWith('pcm') || codec === 'alac' || codec === 'flac';
  return {
    channels: plain.channels,
    sampleRate: plain.sampleRate || undefined,
    bitDepth: isPlain ? plain.bitDepth : undefined,
    codec: codecs.get(original) ?? codec,
    bitrate: bitrateOf(body, outer),
    ...known(readAudioConfiguration(original, inner.body, inner.boxes)),
  };
}

function readAudioConfiguration(
  name: string,
  body: Uint8Array,
  boxes: readonly Box[],
): AudioFormat {
  const stream = readElementaryStream(boxContent(body, boxes, 'esds'));
  if (name === 'mp4a' && stream !== undefined) {
    const { configuration, codec = 'aac', bitrate } = stream;
    if (codec !== 'aac' || configuration === undefined) return { codec, bitrate };
    return { codec, bitrate, ...readAacConfiguration(configuration) };
  }
  const ac3 = boxContent(body, boxes, 'dac3');
  if (ac3 !== undefined) return readAc3Box(ac3);
  const eac3 = boxContent(body, boxes, 'dec3');
  if (eac3 !== undefined) return readEac3Box(eac3);
  const opus = boxContent(body, boxes, 'dOps');
  if (opus !== undefined) return { channels: u8(opus, 1), sampleRate: 48000 };
  const flac = boxContent(body, boxes, 'dfLa');
  if (flac !== undefined && flac.length >= 26) {
    const rate = (u32(flac, 18) >>> 12) & 0xfffff;
    return { sampleRate: rate, bitDepth: ((u16(flac, 20) >> 4) & 31) + 1 };
  }
  const alac = boxContent(body, boxes, 'alac');
  if (alac !== undefined && alac.length >= 28) {
    return {
      bitDepth: u8(alac, 9),
      channels: u8(alac, 13),
      sampleRate: u32(alac, 24),
    };
  }
  return {};
}

/** The original format of an encrypted entry. */
function protectedName(body: Uint8Array, boxes: readonly Box[]): string | undefined {
  const scheme = boxContent(body, boxes, 'sinf');
  if (scheme === undefined) return undefined;
  const original = findBox(boxesIn(scheme, 0), 'frma');
  return original && ascii(scheme, original.from, 4);
}

function bitrateOf(body: Uint8Array, boxes: readonly Box[]): number | undefined {
  const bytes = boxContent(body, boxes, 'btrt');
  return bytes === undefined || bytes.length < 12 ? undefined : u32(bytes, 8) || undefined;
}

function boxContent(
  bytes: Uint8Array,
  boxes: readonly Box[],
  type: string,
): Uint8Array | undefined {
  const box = findBox(boxes, type);
  return box && bytes.subarray(box.from, box.end);
}

/** Drops empty values, so that they do not replace others. */
function known(format: AudioFormat): AudioFormat {
  return Object.fromEntries(Object.entries(format).filter(([, value]) => value !== undefined));
}
