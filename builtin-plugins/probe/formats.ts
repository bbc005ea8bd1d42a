/** Which reader reads which format: by the first bytes of a file, and by its name where they do not decide. */
import { ascii } from '../media-headers/bytes/text.ts';
import { readAdts } from './audio/adts.ts';
import { readFlac } from './audio/flac.ts';
import { readMpegAudio } from './audio/mpeg-stream.ts';
import { readOgg } from './audio/ogg.ts';
import { readWav } from './audio/wav.ts';
import { readAvi } from './containers/avi.ts';
import { readMatroska } from './containers/matroska/matroska.ts';
import { findLayout } from '../media-headers/mpeg-ts/packets.ts';
import { isProgramStream } from '../media-headers/mpeg-ps/packets.ts';
import { readMpegPs } from './containers/mpeg-ps/mpeg-ps.ts';
import { readMpegTs } from './containers/mpeg-ts/mpeg-ts.ts';
import { readMp4 } from './containers/mp4/mp4.ts';
import { beginsAsArchive, readComicArchive } from './documents/comic-archive.ts';
import { readEpub } from './documents/epub.ts';
import { readPdf } from './documents/pdf/pdf.ts';
import { beginsAsZip } from './documents/zip.ts';
import { readHeif } from './images/heif.ts';
import { readJpeg } from './images/jpeg.ts';
import { readBmp, readGif, readTiff } from './images/plain-pictures.ts';
import { readPng } from './images/png.ts';
import { readWebp } from './images/webp.ts';
import type { FormatReader } from './media.ts';

const words = (text: string): readonly string[] => text.split(' ');

/** The kind of media that the name promises. */
export type Family = 'media' | 'picture' | 'document';

export interface Format {
  readonly name: string;
  readonly family: Family;
  readonly extensions: readonly string[];
  /** Whether a file with this beginning has the format; absent where the beginning does not decide. */
  readonly begins?: (head: Uint8Array) => boolean;
  /** Whether programs put an ID3 tag before it, which the reader passes over. */
  readonly mayFollowId3?: boolean;
  readonly read: FormatReader;
}

const startsWith =
  (text: string, at = 0) =>
  (head: Uint8Array): boolean =>
    ascii(head, at, text.length) === text;

const isRiff =
  (kind: string) =>
  (head: Uint8Array): boolean =>
    /^(RIFF|RF64)$/.test(ascii(head, 0, 4)) && ascii(head, 8, 4) === kind;

/** Packets of 188 bytes begin at once, those of Blu-ray after four bytes of time. */
function isTransportStream(head: Uint8Array): boolean {
  return (head[0] === 0x47 || head[4] === 0x47) && findLayout(head) !== undefined;
}

export const formats: readonly Format[] = [
  {
    name: 'Matroska',
    family: 'media',
    extensions: words('mkv mk3d mka webm weba'),
    begins: startsWith('\x1a\x45\xdf\xa3'),
    read: readMatroska,
  },
  {
    name: 'MP4',
    family: 'media',
    extensions: words('mp4 m4v mov qt m4a m4b 3gp 3g2 3gpp f4v alac'),
    begins: (head) => /^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(ascii(head, 4, 4)),
    read: readMp4,
  },
  {
    name: 'AVI',
    family: 'media',
    extensions: words('avi divx xvid'),
    begins: isRiff('AVI '),
    read: readAvi,
  },
  {
    name: 'FLAC',
    family: 'media',
    extensions: words('flac'),
    begins: startsWith('fLaC'),
    mayFollowId3: true,
    read: readFlac,
  },
  {
    name: 'Ogg',
    family: 'media',
    extensions: words('ogg oga opus spx ogv ogx ogm'),
    begins: startsWith('OggS'),
    read: readOgg,
  },
  {
    name: 'WAV',
    family: 'media',
    extensions: words('wav wave rf64 bwf'),
    begins: (head) =>
      isRiff('WAVE')(head) || (startsWith('BW64')(head) && startsWith('WAVE', 8)(head)),
    read: readWav,
  },
  {
    name: 'MPEG-TS',
    family: 'media',
    extensions: words('ts m2ts m2t mts tp trp'),
    begins: isTransportStream,
    read: readMpegTs,
  },
  {
    name: 'MPEG-PS',
    family: 'media',
    extensions: words('mpg mpeg mpe m2p vob vro mod tod'),
    begins: isProgramStream,
    read: readMpegPs,
  },
  {
    name: 'AAC',
    family: 'media',
    extensions: words('aac'),
    read: readAdts,
  },
  {
    name: 'MP3',
    family: 'media',
    extensions: words('mp3 mp2 mp1 mpa'),
    read: readMpegAudio,
  },
  {
    name: 'JPEG',
    family: 'picture',
    extensions: words('jpg jpeg jpe jfif'),
    begins: startsWith('\xff\xd8'),
    read: readJpeg,
  },
  {
    name: 'PNG',
    family: 'picture',
    extensions: words('png'),
    begins: startsWith('\x89PNG\r\n\x1a\n'),
    read: readPng,
  },
  {
    name: 'WebP',
    family: 'picture',
    extensions: words('webp'),
    begins: isRiff('WEBP'),
    read: readWebp,
  },
  {
    name: 'HEIF',
    family: 'picture',
    extensions: words('heic heif hif avif'),
    begins: (head) => /^ftyp(hei|hev|mif|msf|avi)/.test(ascii(head, 4, 8)),
    read: readHeif,
  },
  {
    name: 'GIF',
    family: 'picture',
    extensions: words('gif'),
    begins: startsWith('GIF8'),
    read: readGif,
  },
  {
    name: 'BMP',
    family: 'picture',
    extensions: words('bmp dib'),
    begins: startsWith('BM'),
    read: readBmp,
  },
  {
    name: 'TIFF',
    family: 'picture',
    extensions: words('tif tiff dng nef arw cr2 orf rw2 pef srw'),
    begins: (head) => /^(II[*U\x52]|MM\0\*|IIRO)/.test(ascii(head, 0, 4)),
    read: readTiff,
  },
  {
    name: 'EPUB',
    family: 'document',
    extensions: words('epub'),
    begins: beginsAsZip,
    read: readEpub,
  },
  {
    name: 'a comic archive',
    family: 'document',
    extensions: words('cbz cbr cb7 cbt cba'),
    begins: beginsAsArchive,
    read: readComicArchive,
  },
  {
    name: 'PDF',
    family: 'document',
    extensions: words('pdf'),
    begins: (head) => ascii(head, 0, 1024).includes('%PDF-'),
    read: readPdf,
  },
];

/** The format by content, or else by name. */
export function formatOf(head: Uint8Array, extension: string): Format | undefined {
  const named = formats.find((format) => format.extensions.includes(extension));
  if (named?.begins?.(head)) return named;
  const begun = formats.find((format) => format.begins?.(head));
  return begun?.family === named?.family ? (begun ?? named) : named;
}
