import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeScript } from './safe-script.ts';

const arial = (): string => 'Arial';
const head = '[Script Info]\nPlayResX: 640\nPlayResY: 360\n[V4+ Styles]\n';
const styles =
  'Format: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment, MarginV\nStyle: Sign,Comic,30,&H0000FFFF,-1,8,12\n';
const events =
  '[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n';
const line = (text: string, [from, to] = ['0:00:01.00', '0:00:03.50']): string =>
  `Dialogue: 0,${from},${to},Sign,,0,0,0,,${text}\n`;

/** The events of a script that was written again. */
const eventsOf = (source: string, fontOf: (name: string) => string = arial): readonly string[] =>
  (safeScript(source, fontOf) ?? '').split('\n').filter((one) => one.startsWith('Dialogue:'));

const textOf = (text: string, fontOf: (name: string) => string = arial): string | undefined =>
  eventsOf(head + styles + events + line(text), fontOf)[0]
    ?.split(',')
    .slice(9)
    .join(',');

describe('a script that is written again', () => {
  test('keeps its size, its styles, and the tags that are drawn', () => {
    const text = String.raw`{\an8\pos(320,40)\fad(200,300)\c&H0000FF&\bord3}A, {\i1}b{\i0}\Nc`;
    expect(safeScript(head + styles + events + line(text), (name) => `${name} Sans`)).toBe(
      `[Script Info]
ScriptType: v4.00+
PlayResX: 640
PlayResY: 360
WrapStyle: 0
ScaledBorderAndShadow: no
[V4+ Styles]
Format: Name,Fontname,Fontsize,PrimaryColour,SecondaryColour,OutlineColour,BackColour,Bold,Italic,Underline,StrikeOut,ScaleX,ScaleY,Spacing,Angle,BorderStyle,Outline,Shadow,Alignment,MarginL,MarginR,MarginV,Encoding
Style: s0,Comic Sans,30,&H0000FFFF,&H000000FF,&H00000000,&H00000000,1,0,0,0,100,100,0,0,1,2,2,8,10,10,12,1
[Events]
Format: Layer,Start,End,Style,Name,MarginL,MarginR,MarginV,Effect,Text
Dialogue: 0,0:0:1,0:0:3.5,s0,,0,0,0,,{\\an8\\pos(320,40)\\fad(200,300)\\1c&H0000FF&\\bord3}A, {\\i1}b{\\i0}\\Nc
`,
    );
  });

  test('has the size that ASS means without one, and the places and colours of SSA', () => {
    const made = safeScript(
      '[V4 Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, BackColour, Alignment\nStyle: *Default,Arial,18,65535,-2147483640,6\n[Events]\nFormat: Marked, Start, End, Style, Text\nDialogue: Marked=0,0:00:00.00,0:00:01.00,*Default,A\n',
      arial,
    );
    expect(made).toContain('PlayResX: 384\nPlayResY: 288\n');
    expect(made).toContain('Style: Default,Arial,18,&H0000FFFF,&H000000FF,&H80000008,&H80000008,');
    expect(made).toMatch(/^Style: .*,8,10,10,10,1$/m);
    expect(made).toContain('Dialogue: 0,0:0:0,0:0:1,Default,,0,0,0,,A\n');
  });

  test('has the syllables of karaoke as changes of their colour, each with the tags before it', () => {
    const [red, yellow] = [String.raw`\1c&H0000FF&\1a&H00&`, String.raw`\1c&H00FFFF&\1a&H00&`];
    expect(textOf(String.raw`{\an8\k50}Dö{\kf100\b1}ner{\i1} {\ko30}mit{\k999}.`)).toBe(
      [
        String.raw`{\an8\r${red}\t(0,1,1,${yellow})}Dö`,
        String.raw`{\r\b1${red}\t(500,833,1,${yellow})}n`,
        String.raw`{\r\b1${red}\t(833,1167,1,${yellow})}e`,
        String.raw`{\r\b1${red}\t(1167,1500,1,${yellow})}r{\i1} `,
        String.raw`{\r\b1\i1\3a&HFF&\t(1500,1501,1,\3a&H00&)}mit`,
        String.raw`{\r\b1\i1${red}\t(1800,1801,1,${yellow})}.`,
      ].join(''),
    );
    const own = String.raw`{\1c&H111111&\2c&H222222&\alpha&H40&\K10}a{\k20\kt90\1a&H80&}b{\k9999}c{\k1}d`;
    const [dark, light] = [String.raw`\1c&H222222&\1a&H40&`, String.raw`\1c&H111111&`];
    const tags = String.raw`\1c&H111111&\2c&H222222&\alpha&H40&`;
    expect(textOf(own)).toBe(
      [
        String.raw`{\r${tags}${dark}\t(0,100,1,${light}\1a&H40&)}a`,
        String.raw`{\r${tags}\1a&H80&${dark}\t(900,901,1,${light}\1a&H80&)}b`,
        String.raw`{\r${tags}\1a&H80&${dark}\t(900,901,1,${light}\1a&H80&)}c`,
      ].join('') + 'd',
    );
  });

  test('fills letters of a syllable one after the other, as many as may change, where they stand alone', () => {
    const letters = (text: string): number =>
      (textOf(text) ?? '').split(String.raw`\t(`).length - 1;
    expect(letters(String.raw`{\kf100}né ö`)).toBe(3);
    expect(letters(String.raw`{\kf100}نعم`)).toBe(1);
    expect(letters(String.raw`{\kf100}a\Nb`)).toBe(1);
    expect(letters(String.raw`{\kf10}aaaaaaaaaaaa`.repeat(20))).toBe(60);
  });

  test('holds each number within bounds, and knows no other tags', () => {
    expect(textOf(String.raw`{\fs99999999\bord1000000\blur9e9\evil(1)\fscx-4}A`)).toBe(
      String.raw`{\fs1000\bord60\blur9\fscx0}A`,
    );
    expect(textOf(String.raw`{\move(0,0,1e9,1)\pos(NaN,Infinity)\org(99999999,1)}A`)).toBe(
      String.raw`{\org(20000,1)}A`,
    );
    expect(textOf(String.raw`{\p99}m 0 0 l 1e9 9999999 <b>{\p0}A`)).toBe(
      String.raw`{\p6}m 0 0 l 1 9 20000 b{\p0}A`,
    );
  });

  test('has no change of its own speed over more than ten seconds', () => {
    expect(textOf(String.raw`{\t(0,100000000000,3,\fs50\clip(0,0,10,10)\fnEvil)}A`)).toBe(
      String.raw`{\t(0,2500,3,\fs50\clip(0,0,10,10))}A`,
    );
    const long = line(String.raw`{\t(3,\fs50)}A`, ['0:00:00.00', '9:00:00.00']);
    expect(eventsOf(head + styles + events + long)[0]).toContain(
      String.raw`{\t(0,32400000,1,\fs50)}A`,
    );
  });

  test('grows three times at most', () => {
    expect(textOf(String.raw`{\fs+9}A`.repeat(6))).toBe(`${String.raw`{\fs+9}A`.repeat(3)}AAA`);
  });

  test('asks for each font, and writes what it gets', () => {
    const asked: string[] = [];
    const fontOf = (name: string): string => {
      asked.push(name);
      return 'film-0';
    };
    expect(textOf(String.raw`{\fnx";position:fixed;"}A`, fontOf)).toBe(String.raw`{\fnfilm-0}A`);
    expect(asked).toEqual(['Comic', 'x";position:fixed;"']);
  });

  test('shows no more at a time than a browser draws', () => {
    const many = head + styles + events + line('A').repeat(5000);
    expect(eventsOf(many).length).toBeLessThanOrEqual(200);
    const after = line('B', ['0:00:04.00', '0:00:05.00']);
    expect(eventsOf(many + after).at(-1)).toContain(',B');
  });

  test('is nothing where nothing is seen', () => {
    expect(safeScript('[Events]\nComment: 0,0:00:00.00,0:00:01.00,,,,,,,A', arial)).toBe(null);
    expect(textOf(String.raw`{\an8}`)).toBe(undefined);
    expect(safeScript('', arial)).toBe(null);
  });

  test('consists of known tags only, for any text', () => {
    const pieces = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '{',
        '}',
        '\\',
        '(',
        ')',
        ',',
        '\\t(',
        '\\clip(',
        '\\fn',
        '\\p1',
        '\\r',
        '\r',
        '\f',
        '"',
        ';',
      ),
      fc.constantFrom('\\fs', '\\c&H', '\\alpha', '\\move(', '1e9', '-99999999', 'm 0 0 l 9 9'),
    );
    const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        for (const one of eventsOf(head + styles + events + line(`${text}A`))) {
          const written = one.split(',').slice(9).join(',');
          expect(written).not.toMatch(/[\u0000-\u001f\u007f]/);
          const blocks = [...written.matchAll(/\{([^}]*)\}/g)].map(([, block = '']) => block);
          for (const block of blocks) expect(block).toMatch(/^(\\[a-z0-9 .,()&+\-\\]*)?$/i);
          const sizes = blocks.join(' ').match(/\d+(\.\d+)?/g) ?? [];
          for (const size of sizes) expect(Number.parseFloat(size)).toBeLessThanOrEqual(3_600_000);
        }
      }),
    );
  });
});
