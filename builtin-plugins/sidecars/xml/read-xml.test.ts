import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deltaOf } from '../fake-item.ts';
import { readXml } from './read-xml.ts';
import { textOf, type XmlElement } from './xml-element.ts';

function rootsOf(text: string): readonly XmlElement[] {
  const reading = readXml(text);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.document.roots;
}

/** An element as a test writes it: name, attributes, text and children. */
function plain({ name, attributes, children, text }: XmlElement): unknown {
  return [name, Object.fromEntries(attributes), text, children.map(plain)];
}

describe('a document', () => {
  test.each<[string, unknown[]]>([
    ['<a/>', [['a', {}, '', []]]],
    ['<a>b</a>', [['a', {}, 'b', []]]],
    ['<a> b <c/> d </a>', [['a', {}, 'b  d', [['c', {}, '', []]]]]],
    [`<a b="1" c='2' d=3 e/>`, [['a', { b: '1', c: '2', d: '3' }, '', []]]],
    ['<DC:Title opf:Role="aut">A</DC:Title>', [['title', { role: 'aut' }, 'A', []]]],
    ['<?xml version="1.0"?><!-- <b/> --><a/>', [['a', {}, '', []]]],
    ['<!DOCTYPE a [<!ENTITY x "y"> <!ELEMENT a ANY>]><a>&x;</a>', [['a', {}, '&x;', []]]],
    ['<!DOCTYPE a SYSTEM "a.dtd"><a/>', [['a', {}, '', []]]],
    ['<a><![CDATA[<b> & ]] >]]></a>', [['a', {}, '<b> & ]] >', []]]],
    [
      '<a>&lt;&#65;&#x42;&amp;lt;&eacute;&nbsp;&unknown;&;&#0;</a>',
      [['a', {}, '<AB&lt;é\u00a0&unknown;&;\ufffd', []]],
    ],
    ['<a b="&quot;&amp;"/>', [['a', { b: '"&' }, '', []]]],
    [
      '<a>1</a><a>2</a>',
      [
        ['a', {}, '1', []],
        ['a', {}, '2', []],
      ],
    ],
  ])('%s is read', (text, expected) => {
    expect(rootsOf(text).map(plain)).toEqual(expected);
  });

  test.each<[string, unknown[]]>([
    ['<a>Tom & Jerry</a>', [['a', {}, 'Tom & Jerry', []]]],
    ['<a>1 < 2 <3</a>', [['a', {}, '1 < 2 <3', []]]],
    ['<a><b>x</a>', [['a', {}, '', [['b', {}, 'x', []]]]]],
    ['<a></b>x</a>', [['a', {}, 'x', []]]],
    ['<a><b>x', [['a', {}, '', [['b', {}, 'x', []]]]]],
    ['<a b="1', [['a', { b: '1' }, '', []]]],
    ['<a <b/></a>', [['a', {}, '', [['b', {}, '', []]]]]],
    ['<a', [['a', {}, '', []]]],
    ['</a>', []],
    ['<', []],
    ['<!-- never ends <a/>', []],
    ['<a><![CDATA[never ends', [['a', {}, 'never ends', []]]],
  ])('%s, which is invalid, is read as far as possible', (text, expected) => {
    expect(rootsOf(text).map(plain)).toEqual(expected);
  });

  test('gives the text outside of its elements', () => {
    const reading = readXml('<a>b</a>\nhttps://example.org/?a=1&b=2\n');

    expect(reading).toMatchObject({
      ok: true,
      document: { outside: 'https://example.org/?a=1&b=2' },
    });
  });

  test('of any text is read or refused, without an exception', () => {
    const part = fc.constantFrom(
      '<',
      '>',
      '</',
      '/>',
      'a',
      '"',
      "'",
      '=',
      ' ',
      '&',
      ';',
      '#',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<?',
      '?>',
      '<!DOCTYPE',
      '[',
      ']',
      'é',
      '\ud83d',
    );

    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), (parts) => {
        readXml(parts.join(''));
      }),
    );
  });

  test('is the same after it was written and read', () => {
    const escape = (text: string) =>
      text.replace(/[&<>"]/g, (one) => `&#${String(one.charCodeAt(0))};`);

    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
        const [root] = rootsOf(`<a b="${escape(text)}"><c>${escape(text)}</c></a>`);
        const written = text.trim().replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, (one) => one);

        expect(root?.attributes.get('b')).toBe(written);
        expect(root && (textOf(root, 'c') ?? '')).toBe(written);
      }),
    );
  });
});

const mebibyte = 1_048_576;
const fill = (piece: string): string => piece.repeat(Math.ceil(mebibyte / piece.length));
const laughs = Array.from(
  { length: 50 },
  (_, at) => `<!ENTITY l${String(at + 1)} "${`&l${String(at)};`.repeat(10)}">`,
).join('');

/** A MiB each of input that makes careless readers slow, large, or open files. */
const hostile: Readonly<Record<string, string>> = {
  'a billion laughs': `<!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><movie><title>&l50;</title></movie>`,
  'an entity of a file':
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><movie><title>&x;</title></movie>',
  'an entity of the network':
    '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;]><movie><title>A</title></movie>',
  'many entities': `<!DOCTYPE a [${fill('<!ENTITY a "b">')}]><movie><title>A</title></movie>`,
  'deep elements': fill('<a>'),
  'many elements': `<movie>${fill('<a/>')}</movie>`,
  'elements of many names': `<movie>${Array.from({ length: 100_000 }, (_, at) => `<a${String(at)}/>`).join('')}</movie>`,
  'many end tags': fill('</a>'),
  'end tags of nothing': `${'<a>'.repeat(30)}${fill('</b>')}`,
  'one long text': `<movie><title>${fill('x')}</title></movie>`,
  'one long name': `<${fill('x')}>`,
  'many attributes': `<movie ${fill('a="b" ')}/>`,
  'many attributes without value': `<movie ${fill('a ')}/>`,
  'equals signs': `<movie ${fill('a=')}/>`,
  'quotes that never end': fill('<a b="'),
  'quotes in turn': `<a ${fill(`b="'`)}`,
  'comments that never end': fill('<!--'),
  'texts that never end': fill('<![CDATA['),
  'instructions that never end': fill('<?a '),
  'open brackets': fill('<'),
  'brackets and letters': fill('<a'),
  ampersands: `<a>${fill('&')}</a>`,
  'references that never end': `<a>${fill('&#x')}</a>`,
  'unknown references': `<a>${fill('&abcdef;')}</a>`,
  spaces: `<a${' '.repeat(mebibyte)}`,
  'lines without end': `<movie><plot>${fill('\n')}</plot></movie>`,
  'genres of separators': `<movie><genre>${fill(' / ')}</genre></movie>`,
  'actors without number': `<movie>${fill('<actor><name>A</name></actor>')}</movie>`,
  addresses: fill('thetvdb.com/a'),
  'addresses of titles': fill('imdb.com/title/tt'),
};

describe('a hostile text', () => {
  test.each(Object.entries(hostile))('of %s is harmless and read quickly', async (_, text) => {
    const spy = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => spy.mockRestore());
    const media = ['F/F.mkv'];
    const beside = { 'F/F.nfo': text.slice(0, mebibyte - 1) };
    await deltaOf({ media, beside });

    const begin = process.cpuUsage();
    const delta = await deltaOf({ media, beside });
    const { user, system } = process.cpuUsage(begin);

    // Many times what the slowest takes; careless readers take longer than that by far.
    expect((user + system) / 1000).toBeLessThan(1500);
    expect(JSON.stringify(delta).length).toBeLessThan(100_000);
    expect(JSON.stringify(delta)).not.toContain('root:');
  });
});
