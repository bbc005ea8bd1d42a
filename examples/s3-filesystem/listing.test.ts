import { describe, expect, test } from 'vitest';
import { errorCodeOf, parseListing } from './src/listing.ts';

const listed = (inner: string): string =>
  `<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</ListBucketResult>`;
const contents = (fields: Readonly<Record<string, string>>): string => {
  const all = { Key: 'a.mkv', Size: '5', LastModified: '2026-01-02T03:04:05.000Z', ...fields };
  const inner = Object.entries(all).map(([name, text]) => `<${name}>${text}</${name}>`);
  return `<Contents>${inner.join('')}</Contents>`;
};
const keysOf = (inner: string, prefix = ''): readonly string[] =>
  parseListing(listed(inner), prefix).files.map(({ key }) => key);

describe('a listing', () => {
  test('gives objects, folders and the next page', () => {
    const xml = listed(
      contents({ StorageClass: 'GLACIER' }) +
        '<CommonPrefixes><Prefix>b/</Prefix></CommonPrefixes>' +
        '<IsTruncated>true</IsTruncated><NextContinuationToken>t&amp;1</NextContinuationToken>',
    );

    expect(parseListing(xml, '')).toEqual({
      files: [
        { key: 'a.mkv', size: 5, modifiedAt: Date.UTC(2026, 0, 2, 3, 4, 5), isArchived: true },
      ],
      folders: ['b/'],
      next: 't&1',
    });
  });

  test('decodes keys as they are spelled: as XML, or as URLs if it says so', () => {
    expect(keysOf(contents({ Key: 'a &amp; b&#x2e;mkv %20+' }))).toEqual(['a & b.mkv %20+']);
    expect(
      keysOf(`<EncodingType>url</EncodingType>${contents({ Key: '%C3%84+1%2B2/%0A.mkv' })}`),
    ).toEqual(['Ä 1+2/\n.mkv']);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['a key that was not asked for', { Key: 'other/a.mkv' }],
    ['an empty key', { Key: '' }],
    ['a key without end', { Key: `films/${'a'.repeat(1025)}` }],
    ['a size that is none', { Key: 'films/a', Size: '-1' }],
    ['a size beyond all numbers', { Key: 'films/a', Size: '99999999999999999999' }],
    ['a size in words', { Key: 'films/a', Size: 'large' }],
    ['a time that is none', { Key: 'films/a', LastModified: 'yesterday' }],
  ])('leaves out %s', (_, fields) => {
    expect(keysOf(contents(fields) + contents({ Key: 'films/b' }), 'films/')).toEqual(['films/b']);
  });

  test('leaves out a key that is not a URL, and an invalid or foreign folder', () => {
    const folder = (prefix: string) =>
      `<CommonPrefixes><Prefix>${prefix}</Prefix></CommonPrefixes>`;

    expect(keysOf(`<EncodingType>url</EncodingType>${contents({ Key: '%FF' })}`)).toEqual([]);
    expect(
      parseListing(listed(['films/', 'films/a', 'x/', 'films/b/'].map(folder).join('')), 'films/')
        .folders,
    ).toEqual(['films/b/']);
  });

  test.each([
    ['a text that is not a listing', '<html>Sign in</html>'],
    ['nothing', ''],
    ['one with entities of its own', `<!DOCTYPE a [<!ENTITY b "c">]>${listed('')}`],
    ['one that goes on nowhere', listed('<IsTruncated>true</IsTruncated>')],
  ])('is refused for %s', (_, xml) => {
    expect(() => parseListing(xml, '')).toThrow(/storage/);
  });

  test('ends for input that is cut off or left open', () => {
    const whole = listed(contents({}) + contents({ Key: 'b.mkv' }));

    for (let length = whole.indexOf('<Contents'); length < whole.length; length += 1)
      expect(parseListing(whole.slice(0, length), '').files.length).toBeLessThanOrEqual(2);
    expect(keysOf('<Contents>'.repeat(20_000))).toEqual([]);
  });
});

test('takes only one plain word of an error', () => {
  const said = (code: string) => errorCodeOf(`<Error><Code>${code}</Code></Error>`);

  expect(said('AccessDenied')).toBe('AccessDenied');
  expect([said('<b>'), said('a'.repeat(61)), said('a b'), errorCodeOf('<Code>A</Code>')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});
