/** Codecs as Microsoft's containers name them: four letters for video, a number for audio. */

const video = new Map(
  Object.entries({
    H264: 'h264',
    X264: 'h264',
    AVC1: 'h264',
    DAVC: 'h264',
    HEVC: 'hevc',
    H265: 'hevc',
    HVC1: 'hevc',
    AV01: 'av1',
    VP80: 'vp8',
    VP90: 'vp9',
    XVID: 'mpeg4',
    DIVX: 'mpeg4',
    DX50: 'mpeg4',
    FMP4: 'mpeg4',
    MP4V: 'mpeg4',
    '3IVX': 'mpeg4',
    '3IV2': 'mpeg4',
    M4S2: 'mpeg4',
    DIV3: 'msmpeg4v3',
    DIV4: 'msmpeg4v3',
    DIV5: 'msmpeg4v3',
    MP43: 'msmpeg4v3',
    MP42: 'msmpeg4v2',
    MPG4: 'msmpeg4v1',
    MJPG: 'mjpeg',
    MPG1: 'mpeg1video',
    MPG2: 'mpeg2video',
    WMV1: 'wmv1',
    WMV2: 'wmv2',
    WMV3: 'wmv3',
    WVC1: 'vc1',
    DVSD: 'dvvideo',
    HFYU: 'huffyuv',
    FFVH: 'ffvhuff',
    FFV1: 'ffv1',
    THEO: 'theora',
    CVID: 'cinepak',
    IV50: 'indeo5',
    'DIB ': 'rawvideo',
    '\0\0\0\0': 'rawvideo',
  }),
);

export function videoCodecOfFourcc(fourcc: string): string {
  return video.get(fourcc.toUpperCase()) ?? fourcc.trim().toLowerCase();
}

const audio = new Map([
  [0x0002, 'adpcm_ms'],
  [0x0006, 'pcm_alaw'],
  [0x0007, 'pcm_mulaw'],
  [0x0011, 'adpcm_ima_wav'],
  [0x0050, 'mp2'],
  [0x0055, 'mp3'],
  [0x00ff, 'aac'],
  [0x0160, 'wmav1'],
  [0x0161, 'wmav2'],
  [0x0162, 'wmapro'],
  [0x0163, 'wmalossless'],
  [0x1600, 'aac'],
  [0x1610, 'aac'],
  [0x2000, 'ac3'],
  [0x2001, 'dts'],
  [0x566f, 'vorbis'],
  [0x674f, 'vorbis'],
  [0x6771, 'vorbis'],
  [0xf1ac, 'flac'],
]);

/** A number of `WAVEFORMATEX`; 1 and 3 are uncompressed samples, integer and floating-point. */
export function codecOfWave(tag: number, bits: number): string {
  if (tag === 1) return bits === 8 ? 'pcm_u8' : `pcm_s${bits}le`;
  if (tag === 3) return `pcm_f${bits}le`;
  return audio.get(tag) ?? `wave-0x${tag.toString(16)}`;
}
