import { describe, expect, test } from 'vitest';
import { deltaOf, uriOf, type FakeItem } from '../fake-item.ts';

/** The expected result for a subtitle: language, flags (d f h), title; null: it is not the item's. */
type Row = readonly [name: string, expected: string | null];

/** Beside `Film (2000)/Film.2000.1080p.mkv`; `*` stands for the name of the film. */
const filmRows: readonly Row[] = [
  ['*.srt', ''],
  ['*.en.srt', 'en'],
  ['*.eng.srt', 'en'],
  ['*.EN.srt', 'en'],
  ['*.english.srt', 'en'],
  ['*.English.srt', 'en'],
  ['*_en.srt', 'en'],
  ['*-en.srt', 'en'],
  ['* (English).srt', 'en'],
  ['* [en].srt', 'en'],
  ['* - English.srt', 'en'],
  ['* English.srt', 'en'],
  ['* en.srt', 'en'],
  ['*.en.forced.srt', 'en f'],
  ['*.forced.en.srt', 'en f'],
  ['*.en-forced.srt', 'en f'],
  ['*.en.foreign.srt', 'en f'],
  ['*.forced.srt', 'f'],
  ['*.English (Forced).srt', 'en f'],
  ['*.en.default.srt', 'en d'],
  ['*.default.en.forced.srt', 'en d f'],
  ['*.en.sdh.srt', 'en h'],
  ['*.en.SDH.srt', 'en h'],
  ['*.en.cc.srt', 'en h'],
  ['*.en.hi.srt', 'en h'],
  ['*.eng.HI.srt', 'en h'],
  ['*.hi.srt', 'hi'],
  ['*.hin.srt', 'hi'],
  ['*.hin.hi.srt', 'hi h'],
  ['*.en.hoh.srt', 'en h'],
  ['*.en.Hearing Impaired.srt', 'en h'],
  ['*.pt-BR.sdh.ass', 'pt-BR h'],
  ['*.pt-br.srt', 'pt-BR'],
  ['*.pt_BR.srt', 'pt-BR'],
  ['*.ptbr.srt', 'pt-BR'],
  ['*.pob.srt', 'pt-BR'],
  ['*.pb.srt', 'pt-BR'],
  ['*.por.srt', 'pt'],
  ['*.pt-PT.srt', 'pt-PT'],
  ['*.Brazilian.por.srt', 'pt-BR'],
  ['*.Brazilian Portuguese.srt', 'pt-BR'],
  ['*.Portuguese (Brazil).srt', 'pt-BR'],
  ['*.es-419.srt', 'es-419'],
  ['*.es-MX.srt', 'es-MX'],
  ['*.spa.srt', 'es'],
  ['*.Latin American.spa.srt', 'es-419'],
  ['*.Spanish (Latin America).srt', 'es-419'],
  ['*.Latino.srt', 'es-419'],
  ['*.European.spa.srt', 'es-ES'],
  ['*.Castellano.srt', 'es-ES'],
  ['*.español.srt', 'es'],
  ['*.fr.srt', 'fr'],
  ['*.fra.srt', 'fr'],
  ['*.fre.srt', 'fr'],
  ['*.fr-CA.srt', 'fr-CA'],
  ['*.Canadian.fre.srt', 'fr-CA'],
  ['*.French (Canadian).srt', 'fr-CA'],
  ['*.VFQ.srt', 'fr-CA'],
  ['*.Français.srt', 'fr'],
  ['*.de.srt', 'de'],
  ['*.ger.srt', 'de'],
  ['*.deu.srt', 'de'],
  ['*.German.forced.srt', 'de f'],
  ['*.Deutsch.srt', 'de'],
  ['*.zh.srt', 'zh'],
  ['*.chi.srt', 'zh'],
  ['*.zho.srt', 'zh'],
  ['*.chs.srt', 'zh-Hans'],
  ['*.cht.srt', 'zh-Hant'],
  ['*.zh-CN.srt', 'zh-CN'],
  ['*.zh-TW.srt', 'zh-TW'],
  ['*.zh-Hans.srt', 'zh-Hans'],
  ['*.zh-Hant-TW.srt', 'zh-Hant-TW'],
  ['*.Simplified.chi.srt', 'zh-Hans'],
  ['*.Traditional.chi.srt', 'zh-Hant'],
  ['*.Chinese (Simplified).srt', 'zh-Hans'],
  [
    '*.Chinese Simplified with English.chi.default.srt',
    'zh-Hans d "Chinese Simplified with English"',
  ],
  ['*.English and French.eng.srt', 'en "English and French"'],
  ['*.简体中文.srt', 'zh-Hans'],
  ['*.繁體中文.srt', 'zh-Hant'],
  ['*.日本語.srt', 'ja'],
  ['*.jpn.ass', 'ja'],
  ['*.한국어.srt', 'ko'],
  ['*.русский.srt', 'ru'],
  ['*.rus.forced.srt', 'ru f'],
  ['*.ελληνικά.srt', 'el'],
  ['*.العربية.srt', 'ar'],
  ['*.dut.srt', 'nl'],
  ['*.Flemish.srt', 'nl-BE'],
  ['*.no.srt', 'no'],
  ['*.nob.srt', 'nb'],
  ['*.Norwegian Bokmål.srt', 'nb'],
  ['*.sr-Latn.srt', 'sr-Latn'],
  ['*.scc.srt', 'sr'],
  ['*.cze.srt', 'cs'],
  ['*.rum.srt', 'ro'],
  ['*.gre.srt', 'el'],
  ['*.ice.srt', 'is'],
  ['*.per.srt', 'fa'],
  ['*.alb.srt', 'sq'],
  ['*.iw.srt', 'he'],
  ['*.fil.srt', 'fil'],
  ['*.en-US.srt', 'en-US'],
  ['*.en-GB.sdh.srt', 'en-GB h'],
  ['*.British.eng.srt', 'en-GB'],
  ['*.und.srt', ''],
  ['*.1.en.srt', 'en'],
  ['*.en.2.srt', 'en'],
  ['*.track3.eng.srt', 'en'],
  ['*.en.Commentary.srt', 'en "Commentary"'],
  ['*.Commentary by the Director.en.srt', 'en "Commentary by the Director"'],
  ['*.Signs & Songs.en.ass', 'en "Signs & Songs"'],
  ['*.en.SDH.Commentary.srt', 'en h "Commentary"'],
  ['*.klingon.srt', '"klingon"'],
  ['English.srt', 'en'],
  ['2_English.srt', 'en'],
  ['English (Forced).srt', 'en f'],
  ['Subs/English.srt', 'en'],
  ['Subs/2_English.srt', 'en'],
  ['Subs/3_Dutch.srt', 'nl'],
  ['Subs/SDH.eng.HI.srt', 'en h'],
  ['Subs/English-SDH.srt', 'en h'],
  ['Subs/4_Brazilian.srt', 'pt-BR'],
  ['Subs/Latin American.spa.srt', 'es-419'],
  ['Subs/*.it.srt', 'it'],
  ['Subs/The.Italian.Job.srt', ''],
  ['Subs/The.Italian.Job.en.srt', 'en'],
  ['Subs/Track3_[ger].srt', 'de'],
  ['subtitles/de.forced.srt', 'de f'],
  ['Subs/English/Forced.srt', 'en f'],
  ['Film.2000.1080p 2.en.srt', null],
  ['Film.2000.1080pExtended.en.srt', null],
  ['Other.en.srt', null],
  ['Film.en.srt', null],
  ['Extras/English.srt', null],
];

const film = 'Film.2000.1080p';

async function resultOf({ media, beside }: FakeItem): Promise<string | null> {
  const { subtitles = [] } = (await deltaOf({ media, ...(beside && { beside }) })) ?? {};
  const [one] = subtitles;
  if (one === undefined) return null;
  const { language, title, isDefault, isForced, isHearingImpaired } = one;
  const flags = [isDefault && 'd', isForced && 'f', isHearingImpaired && 'h'];
  return [language, ...flags, title && JSON.stringify(title)].filter(Boolean).join(' ');
}

describe('the name of a subtitle', () => {
  test.each(filmRows)('beside a film, %s is %s', async (name, expected) => {
    const path = `Film (2000)/${name.replace('*', film)}`;

    expect(await resultOf({ media: [`Film (2000)/${film}.mkv`], beside: [path] })).toBe(expected);
  });

  const episodeRows: readonly Row[] = [
    ['Show S01E02.en.srt', 'en'],
    ['Show S01E02.srt', ''],
    ['Show S01E02.Title.en.srt', 'en "Title"'],
    ['Show S01E02E03.en.srt', null],
    ['Show S01E03.en.srt', null],
    ['English.srt', null],
    ['Subs/Show S01E02.en.srt', 'en'],
    ['Subs/Show S01E02/2_English.srt', 'en'],
    ['Subs/Show S01E03/2_English.srt', null],
    ['Subs/2_English.srt', null],
    ['Subs/s01e02.ger.srt', 'de'],
    ['Subs/1x02.ger.srt', 'de'],
    ['Subs/S01E03.ger.srt', null],
  ];

  test.each(episodeRows)('beside an episode, %s is %s', async (name, expected) => {
    const item = {
      media: ['Show/Season 01/Show S01E02.mkv'],
      beside: [`Show/Season 01/${name}`],
      fields: { series: 'Show', season: 1, episode: 2 },
    };
    const { subtitles = [] } = (await deltaOf(item)) ?? {};
    const [one] = subtitles;

    expect(
      one ? [one.language, one.title && JSON.stringify(one.title)].filter(Boolean).join(' ') : null,
    ).toBe(expected);
  });

  test('gives format, place, source and the media that it is named after', async () => {
    const { subtitles } = (await deltaOf({
      media: ['Film (2000)/Film.mkv', 'Film (2000)/Film - 4K.mkv'],
      beside: ['Film (2000)/Film - 4K.de.ssa', 'Film (2000)/Film.en.vtt'],
    })) ?? { subtitles: [] };

    expect(subtitles).toEqual([
      {
        type: 'external',
        language: 'de',
        format: 'ssa',
        uri: uriOf('Film (2000)/Film - 4K.de.ssa'),
        source: 'sidecars',
        mediaFileUri: uriOf('Film (2000)/Film - 4K.mkv'),
      },
      {
        type: 'external',
        language: 'en',
        format: 'vtt',
        uri: uriOf('Film (2000)/Film.en.vtt'),
        source: 'sidecars',
        mediaFileUri: uriOf('Film (2000)/Film.mkv'),
      },
    ]);
  });

  test('treats the two halves of a VobSub as one, whose index has the language', async () => {
    const { subtitles } = (await deltaOf({
      media: ['F/Film.mkv'],
      beside: {
        'F/Film.sub': 'pictures',
        'F/Film.idx': '# VobSub index file, v7\nlangidx: 0\n\nid: de, index: 0\ntimestamp: …\n',
        'F/Film.fr.sub': '{0}{25}Bonjour',
      },
    })) ?? { subtitles: [] };

    expect(subtitles?.map(({ format, language, uri }) => [format, language, uri])).toEqual([
      ['sub', 'fr', uriOf('F/Film.fr.sub')],
      ['vobsub', 'de', uriOf('F/Film.idx')],
    ]);
  });

  test.each([
    ['F/Film.smi', ['ko', 'en'], ['ko', 'en']],
    ['F/Film.ko.smi', ['ko', 'en-US'], ['ko', 'en-US']],
    ['F/Film.fr.smi', ['ko'], ['fr']],
    ['F/Film.smi', ['ko'], ['ko']],
    ['F/Film.fr.smi', [], ['fr']],
  ])('gives %s with styles in %j a track for each of %j', async (path, styles, languages) => {
    const rules = styles.map((tag) => `.${tag.toUpperCase()} { Name: x; lang: ${tag}; }`);
    const { subtitles } = (await deltaOf({
      media: ['F/Film.mkv'],
      beside: { [path]: `<SAMI><HEAD><STYLE><!-- ${rules.join('\n')} --></STYLE></HEAD></SAMI>` },
    })) ?? { subtitles: [] };

    expect(subtitles?.map(({ language, uri }) => [language, uri])).toEqual(
      languages.map((language) => [language, uriOf(path)]),
    );
  });

  test('compares names as NFC and without case', async () => {
    const item = { media: ['F/Café.mkv'], beside: ['F/CAFE\u0301.de.srt'] };

    expect(await resultOf(item)).toBe('de');
  });
});
