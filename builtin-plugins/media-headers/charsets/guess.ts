/**
 * Finds an encoding by the letters that it would give. Each language has letters that make up most of
 * its text; the wrong encoding gives others, or symbols and capitals within words. Where several
 * encodings give the same, the language of the text decides, and then the order here.
 */
import { decodeWithin, isSingle, singleTable, type Charset, type SingleByte } from './decoders.ts';

/** Letters that are frequent among those above ASCII, and the encodings of their languages. */
interface Alphabet {
  /** BCP 47, without regions; Chinese has its scripts. */
  readonly languages: readonly string[];
  readonly letters: ReadonlySet<string>;
  readonly charsets: readonly Charset[];
  /** Their share in text of another encoding at most, and in real text at least. */
  readonly least: number;
  readonly enough: number;
}

const alphabet = (
  charsets: readonly Charset[],
  languages: string,
  letters: string,
  [least, enough]: readonly [number, number] = [0.7, 1],
): Alphabet => ({
  charsets,
  languages: languages.split(' '),
  letters: new Set(letters),
  least,
  enough,
});

const kana =
  'あいうえおかがきぎくけげこごさしじすせそただちっつてでとどなにねのはばひぶへほまみむめもやゆよらりるれろわをんゃゅょアイウエオカキクケコサシスセソタチッテトナニノハバフブマムメヤユラリルレロンャュョー、。？！';
const simplified =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得着下自之年过发后作里么没什想还好去她吗很知道，。？！';
const traditional =
  '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得著下自之年過發後作裡麼沒什想還好去她嗎很知道，。？！';
const hangul =
  '이다는에을의가고하지은도한나들로그어사기자리서니아를있해라거게인요내면일시만대우여야너말안보주정없제무무잖';

/** Those of the West first, and for each language first what is most used. */
const western: readonly Charset[] = ['windows-1252', 'iso-8859-15', 'cp850', 'macintosh'];
const central: readonly Charset[] = ['windows-1250', 'iso-8859-2', 'cp852'];
const cyrillic: readonly Charset[] = [
  ...(['windows-1251', 'koi8-r', 'koi8-u', 'ibm866', 'iso-8859-5'] as const),
  'x-mac-cyrillic',
];
const alphabets: readonly Alphabet[] = [
  alphabet(western, 'fr', 'éèêàçùâîôûëïœ«»É’…', [0.75, 1]),
  alphabet(western, 'de', 'äöüÄÖÜß„“”’…', [0.75, 1]),
  alphabet(western, 'es pt ca gl', 'áéíóúñÁÉÍÓÚÑ¿¡üãõçâêôàºª’…', [0.75, 1]),
  alphabet(western, 'it', 'àèéìòùÀÈÉÌÒÙ’…«»', [0.75, 1]),
  alphabet(western, 'sv no nb nn da fi', 'åäöÅÄÖæøÆØéü’…', [0.75, 1]),
  alphabet(western, 'is', 'áéíóúýþæðöÁÉÍÓÚÝÞÆÐÖ', [0.75, 1]),
  alphabet(western, 'en nl af id ms ga eu', '’‘“”…–—éèëïöü£♪', [0.75, 1]),
  alphabet(central, 'pl', 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ'),
  alphabet(central, 'cs sk', 'áčďéěíĺľňóôŕřšťúůýžäÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ'),
  alphabet(central, 'hu', 'áéíóöőúüűÁÉÍÓÖŐÚÜŰ'),
  alphabet(central, 'ro', 'ăâîşţĂÂÎŞŢ'),
  alphabet(central, 'hr sl bs sr sr-Latn sq', 'čćđšžČĆĐŠŽ'),
  alphabet(['windows-1254', 'cp857'], 'tr az', 'ıİşŞğĞçöüÇÖÜâ'),
  alphabet(
    ['windows-1257', 'iso-8859-13', 'iso-8859-4', 'cp775'],
    'lt lv et',
    'ąčęėįšųūžāēģīķļņōŗĄČĘĖĮŠŲŪŽĀĒĢĪĶĻŅõäöü',
  ),
  alphabet(['windows-1258'], 'vi', 'ăâđêôơưàáèéìíòóùú\u0300\u0301\u0303\u0309\u0323'),
  // Its bytes are Cyrillic letters too, so Hebrew comes first.
  alphabet(['windows-1255', 'cp862'], 'he iw yi', 'יוהלאמתרבשנ', [0.5, 0.68]),
  alphabet(cyrillic, 'ru uk be bg sr mk kk mn', 'оеаинтсрвлкмдуіО', [0.5, 0.7]),
  alphabet(['windows-1253', 'iso-8859-7', 'cp737'], 'el', 'αοιετνσηρπκμςλωάέίόύήυγ', [0.5, 0.7]),
  alphabet(['windows-1256', 'iso-8859-6'], 'ar fa ur ps', 'اليمونرتهبدفعسكیک', [0.5, 0.7]),
  alphabet(['windows-874'], 'th', 'านรอกเงมยล่วดท้สตะีิป็ั', [0.5, 0.7]),
  alphabet(['shift_jis', 'euc-jp'], 'ja', kana, [0.25, 0.5]),
  alphabet(['gb18030'], 'zh zh-Hans zh-CN zh-SG', simplified, [0.1, 0.3]),
  alphabet(['big5'], 'zh-Hant zh-TW zh-HK zh-MO', traditional, [0.1, 0.3]),
  alphabet(['euc-kr'], 'ko', hangul, [0.15, 0.35]),
];

/** As much as tells languages apart; more would only cost time. */
const sampleBytes = 4 * 1024;
const hintBonus = 0.6;
/** What each further encoding of a language loses: of equals the usual one wins, also in a short text. */
const rarer = 0.004;
/** A share of invalid bytes above which it is another encoding. */
const mostInvalid = 0.03;
const fewest = 0.15;

/** What an encoding makes of a text. */
interface Reading {
  /** The characters above ASCII, each with its number. */
  readonly counts: ReadonlyMap<string, number>;
  readonly characters: number;
  /** How many of them stand where no word has one. */
  readonly odd: () => number;
}

/** The most likely encoding of bytes that are not UTF-8. */
export function guessCharset(bytes: Uint8Array, language: string | null): Charset {
  const readingOf = readingsOf(highSample(bytes));
  let best: { readonly charset: Charset; readonly score: number } | undefined;
  for (const { charsets, languages, letters, least, enough } of alphabets) {
    const bonus = isSpoken(languages, language) ? hintBonus : 0;
    for (const [rank, charset] of charsets.entries()) {
      const reading = readingOf(charset);
      if (reading === undefined) continue;
      const { counts, characters, odd } = reading;
      let named = 0;
      for (const [letter, count] of counts) if (letters.has(letter)) named += count;
      const likely = Math.min(1, Math.max(0, (named / characters - least) / (enough - least)));
      const most = likely + bonus - rank * rarer;
      if (most <= (best?.score ?? fewest)) continue;
      const score = most * Math.max(0, 1 - (2 * odd()) / characters);
      if (score > (best?.score ?? fewest)) best = { charset, score };
    }
  }
  return best?.charset ?? 'windows-1252';
}

function isSpoken(languages: readonly string[], language: string | null): boolean {
  if (language === null) return false;
  if (languages.includes(language)) return true;
  const script = /^zh-(Hans|Hant)/.exec(language)?.[0];
  if (language.startsWith('zh')) return script !== undefined && languages.includes(script);
  return languages.includes(language.split('-')[0] ?? '');
}

/**
 * The readings of a text, each made once; `undefined` when too much is invalid in the encoding, or
 * nothing is above ASCII.
 */
function readingsOf(sample: Uint8Array): (charset: Charset) => Reading | undefined {
  const readings = new Map<Charset, Reading | undefined>();
  const numbers = new Uint32Array(256);
  for (const byte of sample) numbers[byte] = (numbers[byte] ?? 0) + 1;
  return (charset) => {
    if (!readings.has(charset))
      readings.set(
        charset,
        isSingle(charset) ? readSingle(sample, numbers, charset) : readDouble(sample, charset),
      );
    return readings.get(charset);
  };
}

const isOther = (invalid: number, characters: number): boolean =>
  characters === 0 || invalid > characters * mostInvalid + 1;

function readDouble(sample: Uint8Array, charset: Charset): Reading | undefined {
  const most = sample.length * mostInvalid + 1;
  const { text, invalid } = decodeWithin(sample, charset, most);
  if (isOther(invalid, text.length)) return undefined;
  const counts = new Map<string, number>();
  let characters = 0;
  for (const character of text) {
    if (character <= '\u007f' || character === '\u00a0') continue;
    counts.set(character, (counts.get(character) ?? 0) + 1);
    characters++;
  }
  return isOther(invalid, characters) ? undefined : { counts, characters, odd: () => 0 };
}

/** The characters of the bytes by their numbers. */
function readSingle(
  sample: Uint8Array,
  numbers: Uint32Array,
  charset: SingleByte,
): Reading | undefined {
  const high = singleTable(charset);
  const counts = new Map<string, number>();
  let [characters, invalid] = [0, 0];
  for (let byte = 0x80; byte < 0x100; byte++) {
    const count = numbers[byte] ?? 0;
    const character = high[byte - 0x80] ?? '';
    if (count === 0 || character === '\u00a0') continue;
    if (character === '\ufffd') invalid += count;
    counts.set(character, count);
    characters += count;
  }
  if (isOther(invalid, characters)) return undefined;
  return { counts, characters, odd: () => oddIn(sample, charset) };
}

/** What a character is within a word. */
const kinds = { none: 0, small: 1, capital: 2, letter: 3, quote: 4, symbol: 5 } as const;

const kindTables = new Map<SingleByte, Uint8Array>();

/** The kind of each byte. */
function kindsOf(charset: SingleByte): Uint8Array {
  const known = kindTables.get(charset);
  if (known !== undefined) return known;
  const high = singleTable(charset);
  const made = Uint8Array.from({ length: 256 }, (_, byte) =>
    kindOf(byte < 0x80 ? String.fromCharCode(byte) : (high[byte - 0x80] ?? '')),
  );
  kindTables.set(charset, made);
  return made;
}

function kindOf(character: string): number {
  if (/\p{Ll}/u.test(character)) return kinds.small;
  if (/\p{Lu}/u.test(character)) return kinds.capital;
  if (/[\p{L}\p{M}]/u.test(character)) return kinds.letter;
  // What stands between letters in real words, and what has no place in a word at all.
  if (character <= '\u007f' || /[’‘‚–—…·•\u00a0\u00ad\u200c-\u200f]/.test(character))
    return kinds.none;
  return /[«»“”„‹›¿¡♪؟،]/.test(character) ? kinds.quote : kinds.symbol;
}

/** How many characters stand where no word of the encoding has one. */
function oddIn(sample: Uint8Array, charset: SingleByte): number {
  const kindsHere = kindsOf(charset);
  let odd = 0;
  let before = 0;
  for (let at = 0; at < sample.length; at++) {
    const byte = sample[at] ?? 0;
    const earlier = before;
    before = byte;
    const isHigh = byte >= 0x80;
    if (!isHigh && earlier < 0x80) continue;
    const kind = kindsHere[byte] ?? 0;
    const previous = kindsHere[earlier] ?? 0;
    if (kind === kinds.capital && previous === kinds.small) odd++;
    if (!isHigh || kind < kinds.quote) continue;
    const next = kindsHere[sample[at + 1] ?? 0] ?? 0;
    const [isAfter, isBefore] = [isLetter(previous), isLetter(next)];
    if (kind === kinds.symbol ? isAfter || isBefore : isAfter && isBefore) odd++;
  }
  return odd;
}

const isLetter = (kind: number): boolean => kind >= kinds.small && kind <= kinds.letter;

/** The lines with bytes above ASCII, up to a limit: two-byte characters are never cut. */
function highSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(sampleBytes);
  let length = 0;
  let from = 0;
  let isHigh = false;
  for (let at = 0; at <= bytes.length && length < sampleBytes; at++) {
    const byte = bytes[at] ?? 0x0a;
    if (byte >= 0x80) isHigh = true;
    if (byte !== 0x0a && byte !== 0x0d && at < bytes.length) continue;
    if (isHigh) {
      const line = bytes.subarray(from, Math.min(at + 1, from + sampleBytes - length));
      sample.set(line, length);
      length += line.length;
    }
    [from, isHigh] = [at + 1, false];
  }
  return sample.subarray(0, length);
}
