/**
 * EXIF: the camera's data beside the picture, in the form of a TIFF. Directories refer to each other
 * by offsets in the same bytes, so each kind of directory is read only once.
 */
import { i32, i32le, u16, u16le, u32, u32le } from '../../media-headers/bytes/numbers.ts';
import { ascii, untilZero, utf16, utf8 } from '../../media-headers/bytes/text.ts';
import { decodeAlone } from '../../media-headers/charsets/decode-text.ts';
import type { TagsDraft } from '../media.ts';
import { livePhotoId } from '../tags/known-tags.ts';

export interface Exif {
  readonly tags: TagsDraft;
  /** Degrees clockwise. */
  readonly rotation: number;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The values of one directory, by tag. */
export type Directory = ReadonlyMap<number, DirectoryValue>;

export interface TiffReader {
  readonly first: number;
  readonly directory: (at: number | undefined) => Directory;
  /** The offset of the next directory; 0 when there is none. */
  readonly next: (at: number) => number;
}

export interface DirectoryValue {
  readonly bytes: Uint8Array;
  readonly numbers: readonly number[];
}

const sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
const mostEntries = 1000;
const longestValue = 64 * 1024;
const turns = new Map([
  [3, 180],
  [4, 180],
  [5, 90],
  [6, 90],
  [7, 270],
  [8, 270],
]);

/** `undefined` when the bytes are not a TIFF. */
export function readExif(
  bytes: Uint8Array,
  reader: TiffReader | undefined = tiffReader(bytes),
): Exif | undefined {
  if (reader === undefined) return undefined;
  const main = reader.directory(reader.first);
  const details = reader.directory(main.get(0x8769)?.numbers[0]);
  const place = reader.directory(main.get(0x8825)?.numbers[0]);
  const lens = textOf(details.get(0xa434));
  const takenAt =
    timeOf(details.get(0x9003), details.get(0x9291), details.get(0x9011)) ??
    timeOf(main.get(0x0132));
  return {
    rotation: turns.get(main.get(0x0112)?.numbers[0] ?? 1) ?? 0,
    width: main.get(0x0100)?.numbers[0],
    height: main.get(0x0101)?.numbers[0],
    tags: {
      takenAt,
      camera: cameraOf(textOf(main.get(0x010f)), textOf(main.get(0x0110))),
      lens,
      artist: textOf(main.get(0x013b)),
      title: wideText(main.get(0x9c9b)) ?? undefined,
      description: textOf(main.get(0x010e)),
      ...coordinates(place),
      ...livePhoto(details.get(0x927c)),
    },
  };
}

/**
 * Reads numbers and directories of a TIFF. Offsets are those of the file, of which `bytes` begins at
 * `base`; offsets outside are skipped.
 */
export function tiffReader(
  bytes: Uint8Array,
  head: Uint8Array = bytes,
  base = 0,
): TiffReader | undefined {
  const order = ascii(head, 0, 2);
  if (head.length < 8 || (order !== 'II' && order !== 'MM')) return undefined;
  const isLittle = order === 'II';
  const short = isLittle ? u16le : u16;
  const long = isLittle ? u32le : u32;
  const signed = isLittle ? i32le : i32;
  if (![42, 0x55, 0x4f52].includes(short(head, 2))) return undefined;

  function numberAt(type: number, at: number): number {
    if (type === 3) return short(bytes, at);
    if (type === 4 || type === 13) return long(bytes, at);
    if (type === 9) return signed(bytes, at);
    if (type === 5) return long(bytes, at) / long(bytes, at + 4);
    if (type === 10) return signed(bytes, at) / signed(bytes, at + 4);
    return bytes[at] ?? 0;
  }

  function directory(at: number | undefined): Directory {
    const values = new Map<number, DirectoryValue>();
    const start = (at ?? 0) - base;
    if (at === undefined || at < 8 || start < 0 || start + 2 > bytes.length) return values;
    const count = Math.min(short(bytes, start), mostEntries);
    for (let index = 0; index < count; index++) {
      const entry = start + 2 + index * 12;
      if (entry + 12 > bytes.length) break;
      const type = short(bytes, entry + 2);
      const size = sizes[type] ?? 0;
      const length = size * long(bytes, entry + 4);
      const from = length <= 4 ? entry + 8 : long(bytes, entry + 8) - base;
      if (size === 0 || length > longestValue) continue;
      if (from < 0 || from + length > bytes.length) continue;
      const numbers: number[] = [];
      for (let value = 0; value < Math.min(4, length / size); value++) {
        numbers.push(numberAt(type, from + value * size));
      }
      values.set(short(bytes, entry), { bytes: bytes.subarray(from, from + length), numbers });
    }
    return values;
  }

  return {
    first: long(head, 4),
    directory,
    next: (at) => {
      const start = at - base;
      if (start < 0 || start + 2 > bytes.length) return 0;
      const end = start + 2 + short(bytes, start) * 12;
      return end + 4 <= bytes.length ? long(bytes, end) : 0;
    },
  };
}

function textOf(value: DirectoryValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = decodeAlone(untilZero(value.bytes)).trim();
  return text === '' ? undefined : text;
}

/** The fields that Windows writes. */
function wideText(value: DirectoryValue | undefined): string | undefined {
  const text = value === undefined ? '' : (utf16(value.bytes).split('\0')[0] ?? '').trim();
  return text === '' ? undefined : text;
}

/** `2021:03:04 05:06:07` to ISO 8601, with fractions and time zone if present. */
function timeOf(
  value: DirectoryValue | undefined,
  fraction?: DirectoryValue,
  zone?: DirectoryValue,
): string | undefined {
  const text = textOf(value) ?? '';
  const match = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})/.exec(text);
  if (match === null || match[1] === '0000') return undefined;
  const [, year, month, day, hour, minute, second] = match;
  const parts = /^\d{1,6}$/.exec(textOf(fraction) ?? '')?.[0];
  const offset = /^[+-]\d{2}:\d{2}$/.exec(textOf(zone) ?? '')?.[0];
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${parts ? `.${parts}` : ''}${offset ?? ''}`;
}

const appleNote = 'Apple iOS\0';
/** Where the directory of such a note begins, after its version and the order of its bytes. */
const appleDirectory = 14;
/** The header of a TIFF with the bytes in that order. */
const appleHead = new Uint8Array([0x4d, 0x4d, 0, 42, 0, 0, 0, appleDirectory]);

/** What an Apple device writes of a picture with a film: the id that both of them have. */
function livePhoto(note: DirectoryValue | undefined): Pick<TagsDraft, 'ids'> {
  if (note === undefined || ascii(note.bytes, 0, appleNote.length) !== appleNote) return {};
  const directory = tiffReader(note.bytes, appleHead)?.directory(appleDirectory);
  const id = textOf(directory?.get(0x11));
  return id === undefined || !/^[\w-]{8,64}$/.test(id) ? {} : { ids: { [livePhotoId]: id } };
}

/** The maker, unless the model begins with it. */
function cameraOf(maker: string | undefined, model: string | undefined): string | undefined {
  if (maker === undefined || model === undefined) return model ?? maker;
  const word = (maker.split(' ')[0] ?? '').toLowerCase();
  return model.toLowerCase().startsWith(word) ? model : `${maker} ${model}`;
}

function coordinates(place: Directory): Pick<TagsDraft, 'latitude' | 'longitude'> {
  const latitude = degrees(place.get(2), place.get(1), 90);
  const longitude = degrees(place.get(4), place.get(3), 180);
  return latitude === undefined || longitude === undefined ? {} : { latitude, longitude };
}

function degrees(
  value: DirectoryValue | undefined,
  side: DirectoryValue | undefined,
  most: number,
): number | undefined {
  const [whole, minutes = 0, seconds = 0] = value?.numbers ?? [];
  if (whole === undefined || side === undefined) return undefined;
  const isNegative = /^[SW]/i.test(utf8(side.bytes));
  const sum = (whole + minutes / 60 + seconds / 3600) * (isNegative ? -1 : 1);
  if (!Number.isFinite(sum) || Math.abs(sum) > most) return undefined;
  return Math.round(sum * 1e6) / 1e6;
}
