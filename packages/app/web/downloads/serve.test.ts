import { describe, expect, test } from 'vitest';
import type { Opened } from './kept-store.ts';
import type { Kept } from './kept.ts';
import { answerWith, createAnswers } from './serve.ts';

const bytes = Uint8Array.from({ length: 25 }, (_, at) => at);

describe('25 bytes in parts', () => {
  const parts = new Blob([bytes.slice(0, 10), bytes.slice(10, 20), bytes.slice(20)]);

  test.each([
    [null, 200, null, 0, 24],
    ['bytes=0-', 206, 'bytes 0-24/25', 0, 24],
    ['bytes=8-21', 206, 'bytes 8-21/25', 8, 21],
    ['bytes=-3', 206, 'bytes 22-24/25', 22, 24],
  ])('Range %s is answered with %i and %s', async (range, status, said, first, last) => {
    const reply = answerWith(parts, 'video/mp4', range);
    expect([reply.status, reply.headers.get('content-range')]).toEqual([status, said]);
    expect(await reply.bytes()).toEqual(bytes.slice(first, last + 1));
    expect(reply.headers.get('content-length')).toBe(String(last - first + 1));
    expect(reply.headers.get('content-type')).toBe('video/mp4');
  });

  test('a range after the end is answered with 416 and the size', async () => {
    const reply = answerWith(parts, 'video/mp4', 'bytes=25-');
    expect([reply.status, reply.headers.get('content-range')]).toEqual([416, 'bytes */25']);
    expect(await reply.text()).toBe('');
  });
});

const file = {
  ...{ fileId: 'file', size: 25, type: 'video/mp4', etag: '"1"', partBytes: 25, parts: 1 },
};
const film = {
  ...{ key: 'child/film', userId: 'family', profileId: 'child', files: [file] },
  ...{ picture: null, texts: { 'file/s0': 'WEBVTT\n' } },
} as unknown as Kept;

function asked(
  path: string,
  {
    opened = { userId: 'family', profileId: 'child' } as Opened | null,
    kept = film,
    stored = [new Blob([bytes])],
  } = {},
): Promise<number> {
  const answers = createAnswers({
    opened: async () => opened ?? undefined,
    kept: async (key) => (key === kept.key ? kept : undefined),
    parts: async () => stored,
  });
  return answers({ path, range: null }).then(({ status }) => status);
}

describe('what is kept', () => {
  test.each(['/downloads/file/film/file', '/downloads/text/film/file/s0'])(
    'is given to the profile that keeps it: %s',
    async (path) => {
      expect(await asked(path)).toBe(200);
    },
  );

  test('is given to nobody after a sign-out, to no other profile and to no other user', async () => {
    const path = '/downloads/file/film/file';
    expect(await asked(path, { opened: null })).toBe(404);
    const parent = { userId: 'family', profileId: 'parent' } as Opened;
    expect(await asked(path, { opened: parent })).toBe(404);
    const other = { userId: 'guest', profileId: 'child' } as Opened;
    expect(await asked(path, { opened: other })).toBe(404);
  });

  test('is not given before all of it is here, nor when the browser lost a part', async () => {
    const path = '/downloads/file/film/file';
    const half = { ...film, files: [{ ...file, partBytes: 20 }] };
    expect(await asked(path, { kept: half })).toBe(404);
    expect(await asked(path, { stored: [new Blob([bytes.slice(0, 5)])] })).toBe(404);
  });

  test('is never a page, however it came here', async () => {
    const page = { ...film, files: [{ ...file, type: 'text/html' }] };
    expect(await asked('/downloads/file/film/file', { kept: page })).toBe(404);
    const drawn = { ...film, picture: new Blob(['<svg/>'], { type: 'image/svg+xml' }) };
    expect(await asked('/downloads/picture/film', { kept: drawn })).toBe(404);
  });

  test.each(['/downloads/file/film', '/downloads/file/other/file', '/downloads/x/film/file'])(
    'has no other address: %s',
    async (path) => {
      expect(await asked(path)).toBe(404);
    },
  );
});
