/** One track of a Matroska file. */
import { readAacConfiguration } from '../../../media-headers/codecs/aac.ts';
import { readAvcConfiguration } from '../../../media-headers/codecs/h264.ts';
import { readHevcConfiguration } from '../../../media-headers/codecs/hevc.ts';
import { readMpeg4Profile } from '../../../media-headers/codecs/mpeg4-visual.ts';
import {
  frameRate,
  dolbyVisionProfile,
  hdrByTransfer,
  type VideoFormat,
} from '../../../media-headers/codecs/video-format.ts';
import { readAv1Configuration, readVp9Features } from '../../../media-headers/codecs/web-video.ts';
import { u16le } from '../../../media-headers/bytes/numbers.ts';
import { ascii } from '../../../media-headers/bytes/text.ts';
import type { StreamDraft } from '../../media.ts';
import { codecOfWave, videoCodecOfFourcc } from '../../../media-headers/codecs/microsoft.ts';
import { language } from '../../../media-headers/language.ts';
import type { Element } from '../../../media-headers/matroska/elements.ts';
import { ids } from '../../../media-headers/matroska/ids.ts';

export interface MatroskaTrack {
  readonly number: number;
  readonly uid: number;
  readonly stream: StreamDraft;
}

const kinds = new Map<number, StreamDraft['kind']>([
  [1, 'video'],
  [2, 'audio'],
  [0x11, 'subtitle'],
]);

const codecs = new Map(
  Object.entries({
    'V_MPEG4/ISO/AVC': 'h264',
    'V_MPEGH/ISO/HEVC': 'hevc',
    'V_MPEGI/ISO/VVC': 'vvc',
    V_AV1: 'av1',
    V_VP8: 'vp8',
    V_VP9: 'vp9',
    'V_MPEG4/ISO/SP': 'mpeg4',
    'V_MPEG4/ISO/ASP': 'mpeg4',
    'V_MPEG4/ISO/AP': 'mpeg4',
    'V_MPEG4/MS/V3': 'msmpeg4v3',
    V_MPEG1: 'mpeg1video',
    V_MPEG2: 'mpeg2video',
    V_THEORA: 'theora',
    V_MJPEG: 'mjpeg',
    V_PRORES: 'prores',
    V_FFV1: 'ffv1',
    V_UNCOMPRESSED: 'rawvideo',
    'V_REAL/RV40': 'rv40',
    A_AC3: 'ac3',
    'A_AC3/BSID9': 'ac3',
    'A_AC3/BSID10': 'ac3',
    A_EAC3: 'eac3',
    A_DTS: 'dts',
    'A_DTS/EXPRESS': 'dts',
    'A_DTS/LOSSLESS': 'dts',
    A_TRUEHD: 'truehd',
    A_MLP: 'mlp',
    A_OPUS: 'opus',
    A_VORBIS: 'vorbis',
    A_FLAC: 'flac',
    A_ALAC: 'alac',
    'A_MPEG/L1': 'mp1',
    'A_MPEG/L2': 'mp2',
    'A_MPEG/L3': 'mp3',
    A_WAVPACK4: 'wavpack',
    A_TTA1: 'tta',
    'S_TEXT/UTF8': 'subrip',
    'S_TEXT/ASCII': 'subrip',
    'S_TEXT/ASS': 'ass',
    'S_TEXT/SSA': 'ass',
    S_ASS: 'ass',
    S_SSA: 'ass',
    'S_TEXT/WEBVTT': 'webvtt',
    'D_WEBVTT/SUBTITLES': 'webvtt',
    'D_WEBVTT/CAPTIONS': 'webvtt',
    'S_TEXT/USF': 'usf',
    S_VOBSUB: 'dvd_subtitle',
    'S_HDMV/PGS': 'hdmv_pgs_subtitle',
    'S_HDMV/TEXTST': 'hdmv_text_subtitle',
    S_DVBSUB: 'dvb_subtitle',
    S_KATE: 'kate',
  }),
);

export function readMatroskaTrack(entry: Element): MatroskaTrack {
  const kind = kinds.get(entry.uint(ids.trackType) ?? 0) ?? 'data';
  const codecId = entry.text(ids.codecId) ?? '';
  const setup = entry.find(ids.codecPrivate)?.content;
  const perFrame = entry.uint(ids.defaultDuration) ?? 0;
  const stream: StreamDraft = {
    kind,
    codec: codecOf(codecId, setup),
    // Both defaults are those of the format.
    language: language(entry.text(ids.languageTag) ?? entry.text(ids.language) ?? 'eng'),
    isDefault: entry.uint(ids.flagDefault) !== 0,
    isForced: entry.uint(ids.flagForced) === 1,
    isHearingImpaired: entry.uint(ids.flagHearingImpaired) === 1 || undefined,
    title: entry.text(ids.name),
    ...(kind === 'video' && readVideo(entry, codecId, setup, perFrame)),
    ...(kind === 'audio' && readAudio(entry, codecId, setup)),
  };
  return { number: entry.uint(ids.trackNumber) ?? 0, uid: entry.uint(ids.trackUid) ?? 0, stream };
}

function codecOf(codecId: string, setup: Uint8Array | undefined): string {
  const exact = codecs.get(codecId);
  if (exact !== undefined) return exact;
  if (codecId === 'V_MS/VFW/FOURCC' && setup !== undefined && setup.length >= 20) {
    return videoCodecOfFourcc(ascii(setup, 16, 4));
  }
  if (codecId === 'A_MS/ACM' && setup !== undefined && setup.length >= 16) {
    return codecOfWave(u16le(setup, 0), u16le(setup, 14));
  }
  if (codecId.startsWith('A_AAC')) return 'aac';
  if (codecId.startsWith('A_PCM/FLOAT')) return 'pcm_f32le';
  if (codecId.startsWith('A_PCM/')) return codecId.endsWith('BIG') ? 'pcm_s16be' : 'pcm_s16le';
  return codecId.replace(/^[VASDB]_/, '').toLowerCase();
}

function readVideo(
  entry: Element,
  codecId: string,
  setup: Uint8Array | undefined,
  perFrame: number,
): Partial<StreamDraft> {
  const configured = setup === undefined ? {} : readSetup(codecId, setup);
  const video = entry.find(ids.video);
  const colour = video?.find(ids.colour);
  const fromHeader = hdrByTransfer(colour?.uint(ids.transfer) ?? 2);
  const roll = video?.find(ids.projection)?.real(ids.projectionRoll) ?? 0;
  return {
    ...configured,
    ...(video && sizeOf(video)),
    bitDepth: configured.bitDepth ?? (colour?.uint(ids.bitsPerChannel) || undefined),
    hdr: fromHeader ?? configured.hdr,
    ...dolbyVision(entry),
    ...(video?.uint(ids.flagInterlaced) === 1 && { isInterlaced: true }),
    rotation: roll === 0 ? undefined : (((Math.round(-roll / 90) * 90) % 360) + 360) % 360,
    frameRate: perFrame > 0 ? frameRate(1e9 / perFrame) : configured.frameRate,
  };
}

/** An invalid setup costs only its details. */
function readSetup(codecId: string, setup: Uint8Array): VideoFormat {
  try {
    if (codecId === 'V_MPEG4/ISO/AVC') return readAvcConfiguration(setup);
    if (codecId === 'V_MPEGH/ISO/HEVC') return readHevcConfiguration(setup);
    if (codecId === 'V_AV1') return readAv1Configuration(setup);
    if (codecId === 'V_VP9') return readVp9Features(setup);
    if (codecId === 'V_MPEG4/ISO/ASP') return readMpeg4Profile(setup);
  } catch {
    return {};
  }
  return {};
}

/** `dvcC`, `dvvC` and `dvwC`, as numbers. */
const dolbyTypes: readonly number[] = [0x64766343, 0x64767643, 0x64767743];

function dolbyVision(entry: Element): Partial<Pick<StreamDraft, 'hdr' | 'dolbyVisionProfile'>> {
  const mapping = entry
    .all(ids.blockAdditionMapping)
    .find((one) => dolbyTypes.includes(one.uint(ids.blockAddIdType) ?? 0));
  if (mapping === undefined) return {};
  const record = mapping.find(ids.blockAddIdExtra)?.content;
  return { hdr: 'dolby-vision', dolbyVisionProfile: dolbyVisionProfile(record) };
}

function sizeOf(video: Element): { readonly width: number; readonly height: number } {
  const crop = (id: number) => video.uint(id) ?? 0;
  const width = (video.uint(ids.pixelWidth) ?? 0) - crop(ids.cropLeft) - crop(ids.cropRight);
  const height = (video.uint(ids.pixelHeight) ?? 0) - crop(ids.cropTop) - crop(ids.cropBottom);
  const [across, down] = [video.uint(ids.displayWidth), video.uint(ids.displayHeight)];
  if (across === undefined || down === undefined || across === 0 || down === 0) {
    return { width, height };
  }
  // In pixels the size counts as it is; other units only give the aspect ratio.
  if ((video.uint(ids.displayUnit) ?? 0) === 0 && down === height) return { width: across, height };
  return { width: Math.round((height * across) / down), height };
}

function readAudio(
  entry: Element,
  codecId: string,
  setup: Uint8Array | undefined,
): Partial<StreamDraft> {
  const audio = entry.find(ids.audio);
  const outputRate = audio?.real(ids.outputFrequency);
  const fromHeader = {
    channels: audio?.uint(ids.channels) ?? 1,
    sampleRate: outputRate ?? audio?.real(ids.samplingFrequency) ?? 8000,
    bitDepth: isLossless(codecId) ? audio?.uint(ids.bitDepth) || undefined : undefined,
  };
  if (!codecId.startsWith('A_AAC') || setup === undefined) return fromHeader;
  try {
    const { profile, channels = fromHeader.channels, sampleRate } = readAacConfiguration(setup);
    return {
      ...fromHeader,
      profile,
      channels,
      sampleRate: outputRate ?? sampleRate ?? fromHeader.sampleRate,
    };
  } catch {
    return fromHeader;
  }
}

/** For other codecs the value is not reliable. */
function isLossless(codecId: string): boolean {
  return /^A_(PCM|FLAC|ALAC|WAVPACK|TTA|TRUEHD|MLP|MS\/ACM)/.test(codecId);
}
