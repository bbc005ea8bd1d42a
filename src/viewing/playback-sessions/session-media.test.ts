import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import {
  browser,
  byteConverter,
  film,
  index,
  openSessions,
  somebody,
  types,
} from '../../../test/support/playback/played.ts';
import { faultsOfMedia, segmentsOf } from '../../../test/support/media/hls-rules.ts';
import type { TranscodeIndex } from '../../../plugin-api/index.ts';
import { AppError } from '../../platform/errors.ts';
import { checkPlan, type CheckedPlan, type ConversionWork } from '../transcoding/index.ts';
import { createSessionMedia, type SessionMediaParts } from './session-media.ts';
import type { PlayableFile } from './playable-file.ts';

const ada = somebody('ada');
const bob = somebody('bob');
const request = { isHead: false };
const asked = { viewer: ada, request };

/** Sessions over a film on a disk, whose open files are counted. */
function open(file: PlayableFile = film, indexes: readonly TranscodeIndex[] = [index]) {
  const works: ConversionWork[] = [];
  const maker = byteConverter();
  const conversions: typeof maker = {
    ...maker,
    segment: async (work, n) => {
      works.push(work);
      return maker.segment(work, n);
    },
  };
  const sessions = openSessions(conversions, undefined, file);
  const disk = { size: file.size, modifiedAt: file.modifiedAt, isAway: false, openFiles: 0 };
  const texts: object[] = [];
  const plan = checkPlan({ kind: 'planned', head: '', pieces: [[0, 10]] }, 1000) as CheckedPlan;
  let step = 0;
  const parts: SessionMediaParts = {
    sessions,
    trickplay: { find: async () => null, sheet: async () => null },
    files: {
      content: async (id, { profileId }) => {
        if (sessions.blind.has(profileId)) throw new AppError('not_found', { what: `File ${id}` });
        return { ...file, filename: 'film.mp4', mimeType: 'video/mp4' };
      },
    },
    filesystems: {
      within: () =>
        ({
          open: async () => {
            if (disk.isAway) throw new AppError('not_found', { what: 'The file' });
            let isOpen = true;
            disk.openFiles += 1;
            return {
              ...disk,
              read: async (_: number, length: number) => Buffer.alloc(length),
              close: async () => {
                if (isOpen) disk.openFiles -= 1;
                isOpen = false;
              },
            };
          },
        }) as never,
    },
    streams: { open: async () => ({ status: 200, headers: {}, body: null }) },
    texts: {
      open: async (wanted) => {
        texts.push(wanted);
        return { status: 200, headers: {}, body: Buffer.from('WEBVTT\n') };
      },
      openFont: async () => ({ status: 200, headers: {}, body: null }),
      openPictures: async () => ({ status: 200, headers: {}, body: null }),
    },
    plans: {
      index: async () => indexes[Math.min((step += 1), indexes.length - 1)] ?? index,
      walked: async () => undefined,
      init: async () => plan,
      segment: async () => plan,
    },
    conversions,
  };
  return { sessions, media: createSessionMedia(parts), disk, works, texts };
}

const bodyOf = async ({ body }: { readonly body: Readable | Buffer | null }): Promise<number> =>
  body instanceof Readable ? Buffer.concat((await body.toArray()) as Buffer[]).length : -1;

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? error,
  );

const video = { track: 'v0', quality: 'copy' } as const;
const wanted = { itemId: 'film', client: browser };

describe('a segment', () => {
  test('is sent with its length and a tag, and nothing stays open', async () => {
    const { sessions, media, disk } = open();
    const { id } = await sessions.create(wanted, ada);

    const sent = await media.part(id, { ...video, name: '2.m4s' }, asked);
    const length = await bodyOf(sent);
    const { etag } = sent.headers;
    const again = { viewer: ada, request: { ...request, ifNoneMatch: String(etag) } };
    const known = await media.part(id, { ...video, name: '2.m4s' }, again);

    expect([sent.status, sent.headers['content-length'], length]).toEqual([200, 10, 10]);
    expect([known.status, known.body, disk.openFiles]).toEqual([304, null, 0]);
  });

  test.each(['4.m4s', '999999.m4s', 'init.mp5', '-1.m4s', '1.key.key.m4s'])(
    '%s is not there',
    async (name) => {
      const { sessions, media, disk } = open();
      const { id } = await sessions.create(wanted, ada);

      expect(await codeOf(media.part(id, { ...video, name }, asked))).toBe('not_found');
      expect(disk.openFiles).toBe(0);
    },
  );

  test('of one of two profiles is gone when that one loses the library, and its session too', async () => {
    const { sessions, media } = open();
    const [hers, his] = [await sessions.create(wanted, ada), await sessions.create(wanted, bob)];

    sessions.blind.add(ada.profileId);

    expect(await codeOf(media.part(hers.id, { ...video, name: '0.m4s' }, asked))).toBe('not_found');
    const played = await media.part(his.id, { ...video, name: '0.m4s' }, { viewer: bob, request });
    expect([played.status, sessions.counts().remux]).toEqual([200, 1]);
  });

  test('of somebody else does not exist', async () => {
    const { sessions, media } = open();
    const { id } = await sessions.create(wanted, ada);

    expect(
      await codeOf(media.part(id, { ...video, name: '0.m4s' }, { viewer: bob, request })),
    ).toBe('not_found');
    expect(await codeOf(media.master(id, bob))).toBe('not_found');
    expect(await codeOf(media.file(id, { viewer: bob, request }))).toBe('not_found');
  });

  test.each([{ size: 999 }, { modifiedAt: 2 }])(
    'of a file that changed to %j is refused',
    async (change) => {
      const { sessions, media, disk } = open();
      const { id } = await sessions.create(wanted, ada);
      Object.assign(disk, change);

      const answers = [
        media.part(id, { ...video, name: '0.m4s' }, asked),
        media.playlist(id, { ...video, keyframesOnly: false }, ada),
        media.master(id, ada),
        media.file(id, asked),
        media.text(id, { name: 'text.vtt', from: 0 }, asked),
      ];

      expect(await Promise.all(answers.map(codeOf))).toEqual(answers.map(() => 'file_changed'));
      expect(disk.openFiles).toBe(0);
    },
  );

  test('of a file that is away is not there, and the session goes on when it is back', async () => {
    const { sessions, media, disk } = open();
    const { id } = await sessions.create(wanted, ada);

    disk.isAway = true;
    expect(await codeOf(media.part(id, { ...video, name: '0.m4s' }, asked))).toBe('not_found');
    disk.isAway = false;

    expect((await media.part(id, { ...video, name: '0.m4s' }, asked)).status).toBe(200);
  });
});

describe('what a player asks for first', () => {
  test('is one answer, with its names and lengths in front, and nothing stays open', async () => {
    const { sessions, media, disk } = open();
    const { id } = await sessions.create({ itemId: 'film', client: browser }, ada);

    const { status, headers, body } = await media.first(id, asked);

    if (!(body instanceof Readable)) throw new Error('It is not a stream.');
    const bytes = Buffer.concat((await body.toArray()) as Buffer[]);
    const line = bytes.toString('latin1', 0, bytes.indexOf('\n'));
    const master = Buffer.byteLength(await media.master(id, ada));
    const list = (track: string) =>
      media.playlist(id, { track, quality: 'copy', keyframesOnly: false }, ada);
    expect(JSON.parse(line)).toEqual([
      ['master.m3u8', master],
      ['v0/copy/index.m3u8', (await list('v0')).length],
      ['a1/copy/index.m3u8', (await list('a1')).length],
      ['v0/copy/init.mp4', 10],
      ['a1/copy/init.mp4', 10],
      ['a1/copy/0.m4s', 10],
      // The largest comes last.
      ['v0/copy/0.m4s', 10],
    ]);
    const parts = JSON.parse(line) as readonly (readonly [string, number])[];
    const sum = parts.reduce((all, [, length]) => all + length, line.length + 1);
    expect([status, headers['content-length'], bytes.length]).toEqual([200, sum, sum]);
    expect(disk.openFiles).toBe(0);
  });

  test('is not one answer where some of it is converted', async () => {
    const { sessions, media, disk } = open();
    const wanted = { itemId: 'film', client: browser, subtitle: 's3' };
    const { id, firstUrl } = await sessions.create(wanted, ada);

    expect([firstUrl, await codeOf(media.first(id, asked))]).toEqual([null, 'not_found']);
    expect(disk.openFiles).toBe(0);
  });

  test('is not there for somebody else, and after the access to the item ended', async () => {
    const { sessions, media } = open();
    const { id } = await sessions.create({ itemId: 'film', client: browser }, ada);

    expect(await codeOf(media.first(id, { viewer: bob, request }))).toBe('not_found');
    sessions.blind.add(ada.profileId);
    expect(await codeOf(media.first(id, asked))).toBe('not_found');
  });
});

describe('what is converted', () => {
  test('beside a copied picture has its cuts, and the session tells that it converts', async () => {
    const { sessions, media, works, disk } = open();
    const { id } = await sessions.create({ ...wanted, audio: 'a2' }, ada);
    const sound = { track: 'a2', quality: 'aac-6' } as const;

    const list = await media.playlist(id, { ...sound, keyframesOnly: false }, ada);
    const sent = await media.part(id, { ...sound, name: '3.m4s' }, asked);

    expect(segmentsOf(list).map(({ seconds }) => seconds)).toEqual([1.001, 2.002, 4.004, 92.993]);
    expect([sent.headers['content-type'], await bodyOf(sent), disk.openFiles]).toEqual([
      'audio/mp4',
      1,
      0,
    ]);
    const work = {
      file: film,
      stream: 2,
      recipe: { kind: 'audio', audio: { codec: 'aac', channels: 6, kbps: 384, gainDb: 0 } },
      ...{ timescale: 1000, cuts: index.cuts, duration: 100_000, startTime: 0, sessionId: id },
    };
    // When the session began, and now.
    expect(works).toEqual([work, work]);
    expect(sessions.events.map(([type]) => type)).toEqual(['transcode.started']);
  });

  test('as a picture has cuts of its own, short ones first', async () => {
    const { sessions, media, works } = open();
    const { id, tracks } = await sessions.create({ ...wanted, subtitle: 's3' }, ada);
    const url = tracks.find((track) => track.id === 'v0')?.url ?? '';
    const quality = url.split('/').at(-2) ?? '';

    const list = await media.playlist(id, { track: 'v0', quality, keyframesOnly: false }, ada);
    await media.part(id, { track: 'v0', quality, name: '0.m4s' }, asked);

    expect(faultsOfMedia(list)).toEqual([]);
    expect(
      segmentsOf(list)
        .slice(0, 4)
        .map(({ seconds }) => seconds),
    ).toEqual([1, 1, 2, 2]);
    // The subtitles are drawn into the picture.
    expect(works[0]?.recipe).toMatchObject({ kind: 'video', video: { height: 1080, burn: 3 } });
    const keyframe = media.part(id, { track: 'v0', quality, name: '0.key.m4s' }, asked);
    expect(await codeOf(keyframe)).toBe('not_found');
  });
});

describe('a file without an index', () => {
  test('has a list that grows while it is walked', async () => {
    const begun: TranscodeIndex = { ...index, cuts: [0, 1001], isComplete: false, state: 'at 1' };
    const further: TranscodeIndex = { ...begun, cuts: [0, 1001, 3003], state: 'at 2' };
    const { sessions, media } = open({ ...film, index: begun }, [begun, further, index]);
    const { id } = await sessions.create(wanted, ada);
    const list = () => media.playlist(id, { ...video, keyframesOnly: false }, ada);

    const [first, second] = [await list(), await list()];

    expect(
      [first, second].map((text) => [segmentsOf(text).length, text.includes('ENDLIST')]),
    ).toEqual([
      [2, false],
      [4, true],
    ]);
  });

  test('has a segment that another server listed, which walked more of it', async () => {
    const begun: TranscodeIndex = { ...index, cuts: [0, 1001], isComplete: false, state: 'at 1' };
    const further: TranscodeIndex = { ...begun, cuts: [0, 1001, 3003], state: 'at 2' };
    const { sessions, media } = open({ ...film, index: begun }, [begun, begun, further, index]);
    const { id } = await sessions.create(wanted, ada);

    const sent = await media.part(id, { ...video, name: '3.m4s' }, asked);
    const after = media.part(id, { ...video, name: '4.m4s' }, asked);

    expect([sent.status, await codeOf(after)]).toEqual([200, 'not_found']);
  });
});

describe('texts', () => {
  test('begin at the time of the session', async () => {
    const late: PlayableFile = { ...film, index: { ...index, startTime: 1400 } };
    const { sessions, media, texts } = open(late, [late.index ?? index]);
    const remux = await sessions.create(wanted, ada);
    const direct = await sessions.create(
      { ...wanted, client: { mse: [], src: [types.whole] } },
      ada,
    );

    await media.text(remux.id, { name: 'text.vtt', from: 0 }, asked);
    await media.text(direct.id, { name: 'text.ass', from: 0 }, asked);

    expect(texts).toEqual([
      { fileId: 'file', track: 'text', to: 'vtt', shiftMs: -1400 },
      // The player shows the times of the file.
      { fileId: 'file', track: 'text', to: 'ass', shiftMs: 0 },
    ]);
  });

  test('that the file does not have are not there', async () => {
    const { sessions, media } = open();
    const { id } = await sessions.create(wanted, ada);

    expect(await codeOf(media.text(id, { name: 's3.vtt', from: 0 }, asked))).toBe('no_text');
  });
});
