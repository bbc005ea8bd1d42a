import { expect, test } from 'vitest';
import { parsePiece, parsePieces } from './piece.ts';

const base = { pluginId: 'greeter', id: 'one', slot: 'detail-sections', title: 'Facts' };
const metadata = (field: object): object => ({
  ...{ ...base, type: 'metadata', layout: 'list' },
  fields: [field],
});
const factOf = (field: object): unknown => {
  const piece = parsePiece(metadata(field));
  return piece?.type === 'metadata' ? piece.facts[0] : undefined;
};

test('pictures are only assets of this server', () => {
  expect(factOf({ key: 'a', image: '/api/assets/x1-2' })).toMatchObject({ picture: 'x1-2' });
  for (const image of [
    'https://example.org/a.png',
    '//example.org/a.png',
    '/api/assets/../users',
    '/api/assets/a?width=1',
    'data:image/png;base64,AA',
    7,
  ])
    expect(factOf({ key: 'a', image })).toMatchObject({ picture: undefined });
});

test('links are only https, and pages only those of the app', () => {
  expect(factOf({ key: 'a', value: 'https://example.org/b' })).toMatchObject({
    link: { host: 'example.org' },
  });
  for (const value of ['javascript:alert(1)', 'http://example.org', '//example.org', 'https://'])
    expect(factOf({ key: 'a', value })).toMatchObject({ link: undefined });
  expect(factOf({ key: 'a', itemId: 'i-1' })).toMatchObject({ page: '/items/i-1' });
  expect(factOf({ key: 'a', itemId: '../admin' })).toMatchObject({ page: undefined });
});

test('texts, fields and pieces have limits', () => {
  const long = parsePiece({ ...base, title: 'x'.repeat(1_000_000), type: 'form', fields: [] });
  expect(long?.title).toHaveLength(2001);
  const many = Array.from({ length: 1000 }, (_, at) => ({ key: `k${at}` }));
  expect(parsePiece({ ...metadata({}), fields: many })).toMatchObject({
    facts: { length: 200 },
  });
  const pieces = Array.from({ length: 1000 }, (_, at) => ({ ...metadata({}), id: `p${at}` }));
  expect(parsePieces(pieces, ['detail-sections'])).toHaveLength(20);
  expect(parsePieces(pieces, ['settings-panes'])).toEqual([]);
});

test('a plugin that gives a thousand pieces takes no place of another', () => {
  const bad = Array.from({ length: 1000 }, (_, at) => ({ ...metadata({}), id: `p${at}` }));
  const good = ['a', 'b'].map((id) => ({ ...metadata({}), id, pluginId: 'good' }));
  const shown = parsePieces([...bad, ...good], ['detail-sections']);
  expect(shown).toHaveLength(20);
  expect(shown.slice(-3).map(({ id }) => id)).toEqual(['p17', 'a', 'b']);
});

test('what is not of a known form is left out', () => {
  for (const given of [null, 'x', [], {}, { ...base, type: 'html' }, { ...base, type: 'action' }])
    expect(parsePiece(given)).toBeUndefined();
  const action = { ...base, type: 'action', rpcMethod: 'go', icon: 'constructor' };
  expect(parsePiece(action)).toMatchObject({ icon: undefined });
  const secret = { key: 'p', label: 'Password', input: 'secret' };
  expect(parsePiece({ ...base, type: 'form', fields: [secret] })).toMatchObject({ fields: [] });
});
