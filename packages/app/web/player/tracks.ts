/** Which subtitles are shown, and what the parts of the line are called. */
import type { Item, PlaybackFile, SessionTrack } from './requests.ts';
import type { Part } from './timeline.ts';

/** What a profile prefers of subtitles. */
export interface TextWishes {
  readonly mode: 'off' | 'forced' | 'auto' | 'always';
  readonly languages: readonly string[];
  /** The languages of sound that the profile understands. */
  readonly understood: readonly string[];
}

const isSame = (one: string | null, other: string): boolean =>
  one?.toLowerCase().split('-')[0] === other.toLowerCase().split('-')[0];

/** Whether a subtitle is one of pictures that only the server can draw, into a converted film. */
export const isDrawnByServer = ({ kind, way, url, supUrl }: SessionTrack): boolean =>
  kind === 'subtitle' && way === 'convert' && (url ?? supUrl) === null;

/** Subtitles that a person can choose. */
export const subtitlesOf = (tracks: readonly SessionTrack[]): readonly SessionTrack[] =>
  tracks.filter((track) => textsOf([track]).length > 0 || isDrawnByServer(track));

/** Subtitles that the page can show over the film, as text or as pictures. */
export const textsOf = (tracks: readonly SessionTrack[]): readonly SessionTrack[] =>
  tracks.filter(({ kind, url, supUrl }) => kind === 'subtitle' && (url ?? supUrl) !== null);

/** The text to begin with; `null` = none. */
export function preferredText(
  tracks: readonly SessionTrack[],
  { mode, languages, understood }: TextWishes,
): SessionTrack | null {
  if (mode === 'off') return null;
  const texts = textsOf(tracks);
  const spoken = tracks.find(({ kind, isSelected }) => kind === 'audio' && isSelected)?.language;
  const sound = spoken === 'und' ? null : (spoken ?? null);
  const inOrder = languages.flatMap((language) =>
    texts.filter((text) => isSame(text.language, language)),
  );
  // Many films do not name the language of their one sound: a forced text belongs to it then, too.
  const forced =
    (sound === null
      ? [...inOrder, ...texts].find(({ isForced }) => isForced)
      : texts.find(({ isForced, language }) => isForced && isSame(language, sound))) ?? null;
  const full = inOrder.find(({ isForced }) => !isForced);
  if (mode === 'forced') return forced;
  if (mode === 'always') return full ?? texts.find(({ isForced }) => !isForced) ?? forced;
  const isUnderstood = sound === null || understood.some((language) => isSame(sound, language));
  return understood.length > 0 && !isUnderstood ? (full ?? forced) : forced;
}

/** A chapter on the line of an item. */
export interface LineChapter {
  readonly title: string;
  readonly role: string;
  readonly start: number;
  readonly end: number;
}

/** The chapters of all parts; a part of several without chapters is one itself. */
export function chaptersOf(item: Item, parts: readonly Part[]): readonly LineChapter[] {
  const all = parts.flatMap((part) => {
    const file = item.files.find(({ id }) => id === part.fileId);
    const end = part.start + part.duration;
    if (file === undefined) return [];
    if (file.chapters.length === 0)
      return parts.length < 2
        ? []
        : [
            {
              title: file.filename.replace(/\.[^.]+$/, ''),
              role: 'chapter',
              start: part.start,
              end,
            },
          ];
    return file.chapters.map(({ title, role, startTime, endTime }, at) => ({
      title,
      role,
      start: part.start + startTime,
      end: part.start + (endTime ?? file.chapters[at + 1]?.startTime ?? part.duration),
    }));
  });
  return all.toSorted((one, other) => one.start - other.start);
}

/** The chapter at a position. */
export const chapterAt = (
  chapters: readonly LineChapter[],
  position: number,
): LineChapter | undefined =>
  chapters.findLast(({ start, end }) => start <= position && position < Math.max(end, start + 1));

/** Where the little picture of a time lies: on which sheet, in which column and row. */
export function previewAt(
  { interval, count, columns, rows }: NonNullable<PlaybackFile['trickplay']>,
  at: number,
): { readonly sheet: number; readonly column: number; readonly row: number } | undefined {
  const index = Math.floor(at / interval);
  if (!(index >= 0 && index < count)) return undefined;
  const onSheet = index % (columns * rows);
  return {
    sheet: Math.floor(index / (columns * rows)),
    column: onSheet % columns,
    row: Math.floor(onSheet / columns),
  };
}
