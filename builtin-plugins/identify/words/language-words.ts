import type { WordRow } from '../reading/word-table.ts';

/**
 * Languages as releases name them: BCP 47, words that count beside a word of a release, and words that
 * count only behind one. All are ordinary words too, and some titles.
 */
const languages: readonly (readonly [code: string, words: string, short: string])[] = [
  ['en', 'english, eng', 'en, gb'],
  ['fr', 'french, français, francais', 'fre, fra, fr, vf, vo'],
  ['fr-CA', 'québec, quebec, quebecois, québécois', 'qc'],
  ['de', 'german, deutsch', 'ger, deu, de'],
  ['de-CH', 'swissgerman', ''],
  ['it', 'italian, ita, italiano', 'it'],
  ['es', 'spanish, español, espanol, castellano, castilian', 'spa, esp, es'],
  ['es-419', 'latino', 'lat'],
  ['pt', 'portuguese, portugues, dublado, legendado', 'por, pt'],
  ['pt-BR', 'brazilian', ''],
  ['nl', 'dutch, nederlands', 'dut, nld, nl'],
  ['nl-BE', 'flemish, vlaams', ''],
  ['sv', 'swedish, swe, svenska', 'sv, se'],
  ['da', 'danish, dansk', 'dan, da, dk'],
  ['no', 'norwegian, norsk', 'nor, no'],
  ['fi', 'finnish, suomi', 'fin, fi'],
  ['is', 'icelandic', ''],
  ['pl', 'polish, polski, pol, lektor, napisy', 'pl'],
  ['cs', 'czech, cze, čeština', 'cz'],
  ['sk', 'slovak', 'sk'],
  ['hu', 'hungarian, magyar', 'hun, hu'],
  ['ro', 'romanian', 'rum, ro'],
  ['bg', 'bulgarian', 'bg'],
  ['sr', 'serbian', ''],
  ['hr', 'croatian', ''],
  ['sl', 'slovenian', ''],
  ['el', 'greek, ελληνικά', 'gr'],
  ['tr', 'turkish, türkçe', 'tur, tr'],
  ['ru', 'russian, rus, русский, mvo, avo, dvo', 'ru'],
  ['uk', 'ukrainian, ukr', 'ua'],
  ['he', 'hebrew', 'heb, he'],
  ['ar', 'arabic', 'ara'],
  ['fa', 'persian, farsi', ''],
  ['hi', 'hindi', 'hin'],
  ['ta', 'tamil', 'tam'],
  ['te', 'telugu', 'tel'],
  ['ml', 'malayalam', 'mal'],
  ['kn', 'kannada', 'kan'],
  ['bn', 'bengali, bangla', ''],
  ['mr', 'marathi', ''],
  ['pa', 'punjabi', ''],
  ['ur', 'urdu', ''],
  ['gu', 'gujarati', ''],
  ['ja', 'japanese, jap, jpn', 'jp, ja'],
  ['ko', 'korean, kor', 'ko, kr'],
  ['zh', 'chinese, mandarin, big5', 'chi, cn, zh'],
  ['yue', 'cantonese', ''],
  ['vi', 'vietnamese', 'vie'],
  ['th', '', 'tha, thai'],
  ['ms', '', 'malay'],
  ['id', 'indonesian', ''],
  ['tl', 'tagalog', ''],
  ['ca', 'catalan', ''],
  ['la', '', 'latin'],
  ['lt', '', 'lt'],
  ['lv', '', 'lv'],
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

for (const [code, words, short] of languages) {
  if (words !== '') rows.push(['language', code, words, 'weak']);
  if (short !== '') rows.push(['language', code, short, 'after']);
}

/** Languages, subtitles and dubbing as releases name them. */
export const languageRows: readonly WordRow[] = rows;
