/**
 * ffmpeg's names of the readers of containers, by the name that the probe gives a container. Only the
 * reader that the probe found may open a file: a playlist with the name of a film would make another
 * one open files beside it.
 */
const demuxers: Readonly<Record<string, string>> = {
  mp4: 'mov',
  mov: 'mov',
  matroska: 'matroska',
  webm: 'matroska',
  mpegts: 'mpegts',
  bdav: 'mpegts',
  mpeg: 'mpeg',
  mpegvideo: 'mpegvideo',
  avi: 'avi',
  asf: 'asf',
  flv: 'flv',
  ogg: 'ogg',
  rm: 'rm',
  mxf: 'mxf',
  dv: 'dv',
  ivf: 'ivf',
  mp3: 'mp3',
  aac: 'aac',
  adts: 'aac',
  flac: 'flac',
  wav: 'wav',
  w64: 'w64',
  aiff: 'aiff',
  caf: 'caf',
  ape: 'ape',
  wv: 'wv',
  tta: 'tta',
  tak: 'tak',
  mpc: 'mpc,mpc8',
  dsf: 'dsf',
  amr: 'amr',
  ac3: 'ac3',
  eac3: 'eac3',
  dts: 'dts,dtshd',
  truehd: 'truehd',
};

/** The readers that may open a file of this container; `null` for a container without one. */
export const demuxerOf = (container: string | null): string | null =>
  container !== null && Object.hasOwn(demuxers, container) ? (demuxers[container] ?? null) : null;
