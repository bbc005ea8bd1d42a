import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';

describe('a cursor', () => {
  test('gives back what was written, for any values', () => {
    const part = fc.oneof(fc.string(), fc.integer(), fc.constant(null));

    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        expect(readCursor(writeCursor(parts), parts.length)).toEqual(parts);
      }),
    );
  });

  test('from a client is read or refused with the same error for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(readCursor(text, 1)).toHaveLength(1);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
    );
  });

  test.each([[['a', 'b']], [[{ a: 1 }]], [[true]], [{}], ['text']])('is refused as %j', (value) => {
    const text = Buffer.from(JSON.stringify(value)).toString('base64url');

    expect(() => readCursor(text, 1)).toThrow('query.cursor is not from this list');
  });
});
