import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../../test/support/run/nightly.ts';
import {
  createPackage,
  createPublisher,
  filesOfTexts,
  manifestOf,
} from '../../../test/support/plugins/packages.ts';
import { temporaryFolder } from '../../../test/support/storage/storage.ts';
import { createManifestReader } from '../manifest/manifest.ts';
import { signed, type Signer } from './signature.ts';
import { filesOf, makeArchive, openArchive, packed } from './plugin-archive.ts';
import { writeTar } from './tar.ts';

const reader = createManifestReader();
const signer = createPublisher();
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const sound = () => createPackage({ id: 'a-plugin' }, { signer, files: { 'README.md': 'Hello.' } });

/** Stores without compression, in one block, which takes no time. */
function deflated(content: Uint8Array): Buffer {
  if (content.length > 0xffff) return deflateRawSync(content, { level: 1 });
  const head = Buffer.from([1, 0, 0, 0, 0]);
  head.writeUInt16LE(content.length, 1);
  head.writeUInt16LE(content.length ^ 0xffff, 3);
  return Buffer.concat([head, content]);
}

/** The envelope as the page on packages describes it, by another compressor. */
function seal(content: Uint8Array): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(content), 0);
  trailer.writeUInt32LE(content.length, 4);
  const body = Buffer.concat([deflated(content), trailer]);
  const head = Buffer.from('1f8b08040000000002ff240056502000', 'hex');
  return Buffer.concat([head, Buffer.from(sha256(body), 'hex'), body]);
}

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  const opened = await openArchive(bytes, { reader });
  return opened.ok ? 'taken' : `${opened.code}: ${opened.message}`;
}

/** A copy with one bit flipped. */
function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = bit >> 3;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe('a package', () => {
  test('is the same bytes for the same files in any order', () => {
    const texts = { 'manifest.json': '{}', 'index.js': 'x', 'assets/a.svg': '<svg/>' };
    const there = filesOfTexts(texts);
    const back = new Map([...there].reverse());

    expect(sha256(packed(there))).toBe(sha256(packed(back)));
    expect(sha256(sound())).toBe(sha256(sound()));
    // The very bytes, since they must not depend on the machine or the day either.
    expect(sha256(packed(there))).toBe(
      'b8a7752fb4a3fa8740456a5df0f45bf514fd38c30380b3f47b3eef6520916336',
    );
  });

  test('opens to what was packed, with its publisher', async () => {
    const bytes = sound();

    const opened = await openArchive(bytes, { reader, sha256: sha256(bytes) });

    expect(opened).toMatchObject({
      ok: true,
      archive: { manifest: { id: 'a-plugin' }, publisherKey: signer.publicKey },
    });
    if (!opened.ok) return;
    expect(opened.archive).toMatchObject({ sha256: sha256(bytes), sizeBytes: bytes.length });
    expect([...opened.archive.files.keys()]).toEqual([
      'README.md',
      'index.js',
      'manifest.json',
      'signature.json',
    ]);
    expect(Buffer.from(opened.archive.files.get('README.md') ?? []).toString()).toBe('Hello.');
  });

  test('is an archive that tar and gzip of any system read', () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.vplugin');
    writeFileSync(file, sound());

    const listed = execFileSync('tar', ['tzf', file], { encoding: 'utf8' });

    expect(listed.split('\n').filter(Boolean)).toHaveLength(4);
    expect(gunzipSync(sound()).length % 512).toBe(0);
  });

  test('keeps any files whose paths are portable', async () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_@][A-Za-z0-9_@+-]{0,30}x$/);
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    const content = fc.uint8Array({ maxLength: 2000 });

    await fc.assert(
      fc.asyncProperty(fc.dictionary(paths, content, { maxKeys: 1 }), async (dictionary) => {
        const files = new Map(Object.entries(dictionary));

        const read = await filesOf(packed(files));

        expect(read.ok && [...read.files].map(([at, bytes]) => [at, [...bytes]])).toEqual(
          [...files].map(([at, bytes]) => [at, [...bytes]]),
        );
      }),
      { numRuns: rounds(40, 200) },
    );
  });
});

/** By night every one. A step that is odd meets each bit of a byte. */
describe('every flipped bit', () => {
  test('in the package makes it refused', async () => {
    const bytes = sound();
    const taken: number[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit += rounds(21, 1)) {
      if ((await outcomeOf(flipped(bytes, bit))) === 'taken') taken.push(bit);
    }

    expect(bytes.length).toBeGreaterThan(500);
    expect(taken).toEqual([]);
  });

  // Most of an archive is padding.
  test('in the archive inside makes it refused, though its envelope is made again', async () => {
    const tar = gunzipSync(sound());
    const taken: number[] = [];
    for (let bit = 0; bit < tar.length * 8; bit += rounds(63, 3)) {
      if ((await outcomeOf(seal(flipped(tar, bit)))) === 'taken') taken.push(bit);
    }

    expect(taken).toEqual([]);
  }, 120_000);

  test('in a signed file makes it refused, though the archive is made again', async () => {
    const read = await filesOf(sound());
    if (!read.ok) throw new Error(read.fault);
    const outcomes = new Set<string>();
    for (const [name, content] of read.files) {
      for (let bit = 0; bit < content.length * 8; bit += rounds(21, 1)) {
        const files = new Map([...read.files, [name, flipped(content, bit)]]);
        outcomes.add((await outcomeOf(seal(writeTar(files)))).split(':')[0] ?? '');
      }
    }

    expect([...outcomes]).toEqual(['SIGNATURE_INVALID']);
  }, 120_000);
});

describe('the checks of a package', () => {
  const files = (more: Readonly<Record<string, string>> = {}) =>
    filesOfTexts({
      'manifest.json': JSON.stringify(manifestOf({ id: 'a-plugin' })),
      'index.js': 'export default {};',
      ...more,
    });
  const claimsFor = (by: Signer, more: object = {}) => {
    const digests = [...files()].map(([name, content]) => [name, sha256(content)] as const);
    const claims = {
      id: 'a-plugin',
      version: '1.0.0',
      publisherKey: by.publicKey,
      files: Object.fromEntries(digests),
      ...more,
    };
    return signed(claims, by);
  };
  const withSignature = (text: string) => packed(new Map([...files({ 'signature.json': text })]));

  test('begin with the expected SHA-256', async () => {
    const opened = await openArchive(sound(), { reader, sha256: 'ab'.repeat(32) });

    expect(opened).toMatchObject({ ok: false, code: 'SHA256_MISMATCH' });
  });

  test('refuse an unsigned package, a signature in another form, and one by another key', async () => {
    const claims = claimsFor(signer);
    const { id, ...rest } = claims;
    const stranger = createPublisher();

    expect(await outcomeOf(packed(files()))).toMatch(/^SIGNATURE_INVALID: .* is not signed/);
    for (const text of [
      JSON.stringify(claims),
      JSON.stringify({ ...rest, id }, null, 2),
      '{}',
      '[]',
      'null',
      '{',
      JSON.stringify({ ...claims, more: 1 }),
    ]) {
      expect(await outcomeOf(withSignature(text))).toMatch(/^SIGNATURE_INVALID: .*canonical/);
    }
    const swapped = claimsFor(signer, { publisherKey: stranger.publicKey });
    const sorted = Object.fromEntries(Object.entries(swapped).sort());
    expect(await outcomeOf(withSignature(canonical(sorted)))).toMatch(/^SIGNATURE_INVALID: .*key/);
  });

  test.each([
    ['of a key of small order', `01${'00'.repeat(31)}`],
    ['of a key that is not a point', 'ff'.repeat(32)],
    ['of a key in upper case', 'AB'.repeat(32)],
  ])('refuse a signature %s', async (_, publisherKey) => {
    const text = canonical(claimsFor(signer, { publisherKey }));

    expect(await outcomeOf(withSignature(text))).toMatch(/^SIGNATURE_INVALID/);
  });

  test('refuse a file that is not signed for, is missing, or is another', async () => {
    const good = canonical(claimsFor(signer));
    const more = packed(files({ 'signature.json': good, 'more.js': 'x' }));
    const other = packed(files({ 'signature.json': good, 'index.js': 'export default 1;' }));
    const less = new Map(files({ 'signature.json': good }));
    less.delete('index.js');

    expect(await outcomeOf(withSignature(good))).toBe('taken');
    expect(await outcomeOf(more)).toBe('SIGNATURE_INVALID: more.js is not in signature.json.');
    expect(await outcomeOf(other)).toMatch(/index.js is not the file that was signed/);
    expect(await outcomeOf(packed(less))).toMatch(/index.js is in signature.json but is missing/);
  });

  test('check the key of the plugin before the manifest is parsed', async () => {
    const bytes = makeArchive(filesOfTexts({ 'manifest.json': '{' }), {
      manifest: { id: 'a-plugin', version: '1.0.0' } as never,
      signer,
    });

    const refused = await openArchive(bytes, { reader, keyFault: (id) => `${id} is another's.` });

    expect(refused).toMatchObject({ code: 'PUBLISHER_CHANGED', message: "a-plugin is another's." });
    expect(await outcomeOf(bytes)).toMatch(/^INVALID_MANIFEST: The manifest is not JSON/);
  });

  test('refuse a manifest that is another than the signed one, or names no file', async () => {
    const make = (manifest: object, more: object = {}) =>
      makeArchive(filesOfTexts({ 'manifest.json': JSON.stringify(manifest), ...more }), {
        manifest: { id: 'a-plugin', version: '1.0.0' } as never,
        signer,
      });
    const source = { 'index.js': 'x' };

    const other = await outcomeOf(make(manifestOf({ id: 'other' }), source));
    const later = await outcomeOf(make(manifestOf({ id: 'a-plugin', version: '1.0.1' }), source));
    const empty = await outcomeOf(make(manifestOf({ id: 'a-plugin' })));
    const wrong = await outcomeOf(make(manifestOf({ id: 'a-plugin', colour: 1 }), source));

    expect(other).toMatch(/^INVALID_MANIFEST: .* of other 1.0.0/);
    expect(later).toMatch(/^INVALID_MANIFEST: .* of a-plugin 1.0.1/);
    expect(empty).toBe('INVALID_MANIFEST: main: index.js is not in the package.');
    expect(wrong).toMatch(/^INVALID_MANIFEST: .*colour/);
  });
});

describe('an archive that is unsafe', () => {
  const one = (name: string) => writeTar(new Map([[name, Buffer.from('x')]]));

  test.each([
    '../evil.js',
    'a/../../evil.js',
    '/etc/passwd',
    'a//b',
    './a',
    'a/.',
    'a/',
    '.hidden',
    'C:/x',
    'a\\b',
    'con',
    'a/NUL.txt',
    'com1.js',
    'LPT9',
    'trailing.',
    'trailing ',
    'é.txt',
    'a\nb',
    'a\tb',
    '__proto__',
    'a'.repeat(101),
    `${'a/'.repeat(16)}b`,
    `${'aaaaaaaaa/'.repeat(15)}b`,
  ])('with the path %j is refused, and cannot be packed', async (name) => {
    expect(await outcomeOf(seal(one(name)))).toMatch(/^INVALID_PACKAGE/);
    expect(() => packed(new Map([[name, Buffer.from('x')]]))).toThrow(RangeError);
  });

  test.each([
    [['a.js', 'A.js']],
    [['lib/a.js', 'LIB/b.js']],
    [['lib', 'lib/a.js']],
    [['Lib', 'lib/a.js']],
  ])('with the paths %j is refused: they are one on some systems', async (names) => {
    const files = new Map(names.map((name) => [name, Buffer.from('x')]));

    expect(await outcomeOf(seal(writeTar(files)))).toMatch(
      /^INVALID_PACKAGE: .* twice, or spelled/,
    );
    expect(() => packed(files)).toThrow(/twice, or spelled/);
  });

  /** One entry of any kind, with a valid checksum. */
  function entry(fields: {
    readonly name: string;
    readonly type?: string;
    readonly link?: string;
    readonly mode?: string;
    readonly content?: string;
  }): Buffer {
    const content = Buffer.from(fields.content ?? '');
    const head = Buffer.from(one('x').subarray(0, 512));
    head.fill(0, 0, 100).write(fields.name, 0);
    head.write(content.length.toString(8).padStart(11, '0'), 124);
    head.write(fields.type ?? '0', 156);
    head.write(fields.link ?? '', 157);
    if (fields.mode !== undefined) head.write(fields.mode, 100);
    head.write('        ', 148);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([head, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  }
  const archive = (...entries: readonly Uint8Array[]) =>
    seal(Buffer.concat([...entries, Buffer.alloc(1024)]));

  test.each([
    ['a hard link', entry({ name: 'a', type: '1', link: '/etc/passwd' })],
    ['a symbolic link', entry({ name: 'a', type: '2', link: '../../x' })],
    ['a character device', entry({ name: 'a', type: '3' })],
    ['a block device', entry({ name: 'a', type: '4' })],
    ['a folder', entry({ name: 'a', type: '5' })],
    ['a pipe', entry({ name: 'a', type: '6' })],
    ['a pax header that renames', entry({ name: 'p', type: 'x', content: '16 path=../evil\n' })],
    ['a global pax header', entry({ name: 'p', type: 'g', content: '12 size=99999\n' })],
    ['a GNU long name', entry({ name: '././@LongLink', type: 'L', content: '../../evil' })],
    ['a GNU long link', entry({ name: 'l', type: 'K', content: '/etc/passwd' })],
    ['a sparse file', entry({ name: 'a', type: 'S' })],
    ['an executable', entry({ name: 'a', mode: '0000755' })],
    ['a setuid bit', entry({ name: 'a', mode: '0004755' })],
    ['the old kind of a file', entry({ name: 'a', type: '\0' })],
  ])('with %s is refused', async (_, bytes) => {
    expect(await outcomeOf(archive(bytes))).toMatch(/^INVALID_PACKAGE/);
  });

  test('with an entry twice, or out of order, is refused', async () => {
    const [a, b] = [entry({ name: 'a', content: '1' }), entry({ name: 'b', content: '2' })];

    expect(await outcomeOf(archive(a, a))).toMatch(/another order, or one of them twice/);
    expect(await outcomeOf(archive(b, a))).toMatch(/another order, or one of them twice/);
  });

  test('with anything behind its end is refused, at every level', async () => {
    const tar = gunzipSync(sound());
    const bytes = sound();
    const behind = Buffer.concat([bytes, Buffer.from('x')]);
    const second = Buffer.concat([bytes, gzipSync('second')]);

    expect(await outcomeOf(behind)).toMatch(/^INVALID_PACKAGE/);
    expect(await outcomeOf(second)).toMatch(/^INVALID_PACKAGE/);
    expect(await outcomeOf(seal(Buffer.concat([tar, Buffer.alloc(512)])))).toMatch(/does not end/);
    expect(await outcomeOf(seal(Buffer.concat([tar, Buffer.from('x')])))).toMatch(/does not end/);
    expect(await outcomeOf(seal(tar.subarray(0, -512)))).toMatch(/^INVALID_PACKAGE/);
  });

  test('that is a gzip of another program, cut off, or empty is refused', async () => {
    const bytes = sound();

    expect(await outcomeOf(gzipSync(gunzipSync(bytes)))).toMatch(/does not begin as a package/);
    for (const length of [0, 1, 10, 45, 54, 100, bytes.length - 1])
      expect(await outcomeOf(bytes.subarray(0, length))).toMatch(/^INVALID_PACKAGE/);
  });

  test('that would fill the memory is refused before it does', async () => {
    const bomb = seal(new Uint8Array(60 * 1024 * 1024));
    const before = process.memoryUsage().arrayBuffers;

    const outcome = await outcomeOf(bomb);

    expect(bomb.length).toBeLessThan(300_000);
    expect(outcome).toMatch(/is larger than \d+ bytes unpacked/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(120 * 1024 * 1024);
  });

  test('of more than 10 MiB, or of more than 1000 files, is refused', async () => {
    const many = new Map(
      Array.from({ length: 1001 }, (_, index) => [`f${index}`, new Uint8Array()] as const),
    );

    expect(await outcomeOf(new Uint8Array(10 * 1024 * 1024 + 1))).toMatch(
      /is larger than 10485760/,
    );
    expect(await outcomeOf(seal(writeTar(many)))).toMatch(/more than 1000 files/);
    expect(() => packed(many)).toThrow(/more than 1000 files/);
  });

  test('never makes the reader throw, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (bytes) => {
        expect(await outcomeOf(bytes)).toMatch(/^INVALID_PACKAGE/);
        expect(await outcomeOf(seal(bytes))).toMatch(/^(INVALID_PACKAGE|SIGNATURE_INVALID)/);
      }),
      { numRuns: rounds(40, 300) },
    );
  });
});

const canonical = (value: object): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
