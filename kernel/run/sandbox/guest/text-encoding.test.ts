import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDecoder as GuestDecoder, TextEncoder as GuestEncoder } from './text-encoding.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
/** Bytes that are nearly UTF-8, which random ones never are. */
const nearlyUtf8 = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(48), fc.nat(255))
  .map(([text, at, byte]) => {
    const encoded = new TextEncoder().encode(text);
    if (at < encoded.length) encoded[at] = byte;
    return encoded.subarray(0, encoded.length - (byte % 3 === 0 ? 1 : 0));
  });

function decode(
  Kind: typeof GuestDecoder | typeof TextDecoder,
  label: string,
  input: Uint8Array,
  fatal = false,
): string {
  try {
    return new Kind(label, { fatal }).decode(input);
  } catch (error) {
    return error instanceof TypeError ? 'TypeError' : String(error);
  }
}

describe('TextDecoder inside an isolate', () => {
  test.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])(
    'decodes %s as Node does',
    (label) => {
      fc.assert(
        fc.property(fc.oneof(bytes, nearlyUtf8), fc.boolean(), (input, fatal) => {
          expect(decode(GuestDecoder, label, input, fatal)).toBe(
            decode(TextDecoder, label, input, fatal),
          );
        }),
      );
    },
  );

  test('decodes in pieces what it decodes at once', () => {
    fc.assert(
      fc.property(
        fc.oneof(bytes, nearlyUtf8),
        fc.nat(40),
        fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
        (input, at, label) => {
          const decoder = new GuestDecoder(label);
          const text =
            decoder.decode(input.subarray(0, at), { stream: true }) +
            decoder.decode(input.subarray(at));
          expect(text).toBe(decode(GuestDecoder, label, input));
        },
      ),
    );
  });

  test('removes the byte order mark, unless told otherwise', () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
    expect(new GuestDecoder().decode(marked)).toBe('a');
    expect(new GuestDecoder('utf-8', { ignoreBOM: true }).decode(marked)).toBe('\ufeffa');
    expect(new GuestDecoder('utf-16be').decode(new Uint8Array([0xfe, 0xff, 0, 0x61]))).toBe('a');
  });

  test('knows the labels of its encodings and no other', () => {
    expect(new GuestDecoder(' Latin1 ').encoding).toBe('windows-1252');
    expect(new GuestDecoder('UTF8').encoding).toBe('utf-8');
    expect(() => new GuestDecoder('shift_jis')).toThrow(RangeError);
    expect(() => new GuestDecoder('constructor')).toThrow(RangeError);
  });
});

describe('TextEncoder inside an isolate', () => {
  test('encodes as Node does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, size) => {
        expect([...new GuestEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
        const [ours, theirs] = [new Uint8Array(size), new Uint8Array(size)];
        expect(new GuestEncoder().encodeInto(text, ours)).toEqual(
          new TextEncoder().encodeInto(text, theirs),
        );
        expect(ours).toEqual(theirs);
      }),
    );
    expect([...new GuestEncoder().encode('\ud800')]).toEqual([0xef, 0xbf, 0xbd]);
  });
});
