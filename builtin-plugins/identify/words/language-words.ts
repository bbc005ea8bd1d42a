import { findLanguage } from '../../../plugin-api/index.ts';
import type { Strength, WordRow } from '../reading/word-table.ts';

/**
 * Names and codes of languages in releases. All are ordinary words too, and some are titles: those
 * of the first list count beside a word of a release, those of the second only after one. The table
 * of languages of plugin-api has their meaning.
 */
const besideRelease =
  'english, eng, french, français, francais, quebecois, québécois, german, deutsch, italian, ita, italiano, spanish, español, espanol, latino, portuguese, portugues, brazilian, dutch, nederlands, flemish, vlaams, swedish, swe, svenska, danish, dansk, norwegian, norsk, finnish, suomi, icelandic, polish, polski, pol, czech, cze, čeština, slovak, hungarian, magyar, romanian, bulgarian, serbian, croatian, slovenian, greek, ελληνικά, turkish, türkçe, russian, rus, русский, ukrainian, ukr, hebrew, arabic, persian, farsi, hindi, tamil, telugu, malayalam, kannada, bengali, bangla, marathi, punjabi, urdu, gujarati, japanese, jap, jpn, korean, kor, chinese, mandarin, cantonese, vietnamese, indonesian, tagalog, catalan';
const behindRelease =
  'en, fre, fra, fr, ger, deu, de, it, spa, esp, es, por, pt, dut, nld, nl, sv, dan, da, nor, no, fin, fi, pl, sk, hun, hu, rum, ro, bg, tur, tr, ru, heb, he, ara, hin, tam, tel, mal, kan, jp, ja, ko, kr, chi, cn, zh, vie, tha, thai, malay, latin, lt, lv';

/** Words that mean something else in releases: countries, dubbing studios, old code pages. */
const slang: readonly (readonly [code: string, words: string, short: string])[] = [
  ['en', '', 'gb'],
  ['fr', '', 'vf, vo'],
  ['fr-CA', 'québec, quebec', 'qc'],
  ['de-CH', 'swissgerman', ''],
  ['es', 'castellano, castilian', ''],
  ['es-419', '', 'lat'],
  ['pt', 'dublado, legendado', ''],
  ['sv', '', 'se'],
  ['da', '', 'dk'],
  ['pl', 'lektor, napisy', ''],
  ['cs', '', 'cz'],
  ['el', '', 'gr'],
  ['ru', 'mvo, avo, dvo', ''],
  ['uk', '', 'ua'],
  ['zh', 'big5', ''],
  ['et', '', 'ee'],
];

const rows: WordRow[] = [
  ['language', 'fr', 'truefrench, vff, vfi, vf2, subfrench, vo vf'],
  ['language', 'fr-CA', 'vfq'],
  ['language', 'de', 'german dubbed, german dl'],
  ['language', 'en', 'eng dub, english dub, english dubbed'],
  ['language', 'es-419', 'dual latino, dual lat'],
  ['language', 'pl', 'lektor pl, pldub, pldubbed, dubbing pl'],
  ['language', 'pt-BR', 'ptbr, pt br'],
  ['language', 'hi', 'hindi dub, hindi dubbed'],
  ['language', 'ta', 'tamil dubbed'],
  ['language', 'te', 'telugu dubbed'],
  [
    'language',
    '',
    'vostfr, vost, vostf, multilang, multi subs, multisubs, multisub, msubs, msub, esub, esubs, e subs, e sub, engsub, engsubs, eng sub, eng subs, eng subbed, english sub, english subs, english subbed, hebsubs, heb subs, nlsubs, nlsub, swesub, swe sub, swesubs, dksubs, dksub, nordicsubs, norsub, norsubs, finsub, finsubs, sub ita, subita, sub eng, sub fr, ita sub, subs ita, sub esp, subesp, legendas, legendado pt, subtitulado, subtitulos, napisy pl, plsub, plsubbed, slosubs, korsub, kor sub, korsubs, chs, cht, multiple subtitle, multiple subtitles, multi language, multi lang, soft subtitles, eng soft subtitles, dutch subs, german subbed, german sub, english subtitles, exyusubs, exyu subs, arabic subs, sub rus, rus sub, subpl, sub pl, en sub, ensub, ensubs, en subs, vietsub, thaisub, indosub',
  ],
  [
    'language',
    '',
    'doku, multi, subbed, subtitled, subs, sub, nordic, ml subs, swesub, dual subs',
    'weak',
  ],
  ['language', '', 'st, dl, ml', 'after'],
];

for (const [code, words, short] of slang) {
  if (words !== '') rows.push(['language', code, words, 'weak']);
  if (short !== '') rows.push(['language', code, short, 'after']);
}
rows.push(...rowsOf(besideRelease, 'weak'), ...rowsOf(behindRelease, 'after'));

function rowsOf(words: string, strength: Strength): readonly WordRow[] {
  return words
    .split(', ')
    .map((word): WordRow => ['language', findLanguage(word) ?? '', word, strength]);
}

/** Languages, subtitles and dubbing as releases name them. */
export const languageRows: readonly WordRow[] = rows;
