/** Archives as an attacker makes them: each is refused by a named fault, or read as one thing. */
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  createPublisher,
  filesOfTexts,
  manifestOf,
} from '../../../test/support/plugins/packages.ts';
import { createManifestReader } from '../manifest/manifest.ts';
import { openArchive } from './plugin-archive.ts';
import { canonicalText, signed, type Signer } from './signature.ts';

const reader = createManifestReader();
const [signer, stranger] = [createPublisher(), createPublisher()];
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The envelope around a deflated body that may lie about its content. */
function sealed(deflated: Uint8Array, content: Uint8Array): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  const body = Buffer.concat([deflated, trailer]);
  const head = Buffer.from('1f8b08040000000002ff240056502000', 'hex');
  return Buffer.concat([head, Buffer.from(sha256(body), 'hex'), body]);
}
const seal = (content: Uint8Array): Buffer =>
  sealed(deflateRawSync(content, { level: 1 }), content);

interface Entry {
  readonly name: string | Buffer;
  readonly content?: string | Uint8Array;
  /** Written over the header, before the checksum is made. */
  readonly at?: readonly (readonly [number, string | Buffer])[];
  /** Instead of the checksum. */
  readonly sum?: (right: number) => string;
}

const octalSum = (sum: number): string => `${sum.toString(8).padStart(6, '0')}\0 `;

function entry({ name, content = 'x', at = [], sum = octalSum }: Entry): Buffer {
  const bytes = Buffer.from(content);
  const head = Buffer.alloc(512);
  head.write(`0000644\x000000000\x000000000\0`, 100, 'latin1');
  head.write(
    `${bytes.length.toString(8).padStart(11, '0')}\x0000000000000\0        0`,
    124,
    'latin1',
  );
  head.write('ustar\x0000', 257, 'latin1');
  head.write('0000000\x000000000\0', 329, 'latin1');
  head.set(Buffer.from(name).subarray(0, 100));
  for (const [place, text] of at) head.set(Buffer.from(text), place);
  head.write(sum(head.reduce((total, byte) => total + byte, 0)), 148, 'latin1');
  return Buffer.concat([head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
const tarOf = (...entries: readonly Uint8Array[]): Buffer =>
  Buffer.concat([...entries, Buffer.alloc(1024)]);
const archiveOf = (...entries: readonly Uint8Array[]): Buffer => seal(tarOf(...entries));
/** Sorted, as the format wants it. */
const archiveOfTexts = (texts: Readonly<Record<string, string>>): Buffer =>
  archiveOf(
    ...Object.entries(texts)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, content]) => entry({ name, content })),
  );

const manifest = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify(manifestOf({ id: 'a-plugin', ...more }));

/** A package whose manifest is this text. What is signed of it is right, unless told otherwise. */
function packageOf(
  text: string,
  {
    claims = {},
    by = signer,
    spell = canonicalText,
  }: {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly by?: Signer;
    readonly spell?: (value: Readonly<Record<string, unknown>>) => string;
  } = {},
): Buffer {
  const texts = { 'index.js': 'export default {};', 'manifest.json': text };
  const files = Object.fromEntries(
    [...filesOfTexts(texts)].map(([name, content]) => [name, sha256(content)]),
  );
  const own = { id: 'a-plugin', version: '1.0.0', publisherKey: by.publicKey, files, ...claims };
  return archiveOfTexts({ ...texts, 'signature.json': spell(signed(own, by)) });
}

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  const opened = await openArchive(bytes, { reader });
  return opened.ok
    ? `${opened.archive.manifest.id} ${opened.archive.manifest.version}`
    : `${opened.code}: ${opened.message}`;
}

const sound = packageOf(manifest());
const tar = gunzipSync(sound);
const deflated = deflateRawSync(tar, { level: 1 });

test('the package that the attacks change is sound', async () => {
  expect(await outcomeOf(sound)).toBe('a-plugin 1.0.0');
});

const size = (field: string | Buffer) => entry({ name: 'a', at: [[124, field]] });
const base256 = (...last: readonly number[]): Buffer => {
  const field = Buffer.alloc(12);
  field[0] = 0x80;
  field.set(last, 12 - last.length);
  return field;
};

describe('an envelope', () => {
  test.each<[string, () => Uint8Array]>([
    ['with a gzip member twice', () => Buffer.concat([sound, sound])],
    ['with an empty gzip member before', () => Buffer.concat([gzipSync(''), sound])],
    ['with an empty gzip member behind', () => Buffer.concat([sound, gzipSync('')])],
    ['with zeros behind', () => Buffer.concat([sound, Buffer.alloc(512)])],
    ['with a second deflate stream inside', () => sealed(Buffer.concat([deflated, deflated]), tar)],
    [
      'with a byte behind the deflate stream',
      () => sealed(Buffer.concat([deflated, Buffer.from('x')]), tar),
    ],
    ['with the checksum of another content', () => sealed(deflated, Buffer.from('x'))],
    ['around another gzip', () => seal(gzipSync(tar))],
    ['around another package', () => seal(sound)],
    ['around nothing', () => seal(Buffer.alloc(0))],
    ['without a deflate stream', () => sealed(Buffer.alloc(0), tar)],
    ['whose stream does not end', () => sealed(deflated.subarray(0, -8), tar)],
    [
      'of nine MiB of empty blocks',
      () => sealed(Buffer.alloc(9 * 1024 ** 2, Buffer.from('000000ffff', 'hex')), tar),
    ],
    ['that is a zip', () => Buffer.from('504b0304140000000000', 'hex')],
  ])('%s is refused', async (_, make) => {
    expect(await outcomeOf(make())).toMatch(/^INVALID_PACKAGE: The package [a-z]/);
  });

  test('that grows to 300 times its size takes no memory for it', async () => {
    const content = Buffer.alloc(80 * 1024 ** 2);
    const bomb = seal(content);
    const before = process.memoryUsage().arrayBuffers;

    expect(await outcomeOf(bomb)).toMatch(/larger than \d+ bytes unpacked/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120 * 1024 ** 2);
  });
});

describe('a header', () => {
  test.each<[string, Uint8Array]>([
    ['with another checksum', entry({ name: 'a', sum: (sum) => octalSum(sum + 1) })],
    ['with a signed checksum', entry({ name: 'a', sum: (sum) => octalSum(sum - 256) })],
    ['with a checksum of spaces', entry({ name: 'a', sum: () => '        ' })],
    [
      'with a checksum of another form',
      entry({ name: 'a', sum: (sum) => `${sum.toString(8).padStart(7, '0')}\0` }),
    ],
    ['with a size in base-256', size(base256(1))],
    ['with a negative size in base-256', size(Buffer.alloc(12, 0xff))],
    ['with a size of 2^63', size(base256(0x80, 0, 0, 0, 0, 0, 0, 0))],
    ['with a negative size', size('-0000000001\0')],
    ['with a size with spaces before', size('          1\0')],
    ['with a size with a space behind', size('0000000001 \0')],
    ['with a size of twelve digits', size('000000000001')],
    ['with a size of one digit', size('1\0\0\0\0\0\0\0\0\0\0\0')],
    ['with a size that is not octal', size('00000000009\0')],
    ['with a size in hex', size('0x000000001\0')],
    ['with no size', size(Buffer.alloc(12))],
    ['with a size beyond the archive', size('00000002000\0')],
    ['with the largest size', size('77777777777\0')],
    ['with a time', entry({ name: 'a', at: [[136, '00000000001\0']] })],
    ['with an owner', entry({ name: 'a', at: [[265, 'root']] })],
    ['with the magic of GNU', entry({ name: 'a', at: [[257, 'ustar  \0']] })],
    ['without magic', entry({ name: 'a', at: [[257, Buffer.alloc(8)]] })],
    ['with a prefix that leads out', entry({ name: 'a', at: [[345, '../..']] })],
    ['with a prefix where none is needed', entry({ name: 'a', at: [[345, 'b']] })],
    ['with bytes behind the name', entry({ name: Buffer.from('a\0b') })],
    ['with bytes behind the prefix', entry({ name: 'a', at: [[500, 'x']] })],
  ])('%s is refused', async (_, bytes) => {
    expect(await outcomeOf(archiveOf(bytes))).toMatch(/^INVALID_PACKAGE: The package [a-z]/);
  });

  test.each([...'123456789ABDEKLMNSVXgx'.split(''), '\0', ' ', '\u007f'])(
    'of the type %j is refused',
    async (type) => {
      const hostile = [
        entry({
          name: 'a',
          content: '',
          at: [
            [156, type],
            [157, '/etc/passwd'],
          ],
        }),
        entry({ name: 'a', content: '16 path=../evil\n', at: [[156, type]] }),
      ];
      for (const one of hostile)
        expect(await outcomeOf(archiveOf(one, entry({ name: 'b' })))).toMatch(
          /^INVALID_PACKAGE: .* not a plain file/,
        );
    },
  );
});

describe('a name', () => {
  test.each<string | Buffer>([
    '/etc/passwd',
    '//a',
    '..',
    '../a',
    'a/..',
    'a/../b',
    '.',
    './a',
    'a/./b',
    '',
    '/',
    'a/',
    'a//b',
    '\0',
    'a\\..\\b',
    '..\\a',
    '\\\\host\\share',
    'C:a',
    'a:b',
    '\\?\\a',
    '~',
    '~/a',
    '-rf',
    '$HOME',
    '%2e%2e/a',
    'a%2fb',
    'ａ.js',
    'mаnifest.json',
    'manifest.json\u200b',
    '\u202egpj.js',
    'e\u0301.js',
    '\u00e9.js',
    'ﬁle.js',
    '‥/a',
    '․․/a',
    'a∕b',
    'a／b',
    '\u212a.js',
    'ı.js',
    'a.js ',
    'a.js.',
    ' a.js',
    'a\r',
    'a\u007f',
    'con.txt',
    'aux',
    'com9.js',
    'a/prn',
    '__proto__',
    'a/__proto__/b',
    'a\0/b',
    '.git/hooks/a',
    '.npmrc',
    'node_modules/../../a',
    'a*',
    'a?',
    'a|b',
    '<a>',
    '"a"',
    'NUL~1~',
    'PROGRA~1',
    Buffer.from([0xc0, 0xae, 0xc0, 0xae, 0x2f, 0x61]),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('a'.repeat(100) + 'b'),
  ])('%j is refused', async (name) => {
    const outcome = await outcomeOf(archiveOf(entry({ name })));
    // A name of 101 characters is cut by its field, so it is another one, which is not signed.
    expect(outcome).toMatch(
      name.length === 101 ? /^SIGNATURE_INVALID/ : /^INVALID_PACKAGE: The package [a-z]/,
    );
  });

  test.each([
    ['of 300 characters', `${'a'.repeat(99)}/`.repeat(3)],
    ['of 155 folders', 'a/'.repeat(155)],
  ])('%s is refused', async (_, name) => {
    const bytes = entry({ name: name.slice(155), at: [[345, name.slice(0, 155)]] });

    expect(await outcomeOf(archiveOf(bytes))).toMatch(/^INVALID_PACKAGE: The package [a-z]/);
  });

  test.each([
    [['manifest.json', 'manifest.json']],
    [['MANIFEST.JSON', 'manifest.json']],
    [['Manifest.json', 'manifest.json']],
    [['manifest.json', 'manifest.json/a']],
    [['Signature.json', 'signature.json']],
    [['b', 'a']],
    [['a/b', 'a']],
    [['A/b', 'a/c']],
  ])('twice is refused: %j', async (names) => {
    const bytes = archiveOf(...names.map((name) => entry({ name })));

    expect(await outcomeOf(bytes)).toMatch(/^INVALID_PACKAGE: .*(twice|order)/);
  });

  test('among 10,000 is refused without reading them all', async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) =>
      entry({ name: `f${String(index).padStart(5, '0')}`, content: '' }),
    );

    expect(await outcomeOf(archiveOf(...entries))).toMatch(/more than 1000 files/);
  });
});

const without = (text: string): string => text.slice(1);

describe('a manifest', () => {
  test.each<[string, string]>([
    ['with a key that reaches a prototype', `{"__proto__":{"id":"b"},${without(manifest())}`],
    ['with it spelled by escapes', `{"\\u005f_proto__":{"id":"b"},${without(manifest())}`],
    ['with a constructor', `{"constructor":{},${without(manifest())}`],
    [
      'with it deep inside',
      manifest({ permissions: { kv: JSON.parse('{"__proto__":1}') as object } }),
    ],
    ['with the right id first and another last', manifest().replace(/\}$/, ',"id":"b-plugin"}')],
    [
      'with the right version first and another last',
      manifest().replace(/\}$/, ',"version":"2.0.0"}'),
    ],
    ['with an id of look-alikes', manifest({ id: 'а-plugin' })],
    ['with an id in other case', manifest({ id: 'A-plugin' })],
    ['with a mark of byte order inside', `\ufeff\ufeff${manifest()}`],
    ['with a comment', `/**/${manifest()}`],
    ['with something behind it', `${manifest()}{}`],
    ['that is a list of it', `[${manifest()}]`],
    ['with a main that leads out', manifest({ main: '../index.js' })],
    ['with a main that is its signature', manifest({ main: 'signature.json/../index.js' })],
    ['with a zero in its id', manifest({ id: 'a-plugin\0' })],
    ['of a hundred thousand levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    [
      'of a hundred thousand keys',
      `{${Array.from({ length: 100_001 }, () => '"a":1').join()}}`.slice(0, 262_000),
    ],
  ])('%s is refused', async (_, text) => {
    expect(await outcomeOf(packageOf(text))).toMatch(/^INVALID_MANIFEST: ./);
  });

  test('with keys twice is what its last ones say, and those are signed for', async () => {
    const text = `{"id":"b-plugin","version":"9.9.9",${without(manifest())}`;

    expect(await outcomeOf(packageOf(text))).toBe('a-plugin 1.0.0');
  });

  test.each([
    'v1.0.0',
    '=1.0.0',
    ' 1.0.0',
    '1.0.0 ',
    '01.0.0',
    '1.00.0',
    '1.0',
    '1',
    '1.0.0.0',
    '1.0.0-',
    '1.0.0-01',
    '1.0.0+',
    '1.0.0-a..b',
    '9007199254740992.0.0',
    '1.0.99999999999999999999',
    '-1.0.0',
    '1e3.0.0',
    '1.0.x',
    '*',
    'latest',
    '１.0.0',
    '1.0.0\n',
    '1.0.0\0',
    `1.0.0-${'a'.repeat(60)}`,
    '',
    '__proto__',
  ])('of the version %j is refused, though it is signed', async (version) => {
    const bytes = packageOf(manifest({ version }), { claims: { version } });

    expect(await outcomeOf(bytes)).toMatch(/^INVALID_MANIFEST: .*version/);
  });

  test('of a version with a build is another one than without', async () => {
    const version = '1.0.0+a';
    const bytes = packageOf(manifest({ version }), { claims: { version } });

    expect(await outcomeOf(bytes)).toBe('a-plugin 1.0.0+a');
    expect(await outcomeOf(packageOf(manifest({ version })))).toMatch(/^INVALID_MANIFEST/);
  });
});

describe('a signature', () => {
  const respelled = (change: (text: string) => string) =>
    packageOf(manifest(), { spell: (value) => change(canonicalText(value)) });

  test.each<[string, (text: string) => string]>([
    ['with spaces', (text) => text.replace(':', ': ')],
    ['with a line end', (text) => `${text}\n`],
    ['with a mark of byte order', (text) => `\ufeff${text}`],
    ['with a key by escapes', (text) => text.replace('"id"', '"\\u0069d"')],
    ['with a value by escapes', (text) => text.replace('"a-plugin"', '"\\u0061-plugin"')],
    ['with an escaped slash', (text) => text.replace('"a-plugin"', '"a\\/plugin"')],
    ['with a key twice', (text) => text.replace('"id":', '"id":"b-plugin","id":')],
    [
      'with a file twice',
      (text) => text.replace('"index.js":', `"index.js":"${'0'.repeat(64)}","index.js":`),
    ],
    [
      'with keys in another order',
      (text) =>
        JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse())),
    ],
    ['with a key that reaches a prototype', (text) => `{"__proto__":{},${without(text)}`],
    [
      'with a file that reaches a prototype',
      (text) => text.replace('"index.js":', `"__proto__":"${'0'.repeat(64)}","index.js":`),
    ],
    ['with one member more', (text) => text.replace(/\}$/, ',"zz":1}')],
    ['with a number for the version', (text) => text.replace('"1.0.0"', '1.0')],
    ['with an exponent for the version', (text) => text.replace('"1.0.0"', '1e2')],
    ['with a list for a digest', (text) => text.replace(/"index.js":("[^"]+")/, '"index.js":[$1]')],
    [
      'with a digest in upper case',
      (text) =>
        text.replace(/"index.js":"[^"]+"/, (found) =>
          found.toUpperCase().replace('INDEX.JS', 'index.js'),
        ),
    ],
    ['with padding', (text) => text.replace(/"signature":"([^"]+)"/, '"signature":"$1=="')],
    [
      'in the alphabet of base64',
      (text) => text.replace(/"signature":"[^"]+"/, `"signature":"${'+'.repeat(86)}"`),
    ],
    ['of zeros', (text) => text.replace(/"signature":"[^"]+"/, `"signature":"${'A'.repeat(86)}"`)],
    ['that is empty', (text) => text.replace(/"signature":"[^"]+"/, '"signature":""')],
    ['that is null', (text) => text.replace(/"signature":"[^"]+"/, '"signature":null')],
    ['of another version', (text) => text.replace('"1.0.0"', '"1.0.1"')],
    ['of another key', (text) => text.replace(signer.publicKey, stranger.publicKey)],
    [
      'of another digest',
      (text) => text.replace(/"index.js":"[^"]+"/, `"index.js":"${sha256(Buffer.from('x'))}"`),
    ],
    ['that is a list', (text) => `[${text}]`],
    ['that is a text', (text) => JSON.stringify(text)],
    ['of half a MiB', (text) => text.replace('"a-plugin"', `"${'a'.repeat(512 * 1024)}"`)],
  ])('%s is refused', async (_, change) => {
    expect(await outcomeOf(respelled(change))).toMatch(/^SIGNATURE_INVALID: ./);
  });

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['a number as version', { version: 1 }, /^SIGNATURE_INVALID: ./],
    [
      'a digest of itself',
      { files: { 'signature.json': '0'.repeat(64) } },
      /^SIGNATURE_INVALID: ./,
    ],
    ['no files', { files: {} }, /^SIGNATURE_INVALID: .* not in signature/],
    ['a list of files', { files: [] }, /^SIGNATURE_INVALID: ./],
    ['the key of somebody else', { publisherKey: stranger.publicKey }, /^SIGNATURE_INVALID: ./],
    ['another id', { id: 'b-plugin' }, /^INVALID_MANIFEST: .* of another/],
    ['the same id with a build', { version: '1.0.0+a' }, /^INVALID_MANIFEST: .* of another/],
    ['a member more', { kind: 'vitrine.key-rotation' }, /^SIGNATURE_INVALID: ./],
  ])('over %s is refused, though the key is right', async (_, claims, fault) => {
    expect(await outcomeOf(packageOf(manifest(), { claims }))).toMatch(fault);
  });
});
