import type { WordRow } from '../reading/word-table.ts';

/** Languages as releases name them. Nearly all are ordinary words too. */
export const languageRows: readonly WordRow[] = [
  [
    'language',
    '',
    'vostfr, vost, vostf, subfrench, truefrench, vff, vfq, vfi, vf2, multilang, multi subs, multisubs, multisub, msubs, msub, esub, esubs, e subs, e sub, engsub, engsubs, eng sub, eng subs, eng subbed, eng dub, english dub, english dubbed, english sub, english subs, english subbed, hebsubs, heb subs, nlsubs, nlsub, swesub, swe sub, swesubs, dksubs, dksub, nordicsubs, norsub, norsubs, finsub, finsubs, sub ita, subita, sub eng, sub fr, ita sub, subs ita, sub esp, subesp, legendas, legendado pt, subtitulado, subtitulos, lektor pl, napisy pl, plsub, plsubbed, pldub, slosubs, korsub, kor sub, korsubs, chs, cht, multiple subtitle, multiple subtitles, multi language, multi lang, soft subtitles, eng soft subtitles, dutch subs, german subbed, german dubbed, german dl, german sub, english subtitles, hindi dub, hindi dubbed, dual latino, dual lat, exyusubs, exyu subs, arabic subs, sub rus, rus sub, ptbr, pt br, flemish subs, subpl, sub pl, dubbing pl, pldubbed, tamil dubbed, telugu dubbed, vo vf, en sub, ensub, ensubs, en subs, vietsub, thaisub, indosub',
  ],
  [
    'language',
    '',
    'swissgerman, doku, castellano, latino, mvo, avo, dvo, lektor, napisy, dublado, legendado, multi, subbed, subtitled, subs, sub, english, eng, french, german, italian, ita, spanish, español, espanol, portuguese, portugues, brazilian, dutch, flemish, swedish, swe, danish, norwegian, finnish, nordic, icelandic, polish, pol, czech, cze, slovak, hungarian, romanian, bulgarian, serbian, croatian, slovenian, greek, turkish, russian, rus, ukrainian, ukr, hebrew, arabic, persian, farsi, hindi, tamil, telugu, malayalam, kannada, bengali, bangla, marathi, punjabi, urdu, gujarati, japanese, jap, jpn, korean, kor, chinese, mandarin, cantonese, vietnamese, indonesian, tagalog, catalan, big5, ml subs, castilian, vlaams, québec, quebec, quebecois, québécois, swesub, русский, français, francais, deutsch, italiano, svenska, norsk, dansk, suomi, nederlands, polski, čeština, magyar, türkçe, ελληνικά, dual subs',
    'weak',
  ],
  [
    'language',
    '',
    'fre, ger, dan, nor, fin, por, spa, esp, lat, hin, tam, tel, mal, kan, chi, dut, nld, tha, vie, deu, latin, thai, malay, hun, rum, tur, heb, ara, fra, st, dl, ml, lt, lv, ee, qc, vf, vo, fr, en, de, it, es, pt, nl, pl, cz, sk, ru, ua, gr, tr, he, sv, se, no, da, dk, fi, hu, ro, bg, jp, ja, ko, kr, cn, zh, gb',
    'after',
  ],
];
