/** What a Blu-ray disc says of the streams of a clip, in its playlists and in its clip files. */
import { slice, u16, u32, u8 } from '../../media-headers/bytes/numbers.ts';
import { malformed } from '../../media-headers/bytes/probe-error.ts';
import { ascii } from '../../media-headers/bytes/text.ts';
import { language } from '../../media-headers/language.ts';

/** Languages by the PID of the stream. */
export type Languages = ReadonlyMap<number, string>;

const graphics = [0x90, 0x91];
const text = 0x92;
const isSound = (coding: number): boolean =>
  coding === 3 || coding === 4 || (coding >= 0x80 && coding <= 0x87);

/** The language in the attributes of a stream; `undefined` for pictures. */
export function languageIn(attributes: Uint8Array): string | undefined {
  const coding = u8(attributes, 0);
  const isSecondary = coding === 0xa1 || coding === 0xa2;
  const at = graphics.includes(coding)
    ? 1
    : isSound(coding) || isSecondary || coding === text
      ? 2
      : 0;
  return at === 0 ? undefined : language(ascii(slice(attributes, at, 3), 0, 3));
}

/** The languages in a clip file (`CLIPINF/00001.clpi`). Throws an error about the file. */
export function readClipLanguages(bytes: Uint8Array): Languages {
  if (ascii(bytes, 0, 4) !== 'HDMV') throw malformed('It does not begin as a clip file does.');
  const languages = new Map<number, string>();
  let at = u32(bytes, 12) + 6;
  for (let programs = u8(bytes, at - 1); programs > 0; programs -= 1) {
    const streams = u8(bytes, at + 6);
    at += 8;
    for (let index = 0; index < streams; index += 1) {
      const length = u8(bytes, at + 2);
      const found = languageIn(slice(bytes, at + 3, length));
      if (found !== undefined) languages.set(u16(bytes, at), found);
      at += 3 + length;
    }
  }
  return languages;
}
