import { describe, expect, test } from 'vitest';
import { AppError } from '../../platform/errors.ts';
import type { ConversionWork, PlayedFile } from '../transcoding/index.ts';
import { begunWork, readBegunWork } from './begun-work.ts';
import { describeWork } from './described-work.ts';

const file: PlayedFile = {
  ...{ id: 'film', uri: 'file:///films/film.avi', roots: ['file:///films'], extension: 'avi' },
  ...{ size: 7, modifiedAt: 1_800_000_000_000, contentKey: 'print', container: 'avi' },
  ...{ duration: 4000, bitrate: null },
  streams: [{ index: 0, kind: 'video', codec: 'mpeg4', isDefault: true, isForced: false }],
};
const video = { codec: 'h264', height: 144, kbps: 150, toneMap: false } as const;
const work: ConversionWork = {
  ...{ file, stream: 0, timescale: 1000, startTime: 0, sessionId: 'session-1' },
  recipe: { kind: 'video', video: { ...video, deinterlace: false, burn: null } },
  cuts: Array.from({ length: 1000 }, (_, n) => n * 4000),
  duration: 4_000_000,
};
const find = async (): Promise<PlayedFile> => file;
const told = (more: object = {}): Buffer => {
  const message = JSON.parse(String(begunWork({ work, n: 500, isInit: false }))) as object;
  return Buffer.from(JSON.stringify({ ...message, ...more }));
};

describe('what a server tells another one to convert', () => {
  test.each([0, 500, 998, 999])('names the same segment, and those after it: %i', async (n) => {
    const begun = await readBegunWork(begunWork({ work, n, isInit: false }), find);
    const [here, there] = [describeWork(work), begun && describeWork(begun.work)];
    const following = Math.min(99, 999 - n);

    expect(there?.key).toBe(here.key);
    expect(there?.partKey(begun?.n ?? 0)).toBe(here.partKey(n));
    expect(there?.partKey((begun?.n ?? 0) + following)).toBe(here.partKey(n + following));
    expect(begunWork({ work, n, isInit: false }).length).toBeLessThan(4096);
  });

  test('is read with the file of the database', async () => {
    const plain = JSON.stringify([file.uri, file.size, file.modifiedAt]);
    const begun = await readBegunWork(told({ contentKey: plain }), find);

    expect(begun?.work.file).toEqual({ ...file, contentKey: plain });
    expect((await readBegunWork(told({ uri: 'file:///etc/shadow' }), find))?.work.file).toEqual(
      file,
    );
  });

  test.each<[string, object]>([
    ['another size', { size: 8 }],
    ['another moment', { modifiedAt: 1 }],
    ['another content', { contentKey: 'another' }],
    ['a recipe of another codec', { recipe: { video: { ...video, codec: 'raw' } } }],
    ['an option in a recipe', { recipe: { video: { ...video, filter: 'movie=/etc/shadow' } } }],
    ['two recipes', { recipe: { video, audio: { codec: 'aac', channels: 2 } } }],
    ['no recipe', { recipe: {} }],
    ['cuts that fall', { cuts: [0, 5, 3] }],
    ['cuts after the end', { cuts: [0, 5, 9], duration: 9 }],
    ['no cuts', { cuts: [], n: 0 }],
    ['too many cuts', { cuts: Array.from({ length: 5000 }, (_, n) => n) }],
    ['a segment that is not one of them', { n: 103 }],
    ['a negative segment', { n: -1 }],
    ['a timescale of nothing', { timescale: 0 }],
    ['a session of another kind', { sessionId: 7 }],
  ])('is refused with %s', async (_, more) => {
    expect(await readBegunWork(told(more), find)).toBeNull();
  });

  test.each(['', '[]', 'null', '{', '{"fileId":"film"}'])('is refused as %j', async (text) => {
    expect(await readBegunWork(Buffer.from(text), find)).toBeNull();
  });

  test('is refused for a file that is gone', async () => {
    const gone = async () => {
      throw new AppError('not_found', { what: 'File film' });
    };

    expect(await readBegunWork(told(), gone)).toBeNull();
  });
});
