/** Extensions of sidecars, by the kind of library. */

const words = (text: string): readonly string[] => text.split(' ');

const subtitles = words('srt ass ssa sub idx vtt sup smi sami ttml dfxp sbv stl usf mks');
const playlists = words('m3u m3u8');
const pictures = words('jpg jpeg jpe png webp avif gif tbn bmp');

const video = [...subtitles, ...pictures, ...words('nfo xml json txt'), ...playlists];
const music = [...pictures, ...words('lrc elrc nfo xml json txt cue'), ...playlists];
const spoken = [...pictures, ...words('opf nfo xml json txt cue lrc srt vtt'), ...playlists];
const texts = [...pictures, ...words('opf nfo xml json txt')];
/** Files that cameras, phones and photo services write beside a picture. */
const photos = words('xmp aae json xml srt');

const byType: ReadonlyMap<string, readonly string[]> = new Map([
  ['movies', video],
  ['tv', video],
  ['music', music],
  ['audiobooks', spoken],
  ['books', texts],
  ['photos', photos],
]);

const everything: readonly string[] = [
  ...new Set([...video, ...music, ...spoken, ...texts, ...photos]),
];

/** Extensions for a library type, without media of that type; for an unknown type, of all types. */
export function auxiliaryExtensions(
  libraryType: string,
  media: readonly string[],
): readonly string[] {
  const taken = new Set(media);
  return (byType.get(libraryType) ?? everything).filter((extension) => !taken.has(extension));
}
