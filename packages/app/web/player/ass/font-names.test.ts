import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fontNames } from './font-names.ts';

/** A font with nothing but names and a style: first the style, then the names. */
function fontOf(names: readonly (readonly [kind: number, name: string])[]): ArrayBuffer {
  const [style, table] = [44, 140];
  const texts = table + 6 + names.length * 12;
  const bytes = new ArrayBuffer(texts + names.reduce((sum, [, { length }]) => sum + length * 2, 0));
  const view = new DataView(bytes);
  view.setUint32(0, 0x00010000);
  view.setUint16(4, 2);
  view.setUint32(12, 0x6e616d65);
  view.setUint32(20, table);
  view.setUint32(28, 0x4f532f32);
  view.setUint32(36, style);
  view.setUint16(style + 4, 700);
  view.setUint16(style + 62, 1);
  view.setUint16(table + 2, names.length);
  view.setUint16(table + 4, texts - table);
  let at = texts;
  for (const [index, [kind, name]] of names.entries()) {
    const record = [3, 1, 0x409, kind, name.length * 2, at - texts];
    for (const [place, value] of record.entries())
      view.setUint16(table + 6 + index * 12 + place * 2, value);
    for (const letter of name) {
      view.setUint16(at, letter.codePointAt(0) ?? 0);
      at += 2;
    }
  }
  return bytes;
}

test('a font says its families, its own names, its weight and its slope', () => {
  const bytes = fontOf([
    [1, 'Film Sans'],
    [4, 'Film Sans Bold Italic'],
    [6, 'FilmSans-BoldItalic'],
  ]);
  expect(fontNames(bytes)).toEqual({
    family: ['film sans'],
    own: ['film sans bold italic', 'filmsans-bolditalic'],
    weight: 700,
    isItalic: true,
  });
});

test('bytes that are not a font, or end too early, have no names', () => {
  const font = new Uint8Array(fontOf([[1, 'Film Sans']]));
  expect(fontNames(new ArrayBuffer(0))).toBe(null);
  expect(fontNames(new TextEncoder().encode('wOF2 and more').buffer)).toBe(null);
  for (let length = 0; length < font.length; length += 7)
    expect(() => fontNames(font.slice(0, length).buffer)).not.toThrow();
  fc.assert(
    fc.property(fc.nat(font.length - 1), fc.nat(255), (at, value) => {
      const changed = font.slice();
      changed[at] = value;
      expect(() => fontNames(changed.buffer)).not.toThrow();
    }),
  );
});
