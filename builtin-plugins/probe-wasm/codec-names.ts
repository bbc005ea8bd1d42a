/** MediaInfo's names of formats, as the short names that probes use. */
import type { Track } from './tracks.ts';

const containers = new Map(
  Object.entries({
    'Windows Media': 'asf',
    'MPEG-PS': 'mpeg',
    'Flash Video': 'flv',
    RealMedia: 'rm',
    "Monkey's Audio": 'ape',
    WavPack: 'wv',
    'Musepack SV7': 'mpc',
    'Musepack SV8': 'mpc',
    'AC-3': 'ac3',
    'E-AC-3': 'eac3',
    'MPEG Video': 'mpegvideo',
    Wave64: 'w64',
  }),
);

export function containerName(general: Track): string {
  const format = general['Format'] ?? 'unknown';
  return containers.get(format) ?? shortName(format);
}

const codecs = new Map(
  Object.entries({
    AVC: 'h264',
    HEVC: 'hevc',
    'VC-1': 'vc1',
    'Sorenson Spark': 'flv1',
    'On2 VP6': 'vp6f',
    VP6: 'vp6f',
    WMV1: 'wmv1',
    WMV2: 'wmv2',
    'RealVideo 4': 'rv40',
    'RealVideo 3': 'rv30',
    JPEG: 'mjpeg',
    DV: 'dvvideo',
    'AC-3': 'ac3',
    'E-AC-3': 'eac3',
    'MLP FBA': 'truehd',
    "Monkey's Audio": 'ape',
    Cooker: 'cook',
    Cook: 'cook',
    Nellymoser: 'nellymoser',
    RLE: 'dvd_subtitle',
  }),
);

export function codecName(track: Track): string {
  const format = track['Format'] ?? '';
  const version = track['Format_Version'] ?? '';
  if (format === 'MPEG Video') return version.includes('2') ? 'mpeg2video' : 'mpeg1video';
  if (format === 'MPEG-4 Visual') return 'mpeg4';
  if (format === 'MPEG Audio') {
    const layer = /\d/.exec(track['Format_Profile'] ?? '')?.[0] ?? '3';
    return `mp${layer}`;
  }
  if (format === 'WMA') return /1/.test(version) ? 'wmav1' : 'wmav2';
  if (format === 'WMA Pro' || format === 'WMA Lossless')
    return format.replace(' ', '').toLowerCase();
  if (format === 'PCM') return pcmName(track);
  return (
    codecs.get(format) ??
    (format === '' ? shortName(track['CodecID'] ?? 'unknown') : shortName(format))
  );
}

function pcmName(track: Track): string {
  const isBig = track['Format_Settings_Endianness'] === 'Big';
  const sign = track['Format_Settings_Sign'] === 'Unsigned' ? 'u' : 's';
  const depth = track['BitDepth'] ?? '16';
  return depth === '8' ? `pcm_${sign}8` : `pcm_${sign}${depth}${isBig ? 'be' : 'le'}`;
}

function shortName(format: string): string {
  const short = format
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  return short === '' ? 'unknown' : short.slice(0, 40);
}
