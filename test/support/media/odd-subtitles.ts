/** Odd subtitles, made by code: encodings, times, markup and damage as real files have them. */
import { encodeText } from './encode-text.ts';

/** A file, and what is shown of it: `start-end text`, or the code of its failure. */
export interface OddSubtitle {
  readonly name: string;
  readonly bytes: Buffer;
  readonly shows: readonly string[] | { readonly code: string };
  readonly language?: string;
  readonly frameRate?: number;
}

const srt = (...texts: readonly string[]): string =>
  texts
    .map((text, at) => `${at + 1}\n00:00:0${at + 1},000 --> 00:00:0${at + 1},500\n${text}\n`)
    .join('\n');

const shown = (...texts: readonly string[]): readonly string[] =>
  texts.map((text, at) => `${at + 1}000-${at + 1}500 ${text}`);

const utf8 = (text: string): Buffer => Buffer.from(text);
const mark = '\ufeff';

/** Lines in the language of an encoding, long enough to be recognised. */
const spoken: readonly (readonly [charset: string, language: string, ...lines: string[]])[] = [
  ['windows-1250', 'pl', 'Cześć, gdzie jesteś?', 'Proszę, idź już, źle się czuję.'],
  ['windows-1250', 'cs', 'Kdo říká, že přijde?', 'Děkuji, ještě žádný člověk.'],
  ['windows-1251', 'ru', 'Привет, как у тебя дела?', 'Я не знаю, что с этим делать.'],
  ['koi8-r', 'ru', 'Привет, как у тебя дела?', 'Я не знаю, что с этим делать.'],
  ['windows-1252', 'fr', 'Où es-tu ? Ça va être très drôle.', 'Déjà à la fenêtre'],
  ['windows-1253', 'el', 'Γεια σου, τι κάνεις;', 'Δεν ξέρω τι να κάνω με αυτό.'],
  ['windows-1254', 'tr', 'Şimdi gidiyoruz, değil mi?', 'Işığı açık bırakmışsın.'],
  ['windows-1255', 'he', 'שלום, מה שלומך היום?', 'אני לא יודע מה לעשות עם זה.'],
  ['windows-1256', 'ar', 'مرحبا، كيف حالك اليوم؟', 'لا أعرف ماذا أفعل بهذا الأمر.'],
  ['windows-1257', 'lt', 'Kur tu eini, žmogau? Ačiū.', 'Šį rytą ėjau į mišką, ąžuolą radęs.'],
  ['windows-874', 'th', 'สวัสดีครับ คุณเป็นอย่างไร', 'ฉันไม่รู้ว่าจะทำอย่างไรกับเรื่องนี้'],
  ['shift_jis', 'ja', 'こんにちは、元気ですか？', 'それはどうしたらいいのか分からない。'],
  ['gb18030', 'zh-Hans', '你好，你现在怎么样？', '我不知道这个要怎么做，我们走吧。'],
  ['big5', 'zh-Hant', '你好，你現在怎麼樣？', '我不知道這個要怎麼做，我們走吧。'],
  ['euc-kr', 'ko', '안녕하세요, 어떻게 지내세요?', '나는 이것을 어떻게 해야 하는지 모르겠어요.'],
];

const inCharsets: readonly OddSubtitle[] = spoken.flatMap(([charset, language, ...lines]) => {
  const bytes = encodeText(srt(...lines), charset);
  const shows = shown(...lines);
  return [
    { name: `${charset} of ${language}, named so`, bytes, shows, language },
    { name: `${charset} of ${language}, without a name`, bytes, shows },
  ];
});

const ass = (...events: readonly string[]): Buffer =>
  utf8(
    [
      '[Script Info]',
      'ScriptType: v4.00+',
      '[V4+ Styles]',
      'Format: Name, Fontname, Bold, Italic, Underline, Alignment',
      'Style: Default,Arial,0,0,0,2',
      'Style: Sign,Arial,-1,0,0,8',
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      ...events,
    ].join('\r\n'),
  );

const event = (times: string, text: string, style = 'Default'): string =>
  `Dialogue: 0,${times},${style},,0,0,0,,${text}`;

const timed = (line: string, text = 'Hello'): Buffer => utf8(`1\n${line}\n${text}\n`);

const wide: readonly OddSubtitle[] = [
  { name: 'UTF-8 with a mark', bytes: utf8(mark + srt('Ünïcode')), shows: shown('Ünïcode') },
  {
    name: 'UTF-16LE with a mark',
    bytes: encodeText(mark + srt('日本'), 'utf-16le'),
    shows: shown('日本'),
  },
  {
    name: 'UTF-16BE with a mark',
    bytes: encodeText(mark + srt('日本'), 'utf-16be'),
    shows: shown('日本'),
  },
  {
    name: 'UTF-16LE without a mark',
    bytes: encodeText(srt('日本'), 'utf-16le'),
    shows: shown('日本'),
  },
  {
    name: 'UTF-16BE without a mark',
    bytes: encodeText(srt('日本'), 'utf-16be'),
    shows: shown('日本'),
  },
  {
    name: 'UTF-8 with one broken character',
    bytes: Buffer.concat([utf8(srt('é'.repeat(80))), Buffer.from([0xe9, 0x21])]),
    shows: [`1000-1500 ${'é'.repeat(80)}\n\ufffd!`],
  },
  {
    name: 'UTF-8 that is cut in a character',
    bytes: utf8(srt('né')).subarray(0, -2),
    shows: shown('n\ufffd'),
  },
];

const times: readonly OddSubtitle[] = [
  {
    name: 'lines that end with CR only',
    bytes: utf8(srt('A', 'B').replaceAll('\n', '\r')),
    shows: shown('A', 'B'),
  },
  {
    name: 'overlapping and unordered cues',
    bytes: utf8(
      '1\n00:00:05,000 --> 00:00:08,000\nLate\n\n2\n00:00:01,000 --> 00:00:06,000\nLong\n',
    ),
    shows: ['1000-6000 Long', '5000-8000 Late'],
  },
  {
    name: 'no empty lines between cues',
    bytes: utf8('1\n00:00:01,000 --> 00:00:02,000\nA\n2\n00:00:03,000 --> 00:00:04,000\nB'),
    shows: ['1000-2000 A', '3000-4000 B'],
  },
  {
    name: 'empty lines within a cue',
    bytes: utf8('1\n00:00:01,000 --> 00:00:02,000\n\n\nA\n\n\nB\n\n'),
    shows: ['1000-2000 A\nB'],
  },
  {
    name: 'hours over 99',
    bytes: timed('100:00:00,000 --> 100:00:01,000'),
    shows: ['360000000-360001000 Hello'],
  },
  {
    name: 'a time that begins before 0',
    bytes: timed('-00:00:01,000 --> 00:00:01,000'),
    shows: ['0-1000 Hello'],
  },
  {
    name: 'a time that lies before 0',
    bytes: timed('-00:00:03,000 --> -00:00:01,000'),
    shows: { code: 'malformed' },
  },
  {
    name: 'an end before its start',
    bytes: timed('00:00:05,000 --> 00:00:01,000'),
    shows: ['5000-7000 Hello'],
  },
  {
    name: 'points, one arrow dash and short numbers',
    bytes: timed('0:0:1.5->0:0:2.25'),
    shows: ['1500-2250 Hello'],
  },
  {
    name: 'times without hours',
    bytes: timed('01:02,500 --> 01:03,000'),
    shows: ['62500-63000 Hello'],
  },
  {
    name: 'coordinates behind the times',
    bytes: timed('00:00:01,000 --> 00:00:02,000 X1:40 X2:600'),
    shows: ['1000-2000 Hello'],
  },
  {
    name: 'the end in the middle of a time',
    bytes: utf8(`${srt('A')}\n2\n00:00:02,000 --> 00:0`),
    shows: ['1000-1500 A'],
  },
];

const markup: readonly OddSubtitle[] = [
  {
    name: 'a script and attributes',
    bytes: utf8(
      srt('<script>alert(1)</script><i onclick="x">A</i> <img src=x onerror=y>&lt;b&gt;'),
    ),
    shows: shown('alert(1)<i>A</i> &lt;b&gt;'),
  },
  {
    name: 'tags that are open or crossed',
    bytes: utf8(srt('<b>A<i>B</b>C')),
    shows: shown('<b>A<i>B</i></b><i>C</i>'),
  },
  {
    name: 'an arrow in the text',
    bytes: utf8(srt('A --> B & 1 < 2')),
    shows: shown('A --&gt; B &amp; 1 &lt; 2'),
  },
  { name: 'NULs and control characters', bytes: utf8(srt('A\0B\u0007C')), shows: shown('ABC') },
  { name: 'a place by the tag of ASS', bytes: utf8(srt('{\\an8}Top')), shows: shown('Top') },
];

const formats: readonly OddSubtitle[] = [
  {
    name: 'ASS with styles, commas, line ends and a drawing',
    bytes: ass(
      event('0:00:01.00,0:00:02.00', '{\\i1}One,{\\i0} two\\Nthree'),
      event('0:00:03.00,0:00:04.00', 'EXIT', 'Sign'),
      event('0:00:05.00,0:00:06.00', '{\\p1}m 0 0 l 100 0{\\p0}'),
      'Comment: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,not shown',
    ),
    shows: ['1000-2000 <i>One,</i> two\nthree', '3000-4000 <b>EXIT</b>'],
  },
  {
    name: 'karaoke: syllables, layers and frames of one text',
    bytes: ass(
      event('0:00:01.00,0:00:02.00', '{\\k20}ka{\\kf30}ra{\\ko10}oke'),
      event('0:00:01.00,0:00:02.00', '{\\blur3}karaoke'),
      ...Array.from({ length: 50 }, (_, at) =>
        event(
          `0:00:0${2 + Math.floor(at / 25)}.${String((at % 25) * 4).padStart(2, '0')},0:00:04.00`,
          '{\\pos(1,2)}karaoke',
        ),
      ),
    ),
    shows: ['1000-4000 karaoke'],
  },
  {
    name: 'SSA with the old alignment',
    bytes: utf8(
      '[Script Info]\nScriptType: v4.00\n[V4 Styles]\nFormat: Name, Italic, Alignment\nStyle: *Default,-1,6\n[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,*Default,Up',
    ),
    shows: ['1000-2000 <i>Up</i>'],
  },
  {
    name: 'WebVTT with styles, notes, settings and classes',
    bytes: utf8(
      'WEBVTT\n\nSTYLE\n::cue { background: url(http://x) }\n\nNOTE no\n\nid\n00:01.000 --> 00:02.000 line:0 evil:1\n<c.red>A</c> <v Bob>B</v>\n',
    ),
    shows: ['1000-2000 A B'],
  },
  {
    name: 'TTML with offsets, frames, spans and a document that would expand',
    bytes: utf8(
      `<?xml version="1.0"?><!DOCTYPE tt [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="s" xmlns:ttp="p" ttp:frameRate="25"><body><div begin="1s"><p begin="00:00:00:05" dur="500ms">One<br/><span tts:fontStyle="italic">two</span></p><p begin="2s" end="3s">&b;</p></div></body></tt>`,
    ),
    shows: ['1200-1700 One\n<i>two</i>', '3000-4000 &amp;b;'],
  },
  {
    name: 'TTML with prefixes of its own, and attributes of others',
    bytes: utf8(
      '<?xml version="1.0"?><x:tt xmlns:x="http://www.w3.org/ns/ttml" xmlns:y="urn:y"><x:body><x:div><x:p y:begin="9s" begin="1s" end="1.5s">Hello<x:br/>there</x:p></x:div></x:body></x:tt>',
    ),
    shows: ['1000-1500 Hello\nthere'],
  },
  {
    name: 'TTML in UTF-16',
    bytes: encodeText(
      `${mark}<?xml version="1.0" encoding="utf-16"?><tt xmlns="http://www.w3.org/ns/ttml"><body><div><p begin="00:00:01.000" end="00:00:01.500">Привет</p></div></body></tt>`,
      'utf-16le',
    ),
    shows: ['1000-1500 Привет'],
  },
  { name: 'no line end behind the last line', bytes: utf8(srt('A').trimEnd()), shows: shown('A') },
  {
    name: 'numbers that are missing, doubled or no numbers',
    bytes: utf8(
      '00:00:01,000 --> 00:00:01,500\nA\n\n1\n1\n00:00:02,000 --> 00:00:02,500\nB\n\n#3\n00:00:03,000 --> 00:00:03,500\n4\n',
    ),
    shows: ['1000-1500 A', '2000-2500 B', '3000-3500 4'],
  },
  {
    name: 'SAMI in two languages',
    bytes: utf8(
      '<SAMI><HEAD><STYLE><!-- .ENCC {lang: en-US;} .KRCC {lang: ko-KR;} --></STYLE></HEAD><BODY><SYNC Start=1000><P Class=ENCC>Hello<br>you<P Class=KRCC>안녕<SYNC Start=2000><P Class=ENCC>&nbsp;<P Class=KRCC>&nbsp;</BODY></SAMI>',
    ),
    shows: ['1000-2000 안녕'],
    language: 'ko',
  },
  {
    name: 'MicroDVD with its rate',
    bytes: utf8('{1}{1}25.000\n{25}{50}{y:i}One|two\n'),
    shows: ['1000-2000 <i>One</i>\ntwo'],
  },
  {
    name: 'MicroDVD with the rate of the film',
    bytes: utf8('{50}{100}One\n'),
    shows: ['1000-2000 One'],
    frameRate: 50,
  },
  { name: 'MPL2', bytes: utf8('[10][20]/One|two\n'), shows: ['1000-2000 <i>One</i>\ntwo'] },
  {
    name: 'the format of YouTube',
    bytes: utf8('0:00:01.000,0:00:02.000\nOne\ntwo\n'),
    shows: ['1000-2000 One\ntwo'],
  },
  {
    name: 'LRC with an offset and two times of a line',
    bytes: utf8('[ti:Song]\n[offset:+500]\n[00:01.50][00:05.50]Again\n[00:03.50]<00:03.50>Once\n'),
    shows: ['1000-3000 Again', '3000-5000 Once', '5000-10000 Again'],
  },
];

const refused: readonly OddSubtitle[] = [
  { name: 'an empty file', bytes: Buffer.alloc(0), shows: { code: 'unsupported' } },
  { name: 'a text without times', bytes: utf8('Hello\n'), shows: { code: 'unsupported' } },
  { name: 'zeros', bytes: Buffer.alloc(100_000), shows: { code: 'unsupported' } },
  {
    name: 'times without text',
    bytes: timed('00:00:01,000 --> 00:00:02,000', ''),
    shows: { code: 'malformed' },
  },
  {
    name: 'more cues than any film',
    bytes: utf8('1\n00:00:01,000 --> 00:00:02,000\nA\n\n'.repeat(50_001)),
    shows: { code: 'over-budget' },
  },
  {
    name: 'a million empty lines',
    bytes: utf8('\n'.repeat(1_000_000)),
    shows: { code: 'unsupported' },
  },
  {
    name: 'a long line of open tags',
    bytes: utf8(`1\n00:00:01,000 --> 00:00:02,000\n${'<i'.repeat(500_000)}`),
    shows: [`1000-2000 ${'&lt;i'.repeat(2000)}`],
  },
];

export const oddSubtitles: readonly OddSubtitle[] = [
  ...inCharsets,
  ...wide,
  ...times,
  ...markup,
  ...formats,
  ...refused,
];
