import { ascii } from './text.ts';

/** MIME type of a picture by its first bytes; `undefined` when browsers do not show such pictures. */
export function pictureType(head: Uint8Array): string | undefined {
  if (head[0] === 0xff && head[1] === 0xd8) return 'image/jpeg';
  const start = ascii(head, 0, 12);
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('BM')) return 'image/bmp';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  if (start.slice(4, 8) === 'ftyp') {
    const brand = start.slice(8, 12);
    if (brand === 'avif' || brand === 'avis') return 'image/avif';
    if (brand === 'heic' || brand === 'heix' || brand === 'mif1') return 'image/heic';
  }
  return undefined;
}

/** A MIME type from a file in its usual form; `image/jpeg` for an empty one. */
export function pictureTypeNamed(name: string): string {
  const word = name
    .trim()
    .toLowerCase()
    .replace(/^image\//, '')
    .replace(/\0.*$/, '');
  if (word === 'jpg' || word === 'jpeg' || word === 'pjpeg' || word === '') return 'image/jpeg';
  return /^[a-z0-9.+-]{1,40}$/.test(word) ? `image/${word}` : 'image/jpeg';
}

/** Numbers of picture types in ID3, FLAC and APE. */
const roles = (
  'other icon icon cover back leaflet media lead-artist artist conductor band composer lyricist ' +
  'location recording performance screenshot fish illustration band-logo publisher-logo'
).split(' ');

export function pictureRole(number: number): string {
  return roles[number] ?? 'other';
}
