/** One tiny file of each kind, and copies of it that differ: by their tags, or by bytes that players skip. */
import { readFileSync } from 'node:fs';
import { strToU8, zipSync, type Zippable } from 'fflate';
import { element } from '../media/made-matroska.ts';
import { bars, keepFile, makeMedia, tone } from '../media/media-files.ts';
import { box } from '../media/media-patches.ts';

/** The kinds of media files. */
export type Kind = 'mkv' | 'mp4' | 'avi' | 'mp3' | 'flac' | 'm4b' | 'cbz' | 'epub' | 'jpg';

/** What the tags of a file say. */
export interface Tags {
  readonly title?: string;
  readonly artist?: string;
  readonly albumArtist?: string;
  readonly album?: string;
  readonly track?: number;
  readonly year?: number;
  readonly genre?: string;
  readonly narrator?: string;
}

export interface Templates {
  readonly poster: Buffer;
  /** A file of this kind that no other call gave. */
  readonly copy: (kind: Kind, tags: Tags) => Buffer;
}

const exact = ['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'];
const speech = ['-b:a', '16k', '-ac', '1'];

/** Makes them with ffmpeg, once. */
export function openTemplates(): Templates {
  const made = (extension: string, ...args: readonly string[]): Buffer =>
    readFileSync(makeMedia(extension, [...args, ...exact]));
  const picture = bars(2, '64x36', '5');
  const sound = tone(2, 22_050);
  const x264 = ['-c:v', 'libx264', '-crf', '45', '-pix_fmt', 'yuv420p', '-threads', '1'];
  const aac = ['-c:a', 'aac', ...speech];
  const lame = ['-c:a', 'libmp3lame', ...speech, '-ar', '16000'];
  const words = ['-i', keepFile('srt', '1\n00:00:00,100 --> 00:00:01,500\nHello.\n')];
  const streams = ['-map', '0:v', '-map', '1:a', '-map', '2:s', '-metadata:s:a:0', 'language=eng'];
  const chapters = ['-i', keepFile('txt', chaptersText), '-map', '0:a', '-map_chapters', '1'];
  const templates = {
    mkv: made('mkv', ...picture, ...sound, ...words, ...streams, ...x264, ...aac, '-c:s', 'srt'),
    mp4: made('mp4', ...picture, ...sound, '-shortest', ...x264, ...aac),
    avi: made('avi', ...picture, ...sound, '-shortest', '-c:v', 'mpeg4', '-q:v', '31', ...lame),
    mp3: made('mp3', ...sound, ...lame, '-id3v2_version', '0'),
    flac: made('flac', ...tone(1, 8000), '-c:a', 'flac', '-ac', '1'),
    m4b: made('m4b', ...sound, ...chapters, ...aac, '-f', 'ipod'),
  };
  const poster = made('jpg', ...bars(1, '48x72', '1'), '-frames:v', '1', '-q:v', '20');
  let copies = 0;
  return {
    poster,
    copy: (kind, tags) => {
      const mark = Buffer.from(String(++copies).padStart(16, '0'));
      if (kind === 'jpg') return Buffer.concat([poster, mark]);
      if (kind === 'cbz') return zipped({ '001.jpg': poster, '002.jpg': mark });
      if (kind === 'epub') return zipped(book(tags, mark));
      const bytes = templates[kind];
      switch (kind) {
        case 'mkv':
          return withVoid(bytes, mark);
        case 'mp4':
          return Buffer.concat([bytes, box('free', mark)]);
        case 'avi':
          return Buffer.concat([bytes, chunk('JUNK', mark)]);
        case 'mp3':
          return Buffer.concat([id3(tags), bytes]);
        case 'flac':
          return withComments(bytes, tags);
        case 'm4b':
          return withList(bytes, tags);
      }
    },
  };
}

/** Bytes behind a file that change its size and not its meaning. */
export const skipped = (extension: string, mark: string): Buffer =>
  extension === 'mkv' ? element(0xec, Buffer.from(mark)) : box('free', Buffer.from(mark));

const zipped = (files: Zippable): Buffer => Buffer.from(zipSync(files, { level: 0 }));

function book({ title, artist }: Tags, mark: Buffer): Zippable {
  const texts = said({ 'dc:title': title, 'dc:creator': artist });
  const about = texts.map(([key, value]) => `<${key}>${escaped(String(value))}</${key}>`).join('');
  return {
    mimetype: strToU8('application/epub+zip'),
    'META-INF/container.xml': strToU8(
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    ),
    'a.opf': strToU8(
      `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>${about}</metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
    ),
    'a.xhtml': strToU8(
      `<html xmlns="http://www.w3.org/1999/xhtml"><body>${mark.toString()}</body></html>`,
    ),
  };
}

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const chaptersText = `;FFMETADATA1
${[
  [0, 700, 'Opening Credits'],
  [700, 1400, 'Chapter 1'],
  [1400, 2000, 'Chapter 2'],
]
  .map(
    ([from, to, title]) => `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${from}\nEND=${to}\ntitle=${title}\n`,
  )
  .join('')}`;

/** Those that say something. */
const said = (tags: Readonly<Record<string, string | number | undefined>>) =>
  Object.entries(tags).flatMap(([key, value]) =>
    value === undefined ? [] : ([[key, value]] as const),
  );

/** A RIFF chunk. */
function chunk(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, type, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}

/** The element goes into the segment, whose length grows by it. */
function withVoid(bytes: Buffer, mark: Buffer): Buffer {
  const end = element(0xec, mark);
  const copy = Buffer.concat([bytes, end]);
  const at = copy.indexOf(Buffer.from('18538067', 'hex')) + 4;
  if (copy[at] !== 1) throw new Error('The length of the segment does not have 8 bytes.');
  copy.writeUIntBE(copy.readUIntBE(at + 2, 6) + end.length, at + 2, 6);
  return copy;
}

/** ID3v2.4 with texts in UTF-8. */
function id3(tags: Tags): Buffer {
  const sizeOf = (bytes: number): Buffer =>
    Buffer.from([(bytes >> 21) & 127, (bytes >> 14) & 127, (bytes >> 7) & 127, bytes & 127]);
  const { title, artist, albumArtist, album, track, year, genre, narrator } = tags;
  const frames = said({
    ...{ TIT2: title, TPE1: artist, TALB: album, TPE2: albumArtist },
    ...{ TRCK: track, TDRC: year, TCON: genre, TCOM: narrator },
  }).map(([key, value]) => {
    const body = Buffer.from(`\u0003${value}`);
    return Buffer.concat([Buffer.from(key), sizeOf(body.length), Buffer.alloc(2), body]);
  });
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\u0004\0\0'), sizeOf(body.length), body]);
}

/** The FLAC file with these comments in place of its other blocks. */
function withComments(bytes: Buffer, tags: Tags): Buffer {
  const sized = (text: string): Buffer =>
    Buffer.concat([little(Buffer.byteLength(text)), Buffer.from(text)]);
  const { title, artist, albumArtist, album, track, year, genre } = tags;
  const comments = said({
    ...{ TITLE: title, ARTIST: artist, ALBUM: album, ALBUMARTIST: albumArtist },
    ...{ TRACKNUMBER: track, DATE: year, GENRE: genre },
  }).map(([key, value]) => sized(`${key}=${value}`));
  const body = Buffer.concat([sized('made'), little(comments.length), ...comments]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  head.writeUInt8(0x84, 0);
  let sound = 4;
  for (let isLast = false; !isLast; sound += 4 + bytes.readUIntBE(sound + 1, 3))
    isLast = bytes.readUInt8(sound) >= 0x80;
  const info = Buffer.from(bytes.subarray(4, 4 + 4 + 34));
  info.writeUInt8(0, 0);
  return Buffer.concat([Buffer.from('fLaC'), info, head, body, bytes.subarray(sound)]);
}

function little(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

/** The MP4 with these tags. Its `moov` stands last, so the size of that may change. */
function withList(bytes: Buffer, tags: Tags): Buffer {
  const { title, artist, albumArtist, album, track, year, genre, narrator } = tags;
  const texts = said({
    ...{ '©nam': title, '©ART': artist, '©alb': album, aART: albumArtist },
    ...{ '©day': year, '©gen': genre, '©wrt': narrator },
  }).map(([key, value]) => box(key, dataBox(1, Buffer.from(String(value)))));
  const number =
    track === undefined ? [] : [box('trkn', dataBox(0, Buffer.from([0, 0, 0, track, 0, 0, 0, 0])))];
  const reader = box(
    'hdlr',
    Buffer.concat([Buffer.alloc(8), Buffer.from('mdirappl'), Buffer.alloc(9)]),
  );
  const list = box('ilst', Buffer.concat([...texts, ...number]));
  const meta = box('meta', Buffer.concat([Buffer.alloc(4), reader, list]));
  const movie = boxesOf(bytes).at(-1);
  if (movie?.type !== 'moov') throw new Error('The box moov does not stand last.');
  const inside = boxesOf(movie.content);
  const kept = boxesOf(inside.find(({ type }) => type === 'udta')?.content ?? Buffer.alloc(0))
    .filter(({ type }) => type !== 'meta')
    .map(({ whole }) => whole);
  const others = inside.filter(({ type }) => type !== 'udta').map(({ whole }) => whole);
  const about = box('udta', Buffer.concat([...kept, meta]));
  return Buffer.concat([
    bytes.subarray(0, bytes.length - movie.whole.length),
    box('moov', Buffer.concat([...others, about])),
  ]);
}

function dataBox(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(kind);
  return box('data', Buffer.concat([head, content]));
}

function boxesOf(bytes: Buffer) {
  const found = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const whole = bytes.subarray(at, at + bytes.readUInt32BE(at));
    found.push({ type: whole.toString('latin1', 4, 8), content: whole.subarray(8), whole });
    at += Math.max(8, whole.length);
  }
  return found;
}
