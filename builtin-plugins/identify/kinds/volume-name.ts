import { isYear } from '../reading/dates.ts';
import { readable } from '../reading/title-text.ts';
import { tokenize } from '../reading/tokens.ts';

/** What the name of a book, of its folder or of one of its volumes says. */
export interface VolumeName {
  readonly title: string;
  readonly year?: number;
  /** Position in its series. */
  readonly volume?: number;
  readonly chapter?: number;
  readonly narrator?: string;
  /** The name after the number: `Title (Cycle, Book 2)`. */
  readonly series?: string;
}

const volumeAhead =
  /^(?:(?:vol(?:ume)?|book|bk|band|buch|tome|tomo|teil|livre|libro|libre|deel|bd|t|v|#)[ ._-]{0,2}#?(\d{1,4}(?:\.\d)?)|[[(]?(\d{1,3}(?:\.\d)?)(?=[ ]?[-–.:)\]] |[-–]\S|\. )|(0\d)(?= \p{L}))[ ]*[-–.:,)\]]*[ ]*/iu;
const volumeBehind =
  /[ ,(_[-]+(?:vol(?:ume)?|book|bk|band|buch|tome|tomo|livre|libro|deel|v|#)[ ._]{0,2}#?(\d{1,4}(?:\.\d)?)[)\]]?$/i;
const seriesBehind =
  /^(.+?)[ ]?[([]([^()[\]]{2,80}?),? (?:(?:book|vol|volume|bk|band|tome|#)[ .]?#?)?#?(\d{1,3}(?:\.\d)?)[)\]]$/i;
const seriesAfterTitle =
  /^([^:]{1,150}): ([^:]{2,80}?),? (?:book|bk|vol(?:ume)?|band|buch|tome|#)[ .]?#?(\d{1,3}(?:\.\d)?)$/i;
const seriesAhead = /^\[([^\][]{2,80}?),? #?(\d{1,3}(?:\.\d)?)\](?: -)? (?=\S)/;
const chapterBehind = /[ _.-]+(?:ch(?:apter)?|c)[ ._]{0,2}(\d{1,4}(?:\.\d)?)$/i;
const noise =
  /^(?:unabridged|abridged|ungekürzt|digital|retail|scan|c2c|webrip|epub|pdf|mobi|azw3|m4b|mp3|audiobook|hörbuch|\d{1,3} ?k(?:bps?)?|audio ?book|ungekürzte lesung|lesung|complete|(?:mp3|m4b|aac)[ ,]+\d{1,3} ?k(?:bps?)?|\d{1,3} ?k(?:bps?)?[ ,]+(?:mp3|m4b|aac)|f|fixed|hd|v\d|\d{1,2} ?of ?\d{1,3}|of \d{1,3}|\d+ ?covers?|\d{1,6})$/i;

/** Reads such a name: at most its first 300 characters, which is longer than any title. */
export function readVolumeName(name: string, thisYear: number): VolumeName {
  const raw = name
    .slice(0, 300)
    .replace(/ \[\d{1,2}\]$/, '')
    .replace(/(\d)_ /g, '$1 - ')
    .replace(/(\p{L})_ (?=\S)/gu, '$1: ');
  const enclosed = withoutBrackets(raw, thisYear);
  const { year } = enclosed;
  const { text: spoken, narrator } = withoutReader(enclosed);
  const text = spoken.replace(/ (?:unabridged|abridged|ungekürzt|audiobook|hörbuch)\s*$/i, '');
  let title = readable(text);
  let volume: number | undefined;
  let chapter: number | undefined;
  let series: string | undefined;
  let foundYear = year;

  const dated = /^((?:1[5-9]|20)\d\d)(?: [-–] |[-–_. ]{1,3}(?=\D))/.exec(title);
  if (dated !== null && Number(dated[1]) <= thisYear + 2 && foundYear === undefined) {
    foundYear = Number(dated[1]);
    title = title.slice(dated[0].length).trim();
  }
  const ahead = volumeAhead.exec(title);
  if (ahead !== null && ahead[0].length < title.length) {
    volume = Number(ahead[1] ?? ahead[2] ?? ahead[3]);
    title = title.slice(ahead[0].length).trim();
    const again = /^((?:1[5-9]|20)\d\d)(?: [-–] )/.exec(title);
    if (again !== null && foundYear === undefined) {
      foundYear = Number(again[1]);
      title = title.slice(again[0].length).trim();
    }
  }
  const inFront = seriesAhead.exec(title);
  if (inFront !== null && volume === undefined) {
    title = title.slice(inFront[0].length).trim();
    series = (inFront[1] ?? '').trim();
    volume = Number(inFront[2]);
  }
  const inBrackets = seriesBehind.exec(title) ?? seriesAfterTitle.exec(title);
  if (inBrackets !== null && volume === undefined) {
    title = (inBrackets[1] ?? title).trim();
    series = (inBrackets[2] ?? '').trim();
    volume = Number(inBrackets[3]);
  }
  const chapterMatch = chapterBehind.exec(title);
  if (chapterMatch !== null && chapterMatch.index > 0) {
    chapter = Number(chapterMatch[1]);
    title = title.slice(0, chapterMatch.index).trim();
  }
  const behind = volumeBehind.exec(title);
  if (behind !== null && behind.index > 0 && volume === undefined) {
    volume = Number(behind[1]);
    title = readable(title.slice(0, behind.index));
  }
  return {
    title: title === '' ? readable(raw) : title,
    ...(foundYear === undefined ? {} : { year: foundYear }),
    ...(volume === undefined ? {} : { volume }),
    ...(chapter === undefined ? {} : { chapter }),
    ...(narrator === undefined ? {} : { narrator }),
    ...(series === undefined ? {} : { series }),
  };
}

/** Removes the brackets with a year, a narrator (in braces) or words about the file. */
function withoutBrackets(
  raw: string,
  thisYear: number,
): { text: string; year: number | undefined; narrator: string | undefined } {
  const name = tokenize(raw);
  let year: number | undefined;
  let narrator: string | undefined;
  let text = '';
  let from = 0;
  for (const bracket of name.brackets) {
    if (name.brackets[bracket.outermost] !== bracket) continue;
    const inside = raw.slice(bracket.start + 1, bracket.end - 1).trim();
    const yearToken = name.tokens
      .slice(bracket.first, Math.min(bracket.last, bracket.first + 3))
      .find((token) => isYear(token, thisYear) || isOldYear(token.text));
    const isYearOnly =
      yearToken !== undefined && (bracket.last - bracket.first <= 2 || /^\d{4}, /.test(inside));
    const isPlace = bracket.start === 0 || raw.startsWith(' - ', bracket.end);
    if (isPlace && /^\d{1,3}$/.test(inside)) continue;
    const spoken = /^(?:read by|narrated by|gelesen von|lu par|narrator:?) (.+)$/i.exec(inside);
    if (isYearOnly) year ??= yearToken.value;
    else if (spoken !== null) narrator ??= spoken[1];
    else if (bracket.open === '{') narrator ??= /\p{L}/u.test(inside) ? inside : undefined;
    else if (!noise.test(inside) && !(text !== '' && bracket.open === '[' && !/\d/.test(inside)))
      continue;
    text += raw.slice(from, bracket.start);
    from = bracket.end;
  }
  return { text: text + raw.slice(from), year, narrator };
}

/** `Title read by Narrator`. */
function withoutReader({
  text,
  narrator,
}: {
  readonly text: string;
  readonly narrator: string | undefined;
}): { readonly text: string; readonly narrator: string | undefined } {
  const at = / (?:read|narrated|gelesen) (?:by|von) /i.exec(text);
  const name = at === null ? '' : text.slice(at.index + at[0].length).trim();
  return at === null || narrator !== undefined || name === ''
    ? { text, narrator }
    : { text: text.slice(0, at.index), narrator: name };
}

function isOldYear(text: string): boolean {
  return /^1[5-8]\d\d$/.test(text);
}
