/**
 * Syllables that change when they are sung: `\k` at once, `\kf` and `\K` letter by letter over their length,
 * `\ko` by their outline. assjs draws none of these tags, so each syllable, or each letter of one that is
 * filled, becomes a change of its colour. It begins with
 * `\r`, since assjs would give it the changes of the syllables before, and so all tags that it has by then
 * are written again.
 */

/** Colours of a text, each as `AABBGGRR`. */
export interface TextColours {
  readonly primary: string;
  /** What a syllable has before it is sung. */
  readonly secondary: string;
  readonly outline: string;
}

/** The tags that begin a syllable, or a part of one that is filled: from one share of its length to another. */
export interface Syllable {
  readonly isFilled: boolean;
  readonly tags: (from: number, to: number) => string;
}

/** The syllables of one event. */
export interface Karaoke {
  /** Takes a tag of a syllable; `false` = it is another tag. */
  readonly take: (tag: string) => boolean;
  /** Follows a tag that was written again. */
  readonly follow: (tag: string) => void;
  /** The syllable that was taken; `undefined` = there is none, or it needs no change. */
  readonly begin: () => Syllable | undefined;
}

/** Tags that count for the whole event. */
export const isOfEvent = (tag: string): boolean =>
  /^\\(an?[1-9]|pos|org|move|fade?|i?clip|q\d)/.test(tag);

/** Longer lists of tags are not written for each syllable: its text is plain. */
const mostTags = 400;

/** Creates it for an event that is shown for `lastMs`. `coloursOf` knows the styles that were written; empty = that of the event. */
export function createKaraoke({
  coloursOf,
  lastMs,
}: {
  readonly coloursOf: (style: string) => TextColours;
  readonly lastMs: number;
}): Karaoke {
  let colours = coloursOf('');
  let [reset, tags]: [string, readonly string[]] = ['\\r', []];
  let [at, lengthMs, kind] = [0, 0, ''];

  function setPart(part: string, change: (old: string) => string): void {
    const { primary, secondary, outline } = colours;
    if (part === '1') colours = { ...colours, primary: change(primary) };
    if (part === '2') colours = { ...colours, secondary: change(secondary) };
    if (part === '3') colours = { ...colours, outline: change(outline) };
  }

  function followColour(tag: string): void {
    const [, hued = '', hue = ''] = /^\\([1-3])c&H([0-9a-f]{6})&$/i.exec(tag) ?? [];
    setPart(hued, (old) => old.slice(0, 2) + hue);
    const [, veiled = '', veil = ''] = /^\\([1-3]|alph)a&H([0-9a-f]{2})&$/i.exec(tag) ?? [];
    for (const part of veiled === 'alph' ? ['1', '2', '3'] : [veiled])
      setPart(part, (old) => veil + old.slice(2));
  }

  const colour = (of: string): string => `\\1c&H${of.slice(2)}&\\1a&H${of.slice(0, 2)}&`;
  const veilOf = (of: string): string => `\\3a&H${of.slice(0, 2)}&`;

  return {
    take: (tag) => {
      const [, name = '', value = '0'] = /^(kf|ko|kt|k|K)(\d{1,6})?(?:\.\d*)?$/.exec(tag) ?? [];
      if (name === '') return false;
      const ms = Math.min(lastMs, Number(value) * 10);
      [at, lengthMs, kind] = name === 'kt' ? [ms, 0, kind] : [at + lengthMs, ms, name];
      return true;
    },
    follow: (tag) => {
      if (tag.startsWith('\\r')) {
        [reset, tags, colours] = [tag, [], coloursOf(tag.slice(2))];
        return;
      }
      if (isOfEvent(tag)) return;
      followColour(tag);
      const [name] = /^\\(\d?[a-z]+)/.exec(tag) ?? [];
      const isAdded = /^\\(t\(|fs[+-])/.test(tag);
      tags = [...tags.filter((one) => isAdded || !isSame(one, name)), tag];
    },
    begin: () => {
      const now = kind;
      kind = '';
      const own = tags.join('');
      if (now === '' || at >= lastMs || own.length > mostTags) return undefined;
      const isFilled = now === 'kf' || now === 'K';
      const [start, ms] = [at, isFilled ? lengthMs : 0];
      const [before, after] =
        now === 'ko'
          ? ['\\3a&HFF&', veilOf(colours.outline)]
          : [colour(colours.secondary), colour(colours.primary)];
      const [first, timeOf] = [
        reset + own + before,
        (share: number) => Math.round(ms * share) + start,
      ];
      return {
        isFilled,
        tags: (from, to) => {
          const begin = Math.min(lastMs, timeOf(from));
          const end = Math.max(begin + 1, Math.min(lastMs, timeOf(to)));
          return `${first}\\t(${begin},${end},1,${after})`;
        },
      };
    },
  };
}

/** Whether a tag says another time what one of this name says. */
const isSame = (tag: string, name = ''): boolean =>
  tag.startsWith(name) && !/^[a-z]/.test(tag.slice(name.length)) && !tag.startsWith('\\t(');

/** Texts whose letters look the same alone: no others are taken apart. */
const ofSingleLetters =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{M}\p{N}\p{P}\p{Zs}ー]+$/u;
const letters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** A text in at most so many parts of as many letters; spaces stay with the letter before them. */
export function lettersOf(text: string, most: number): readonly string[] {
  // A backslash begins the end of a line.
  if (text.includes('\\') || !ofSingleLetters.test(text)) return [text];
  const each: string[] = [];
  for (const { segment } of letters.segment(text)) {
    if (segment.trim() === '' && each.length > 0) each.push((each.pop() ?? '') + segment);
    else each.push(segment);
  }
  const size = Math.ceil(each.length / Math.max(1, most));
  return Array.from({ length: Math.ceil(each.length / size) }, (_, at) =>
    each.slice(at * size, (at + 1) * size).join(''),
  );
}
