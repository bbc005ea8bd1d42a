/**
 * Finds an encoding by the letters that it would give. Each language has letters that make up most of
 * its text; the wrong encoding gives others. Where several encodings give the same, the language of
 * the track decides, and then the order here.
 */
import { decodeAs, type Charset } from './decoders.ts';

interface Trait {
  readonly charset: Charset;
  /** BCP 47, without regions; Chinese has its scripts. */
  readonly languages: readonly string[];
  /** Letters that are frequent among those above ASCII. */
  readonly letters: ReadonlySet<string>;
  /** Their share in text of another encoding at most, and in real text at least. */
  readonly least: number;
  readonly enough: number;
}

const trait = (
  charset: Charset,
  languages: string,
  letters: string,
  [least, enough]: readonly [number, number] = [0.7, 1],
): Trait => ({
  charset,
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

/** Western encodings first: of equals the first one wins. */
const traits: readonly Trait[] = [
  trait('windows-1252', 'fr', 'éèêàçùâîôûëïœ«»É’…', [0.75, 1]),
  trait('windows-1252', 'de', 'äöüÄÖÜß„“”’…', [0.75, 1]),
  trait('windows-1252', 'es pt ca gl', 'áéíóúñÁÉÍÓÚÑ¿¡üãõçâêôàºª’…', [0.75, 1]),
  trait('windows-1252', 'it', 'àèéìòùÀÈÉÌÒÙ’…«»', [0.75, 1]),
  trait('windows-1252', 'sv no nb nn da fi', 'åäöÅÄÖæøÆØéü’…', [0.75, 1]),
  trait('windows-1252', 'is', 'áéíóúýþæðöÁÉÍÓÚÝÞÆÐÖ', [0.75, 1]),
  trait('windows-1252', 'en nl af id ms ga eu', '’‘“”…–—éèëïöü£♪', [0.75, 1]),
  trait('windows-1250', 'pl', 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ'),
  trait('windows-1250', 'cs sk', 'áčďéěíĺľňóôŕřšťúůýžäÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ'),
  trait('windows-1250', 'hu', 'áéíóöőúüűÁÉÍÓÖŐÚÜŰ'),
  trait('windows-1250', 'ro', 'ăâîşţĂÂÎŞŢ'),
  trait('windows-1250', 'hr sl bs sr sr-Latn sq', 'čćđšžČĆĐŠŽ'),
  trait('windows-1254', 'tr az', 'ıİşŞğĞçöüÇÖÜâ'),
  trait('windows-1257', 'lt lv et', 'ąčęėįšųūžāēģīķļņōŗĄČĘĖĮŠŲŪŽĀĒĢĪĶĻŅõäöü'),
  trait('windows-1258', 'vi', 'ăâđêôơưàáèéìíòóùú\u0300\u0301\u0303\u0309\u0323'),
  // Their bytes are Cyrillic letters too, so Hebrew comes first.
  trait('windows-1255', 'he iw yi', 'יוהלאמתרבשנ', [0.5, 0.68]),
  trait('windows-1251', 'ru uk be bg sr mk kk mn', 'оеаинтсрвлкмдуіО', [0.5, 0.7]),
  trait('koi8-r', 'ru', 'оеаинтсрвлкмдуО', [0.5, 0.7]),
  trait('windows-1253', 'el', 'αοιετνσηρπκμςλωάέίόύήυγ', [0.5, 0.7]),
  trait('windows-1256', 'ar fa ur ps', 'اليمونرتهبدفعسكیک', [0.5, 0.7]),
  trait('windows-874', 'th', 'านรอกเงมยล่วดท้สตะีิป็ั', [0.5, 0.7]),
  trait('shift_jis', 'ja', kana, [0.25, 0.5]),
  trait('gb18030', 'zh zh-Hans zh-CN zh-SG', simplified, [0.1, 0.3]),
  trait('big5', 'zh-Hant zh-TW zh-HK zh-MO', traditional, [0.1, 0.3]),
  trait('euc-kr', 'ko', hangul, [0.15, 0.35]),
];

const sampleBytes = 48 * 1024;
const hintBonus = 0.6;
/** A share of invalid bytes above which it is another encoding. */
const mostInvalid = 0.03;
const fewest = 0.15;

/** The most likely encoding of bytes that are not UTF-8. */
export function guessCharset(bytes: Uint8Array, language: string | null): Charset {
  const sample = highSample(bytes);
  const hinted = traits.filter(({ languages }) => isSpoken(languages, language));
  const decoded = new Map<Charset, readonly string[] | undefined>();
  const lettersIn = (charset: Charset): readonly string[] | undefined => {
    if (!decoded.has(charset)) decoded.set(charset, lettersOf(sample, charset));
    return decoded.get(charset);
  };
  let best: { readonly charset: Charset; readonly score: number } | undefined;
  for (const one of traits) {
    const letters = lettersIn(one.charset);
    if (letters === undefined) continue;
    const share = letters.filter((letter) => one.letters.has(letter)).length / letters.length;
    const likely = Math.min(1, Math.max(0, (share - one.least) / (one.enough - one.least)));
    const score = likely + (hinted.includes(one) ? hintBonus : 0);
    if (score > (best?.score ?? fewest)) best = { charset: one.charset, score };
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

/** The characters above ASCII; `undefined` when too many bytes are invalid in the encoding. */
function lettersOf(sample: Uint8Array, charset: Charset): readonly string[] | undefined {
  const { text, invalid } = decodeAs(sample, charset);
  const letters = Array.from(text).filter((letter) => letter > '\u007f' && letter !== '\u00a0');
  if (letters.length === 0 || invalid > letters.length * mostInvalid + 1) return undefined;
  return letters;
}

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
