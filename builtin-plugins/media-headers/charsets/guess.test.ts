import { describe, expect, test } from 'vitest';
import { charsetSamples } from '../../../test/support/media/charset-samples.ts';
import { encodeText } from '../../../test/support/media/encode-text.ts';
import { decodeText, decodeTogether } from './decode-text.ts';
import { charsetNamed, decodeAs } from './decoders.ts';

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

describe('a text without a word about its encoding', () => {
  test.each(charsetSamples)('in %s and the language %s is read', (_, _language, text, base64) => {
    expect(decodeText(bytesOf(base64), null)).toBe(text);
  });

  test.each(charsetSamples)('in %s is read with the language %s', (_, language, text, base64) => {
    expect(decodeText(bytesOf(base64), language)).toBe(text);
  });

  test.each(charsetSamples)(
    'in %s has a name that documents use',
    (name, _language, text, base64) => {
      const charset = charsetNamed(name);

      expect(charset && decodeAs(bytesOf(base64), charset).text).toBe(text);
    },
  );
});

/** Title, artist and album of a file, in bytes of one encoding. */
const tagsIn = (charset: string, ...texts: readonly string[]): readonly Uint8Array[] =>
  texts.map((text) => new Uint8Array(encodeText(text, charset)));

describe('the tags of a file', () => {
  test.each([
    ['windows-1252', 'Jóga', 'Björk', 'Homogenic'],
    ['windows-1252', 'Hoppípolla', 'Sigur Rós', 'Takk…'],
    ['windows-1252', 'Beyoncé'],
    ['windows-1252', 'Ænima'],
    ['windows-1252', 'Für Elise', 'Motörhead', 'Mötley Crüe'],
    ['windows-1252', '99 Luftballons – Über den Wölken', 'Blümchen'],
    ['windows-1252', 'Déjà Vu', 'Céline Dion', 'D’eux'],
    ['windows-1252', 'La Niña', 'Los Años', '¿Dónde está?'],
    ['windows-1252', 'São Paulo', 'João Gilberto', 'Coração'],
    ['windows-1252', 'Smørrebrød', 'Mø', 'Nø'],
    ['windows-1252', 'È così', 'Mina', 'Perché'],
    ['windows-1252', '¡Uno!', '÷', '½ Full'],
    ['windows-1252', 'Naïve', 'The Kooks'],
    ['windows-1252', 'El Niño'],
    ['windows-1252', 'Ágætis byrjun', 'Sigur Rós'],
    ['windows-1251', 'Звезда по имени Солнце', 'Кино', 'Группа крови'],
    ['windows-1251', 'Стая', 'Океан Ельзи'],
    ['windows-1251', 'Земля дорогая', 'Первая серия'],
    ['koi8-r', 'Звезда по имени Солнце', 'Кино'],
    ['ibm866', 'Звезда по имени Солнце', 'Кино'],
    ['shift_jis', 'さくら', '椎名林檎', '無罪モラトリアム'],
    ['shift_jis', 'ありがとう'],
    ['euc-kr', '사랑을 했다', '아이유'],
    ['gb18030', '我的天空', '你是我的'],
    ['big5', '我們的愛', '這個世界'],
    ['windows-1250', 'Miłość w czasach', 'Myslovitz', 'Szczęście'],
    ['windows-1253', 'Το τρένο φεύγει στις οκτώ', 'Μίκης'],
    ['windows-1255', 'ירושלים של זהב', 'נעמי שמר'],
    ['windows-1254', 'Işıklar', 'Sezen Aksu', 'Gülümse'],
  ])('in %s are read together: %s', (charset, ...texts) => {
    const tags = tagsIn(charset, ...texts);
    const decode = decodeTogether(tags);

    expect(tags.map(decode)).toEqual(texts);
  });

  test('in UTF-8 stay what they are beside others', () => {
    const tags = [...tagsIn('windows-1251', 'Группа крови'), new TextEncoder().encode('Кино é')];

    expect(tags.map(decodeTogether(tags))).toEqual(['Группа крови', 'Кино é']);
    expect(decodeTogether([])(new TextEncoder().encode('A'))).toBe('A');
  });
});
