import { expect, test } from 'vitest';
import type { Bytes } from './byte-range.ts';
import { fetchParts, type PartReply } from './fetch-parts.ts';
import { bytesHere, withPart, type Kept, type KeptFile } from './kept.ts';

const whole = Uint8Array.from({ length: 25 }, (_, at) => at);
const file: KeptFile = {
  ...{ fileId: 'film', size: 25, type: 'video/mp4', etag: '"1"', partBytes: 10, parts: 0 },
};
const film = { key: 'me/film', files: [file], state: 'wanted' } as unknown as Kept;

const partOf = ({ first, last }: Bytes) => whole.slice(first, last + 1);
const reply = (
  { first, last }: Bytes,
  body = partOf({ first, last }),
  headers: Readonly<Record<string, string>> = {},
): PartReply =>
  new Response(body, {
    status: 206,
    headers: {
      ...{ 'content-type': 'video/mp4', etag: '"1"' },
      'content-range': `bytes ${first}-${last}/25`,
      ...headers,
    },
  });

/** Fetches with these answers, one for each request; the device keeps what it gets. */
async function fetched(
  answers: readonly ((bytes: Bytes) => PartReply | Promise<PartReply>)[],
  { from = film, room = Infinity } = {},
) {
  const asked: Bytes[] = [];
  const stored: Blob[] = [];
  let kept = from;
  const ending = await fetchParts(from, {
    ask: async (_, bytes) => {
      asked.push(bytes);
      return (answers[asked.length - 1] ?? reply)(bytes);
    },
    store: {
      savePart: async (_, fileId, part) => {
        if (stored.length >= room) throw new DOMException('Full', 'QuotaExceededError');
        stored.push(part);
        return (kept = withPart(kept, fileId));
      },
    },
    heard: () => {},
    signal: new AbortController().signal,
    silenceMs: 50,
  });
  return { ending, asked, kept, bytes: await new Blob(stored).bytes() };
}

test('all parts come in their order, and then it is ready', async () => {
  const { ending, asked, kept, bytes } = await fetched([]);
  expect(ending).toBe('ready');
  expect(asked).toEqual([
    { first: 0, last: 9 },
    { first: 10, last: 19 },
    { first: 20, last: 24 },
  ]);
  expect(bytes).toEqual(whole);
  expect([kept.state, bytesHere(kept)]).toEqual(['ready', 25]);
});

test('it goes on after the parts that are here', async () => {
  const { ending, asked } = await fetched([], { from: withPart(withPart(film, 'film'), 'film') });
  expect([ending, asked]).toEqual(['ready', [{ first: 20, last: 24 }]]);
});

test.each([
  ['fewer bytes than it says', (bytes: Bytes) => reply(bytes, whole.slice(0, 3)), 'reply'],
  ['more bytes than it says', (bytes: Bytes) => reply(bytes, whole), 'reply'],
  [
    'a page in place of the film',
    (bytes: Bytes) => reply(bytes, partOf(bytes), { 'content-type': 'text/html' }),
    'reply',
  ],
  [
    'an answer that the range is not there',
    () => new Response('{}', { status: 416, headers: { 'content-range': 'bytes */5' } }),
    'changed',
  ],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'later'],
  [
    'an answer that never ends',
    (bytes: Bytes): PartReply => ({
      ...{ status: 206, headers: reply(bytes).headers },
      body: new ReadableStream({
        start: (controller) => {
          setTimeout(() => controller.error(new DOMException('', 'AbortError')), 60);
        },
      }),
    }),
    'later',
  ],
] as const)('%s keeps what came before, and says what happened', async (_, answer, ending) => {
  const found = await fetched([reply, answer]);
  expect(found.ending).toBe(ending);
  expect(found.bytes).toEqual(whole.slice(0, 10));
  expect(found.kept).toMatchObject({ state: 'wanted', files: [{ parts: 1 }] });
});

test('a device that is full keeps what fitted', async () => {
  const { ending, kept } = await fetched([], { room: 2 });
  expect([ending, bytesHere(kept)]).toEqual(['space', 20]);
});
