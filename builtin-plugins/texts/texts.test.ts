import { describe, expect, test } from 'vitest';
import type { Host } from '../../plugin-api/index.ts';
import { encodeText } from '../../test/support/media/encode-text.ts';
import { oddSubtitles, type OddSubtitle } from '../../test/support/media/odd-subtitles.ts';
import { convert, convertText } from './convert.ts';
import { lyricsOf } from './lyrics.ts';
import { TextError } from './text-error.ts';

const plain = { format: 'srt', language: null, frameRate: null };
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** The cues of WebVTT as `start-end text`, in milliseconds; settings are left out. */
function cuesIn(vtt: string): readonly string[] {
  const [head, ...blocks] = vtt.trimEnd().split('\n\n');
  expect(head).toBe('WEBVTT');
  return blocks.map((block) => {
    const [times = '', ...lines] = block.split('\n');
    const [start = '', end = ''] = times.split(' --> ');
    return `${ms(start)}-${ms(end.split(' ')[0] ?? '')} ${lines.join('\n')}`;
  });
}

function ms(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return Math.round((hours * 3600 + minutes * 60 + seconds) * 1000);
}

function shownOf({ bytes, language, frameRate }: OddSubtitle) {
  try {
    const known = { language: language ?? null, frameRate: frameRate ?? null };
    return cuesIn(textOf(convert(bytes, { ...plain, ...known, to: 'vtt' })));
  } catch (error) {
    if (error instanceof TextError) return { code: error.code };
    throw error;
  }
}

describe('an odd subtitle becomes WebVTT, or is refused with a code', () => {
  test.each(oddSubtitles.map((odd) => [odd.name, odd] as const))('%s', (_, odd) => {
    const began = performance.now();

    expect(shownOf(odd)).toEqual(odd.shows);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

test('WebVTT keeps settings that it has, and places of other formats become settings', () => {
  const settingsOf = (text: string) => {
    const made = textOf(convert(Buffer.from(text), { ...plain, to: 'vtt' }));
    return /-->\s+\S+ ?(.*)/.exec(made)?.[1];
  };
  const srt = (tag: string) => `1\n00:00:01,000 --> 00:00:02,000\n${tag}A\n`;

  expect(settingsOf('WEBVTT\n\n00:01.000 --> 00:02.000 line:0 x:1 align:end\nA')).toBe(
    'line:0 align:end',
  );
  expect(settingsOf(srt('{\\an8}'))).toBe('line:0');
  expect(settingsOf(srt('{\\a1}'))).toBe('position:0% align:start');
  expect(settingsOf(srt(''))).toBe('');
});

/** Each is the text of one cue, or a block before it, that would do something in a browser. */
test.each([
  'a</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<v <img src=x>>a',
  '<c.a onclick=x>a</c>',
  '<b onmouseover=x>a',
  '<i\tstyle=x>a',
  '<ruby><rt onload=x>a',
  '<lang en><iframe src=//a.example>a',
  '&lt;script&gt;alert(1)',
  '&#60;script&#62;a',
  '&amp;lt;script>a',
  '<<b>script>a',
  '<b<script>a',
  '<!--a--><script>',
  '<![CDATA[<script>]]>a',
  'a --> b',
  '00:00:09.000 --> 00:00:10.000\na',
  'a\r\rSTYLE\r::cue { background: url(//a.example) }',
  'a\u2028STYLE\u2028::cue {}',
  'a\0\0STYLE',
  'a\ud800<script>',
  '\ufeffWEBVTT',
  'javascript:a',
  '{\\an8}<script>a',
  '<font color="red" onclick=x>a',
  '<a href="javascript:x">a</a>',
])('text that a browser might run is text in WebVTT: %j', (hostile) => {
  const times = '00:00:01.000 --> 00:00:02.000';
  const inputs = [
    `1\n${times.replaceAll('.', ',')}\n${hostile}\n`,
    `WEBVTT\n\n${times}\n${hostile}\n`,
    `WEBVTT ${hostile}\n\nSTYLE\n::cue { background: url(//a.example) }\n\nREGION\nid:${hostile}\n\nNOTE ${hostile}\n\n${hostile}\n${times} region:${hostile}\na\n`,
  ];

  for (const [at, input] of inputs.entries()) {
    const made = vttOrNothing(input, at === 0 ? 'srt' : 'vtt');
    if (made === null) continue;
    const [head, ...blocks] = made.trimEnd().split('\n\n');
    expect(head).toBe('WEBVTT');
    for (const block of blocks) {
      const [time = '', ...lines] = block.split('\n');
      expect(time).toMatch(
        /^[\d:.]+ --> [\d:.]+( (line|position|align|size|vertical):[\w%.,-]+)*$/,
      );
      const rest = lines.join('\n').replaceAll(/<\/?(b|i|u|ruby|rt)>/g, '');
      expect(rest).not.toMatch(/[<>\0\r]|-->/);
    }
  }
});

/** `null` = it is refused: nothing of it is text. */
function vttOrNothing(input: string, format: string): string | null {
  try {
    return textOf(convert(Buffer.from(input), { ...plain, format, to: 'vtt' }));
  } catch (error) {
    if (error instanceof TextError) return null;
    throw error;
  }
}

describe('ASS as it is', () => {
  const script = '[Script Info]\nTitle: é\n[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,,,,,A\n';

  test('keeps script, styles and events in UTF-8, and no fonts, pictures and control characters', () => {
    const bytes = encodeText(
      `\ufeff${script.replace('A\n', 'A\u0007\n')}[Fonts]\nfontname: evil.ttf\n!!!!\n[Graphics]\nx\n`,
      'utf-16le',
    );

    expect(textOf(convert(bytes, { ...plain, to: 'ass' }))).toBe(script);
  });

  test('begins at another time, without what is over before', () => {
    const events = '[Events]\nFormat: Start, End, Layer, Text\n';
    const bytes = Buffer.from(
      `${events}Dialogue: 0:00:00.10,0:00:00.90,0,A\nDialogue: 0:00:01.00,1:00:02.50,0,B, C\n`,
    );

    expect(textOf(convert(bytes, { ...plain, to: 'ass', shiftMs: -1400 }))).toBe(
      `${events}Dialogue: 0:00:00.00,1:00:01.10,0,B, C\n\n`,
    );
  });

  test('is refused for another format', () => {
    const bytes = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nA\n');

    expect(() => convert(bytes, { ...plain, to: 'ass' })).toThrow(/not ASS; ask for .vtt/);
  });
});

test('a file of 200 MB is refused before it is read', async () => {
  const source = { uri: 'file:///large.srt', size: 200_000_000, base64: null };
  const nothing = {} as Host;

  expect(await convertText({ ...plain, source, to: 'vtt' }, nothing)).toEqual({
    kind: 'failed',
    code: 'over-budget',
    message: 'The text has 200000000 bytes; at most 16777216 are converted.',
  });
});

test('lyrics are lines with times, or lines without', () => {
  expect(lyricsOf('[ti:T]\n[00:02.00]B\n[00:01.00][00:03.5]A\n')).toEqual({
    kind: 'made',
    synced: true,
    lines: [
      { startMs: 1000, text: 'A' },
      { startMs: 2000, text: 'B' },
      { startMs: 3500, text: 'A' },
    ],
  });
  expect(lyricsOf('[00:03.00]Only\n')).toEqual({
    kind: 'made',
    synced: true,
    lines: [{ startMs: 3000, text: 'Only' }],
  });
  expect(lyricsOf('[00:01.00]A\n[1:00:05.120]Late\n[01:02:50]B')).toMatchObject({
    synced: true,
    lines: [{ startMs: 1000 }, { startMs: 62_500 }, { startMs: 3_605_120, text: 'Late' }],
  });
  expect(lyricsOf('[00:00.00]A\n[00:00.00]B')).toMatchObject({ synced: false });
  expect(lyricsOf('\nFirst\r\n\r\nSecond\n')).toEqual({
    kind: 'made',
    synced: false,
    lines: ['First', '', 'Second'].map((text) => ({ startMs: 0, text })),
  });
  expect(() => lyricsOf('[ti:T]\n\n')).toThrow('The lyrics are empty.');
});

test('times are shifted, and what ends before 0 is left out', () => {
  const srt = [
    '1\n00:00:00,200 --> 00:00:01,000\nGone\n',
    '2\n00:00:01,000 --> 00:00:02,000\nCut\n',
    '3\n01:00:00,000 --> 01:00:01,000\nWhole\n',
  ].join('\n');
  const shownAt = (shiftMs: number) =>
    cuesIn(textOf(convert(Buffer.from(srt), { ...plain, to: 'vtt', shiftMs })));

  expect(shownAt(-1400)).toEqual(['0-600 Cut', '3598600-3599600 Whole']);
  expect(shownAt(500)[0]).toBe('700-1500 Gone');
});
