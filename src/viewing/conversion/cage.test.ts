import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  cagedTranscoder,
  cageNeeded,
  cageOf,
  runCaged,
} from '../../../test/support/media/caged.ts';
import {
  bars,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../../test/support/media/media-files.ts';
import { pictureBomb } from '../../../test/support/media/picture-bomb.ts';
import { createCage } from './cage.ts';
import type { ConvertedStream } from './argument-parts.ts';
import { audioArguments, videoArguments } from './recipe-arguments.ts';
import { escapeTest, networkTest, selfTest } from './test-arguments.ts';
import { openTranscoder } from './transcoder.ts';

const sound: AudioRecipe = { codec: 'aac', channels: 2, kbps: 96, gainDb: 0 };
const picture: VideoRecipe = {
  ...{ codec: 'h264', height: 144, kbps: 200 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};
const stretch = { from: 0, to: 1_000_000 };
const work = { stretch, cuts: [0], threads: 1, transfer: 'pq', burn: null } as const;
const film = (tier: 'auto' | 'none'): ConvertedStream => ({
  url: cageOf(tier).inputUrl,
  container: 'matroska',
  ordinal: 0,
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-cage-test-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const madeFilm = (): string =>
  makeMedia('mkv', [...bars(2), ...tone(2), '-c:v', 'libx264', '-c:a', 'ac3', '-shortest']);

describe.skipIf(cagedTranscoder.kind === 'missing')(`the cage ${cageNeeded}`, () => {
  test('lets a transcoder convert the file that it was given', async () => {
    const { code, bytes } = await runCaged(
      cageOf('auto'),
      audioArguments(film('auto'), sound, stretch),
      madeFilm(),
    );

    expect(code).toBe(0);
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
  });

  test('shows no other file of the server', async () => {
    const secret = path.join(folder, 'secret');
    writeFileSync(secret, 'a secret');

    const { bytes, said } = await runCaged(cageOf('auto'), escapeTest(secret), madeFilm());

    expect(bytes).toHaveLength(0);
    expect(said).toContain('No such file');
  });

  test('shows neither accounts, nor processes, nor devices', async () => {
    for (const place of [
      '/etc/passwd',
      '/proc/self/environ',
      '/dev/urandom',
      '/sys/kernel/uevent_seqnum',
    ])
      expect((await runCaged(cageOf('auto'), escapeTest(place))).bytes).toHaveLength(0);
  });

  test('has no sockets', async () => {
    const { said } = await runCaged(cageOf('auto'), networkTest());

    expect(said).toContain('Operation not permitted');
  });

  test('limits memory', async () => {
    const { code, bytes } = await runCaged(cageOf('auto'), selfTest(), null, 64 * 1024 ** 2);

    expect(code).not.toBe(0);
    expect(bytes).toHaveLength(0);
  });

  test.each(['-y', '..mkv', 'a\nb.mkv', '$(id).mkv', 'film;id.mkv', 'http:film.mkv', 'ü %d.mkv'])(
    'reads a file with the name %j, which no command line holds',
    async (name) => {
      const file = path.join(folder, name);
      copyFileSync(madeFilm(), file);

      const { code, bytes } = await runCaged(
        cageOf('auto'),
        audioArguments(film('auto'), sound, stretch),
        file,
      );

      expect([code, bytes.length > 1000]).toEqual([0, true]);
    },
  );

  test('leaves no process behind, at whichever moment it is killed', async () => {
    const file = path.join(folder, 'killed.mkv');
    copyFileSync(madeFilm(), file);
    const args = audioArguments(film('auto'), sound, stretch);

    for (let moment = 0; moment < 30; moment += 3) {
      const input = openSync(file, 'r');
      const program = cageOf('auto').run({ args, input, limits });
      closeSync(input);
      setTimeout(program.kill, moment);
      await program.ended;
    }

    await eventually('no process has the file', () => holdersOf(file).length === 0);
  });

  test('converts a film with attached pictures that would fill the memory, without decoding them', async () => {
    const bombs = Array.from({ length: 6 }, (_, at) => [
      ...['-attach', keepFile('png', pictureBomb(16_000))],
      ...[`-metadata:s:t:${at}`, 'mimetype=image/png', `-metadata:s:t:${at}`, `filename=${at}.png`],
    ]).flat();
    const bombed = makeMedia('mkv', ['-i', madeFilm(), '-map', '0', '-c', 'copy', ...bombs]);

    const heard = await runCaged(
      cageOf('auto'),
      audioArguments(film('auto'), sound, stretch),
      bombed,
    );
    const seen = await runCaged(
      cageOf('auto'),
      videoArguments(film('auto'), picture, work),
      bombed,
    );

    expect([heard.code, heard.bytes.length > 1000]).toEqual([0, true]);
    expect([seen.code, seen.bytes.length > 1000]).toEqual([0, true]);
    // What it says when the memory is not enough.
    expect(heard.said + seen.said).not.toMatch(/get_buffer|allocate/i);
  });

  test('is named with its version, after a test of its own walls', () => {
    expect(cagedTranscoder).toMatchObject({ kind: 'ready', cage: { tier: 'bwrap' } });
  });
});

const limits = { memoryBytes: 4 * 1024 ** 3, cpuSeconds: 60 };

/** The processes that have this file open. */
const holdersOf = (file: string): readonly string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/4`) === file;
    } catch {
      return false;
    }
  });

/** A film of another folder, and files that name it. */
function disguised(kind: 'hls' | 'concat'): string {
  const other = path.join(folder, 'hidden');
  mkdirSync(other, { recursive: true });
  const hidden = path.join(other, 'hidden.ts');
  copyFileSync(makeMedia('ts', [...bars(2), ...tone(2), '-c:v', 'libx264', '-c:a', 'aac']), hidden);
  const file = path.join(folder, `${kind}.mkv`);
  const text = {
    hls: `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${hidden}\n#EXT-X-ENDLIST\n`,
    concat: `ffconcat version 1.0\nfile '${hidden}'\n`,
  };
  writeFileSync(file, text[kind]);
  return file;
}

describe.skipIf(!hasFfmpeg)('a playlist disguised as a film (needs ffmpeg)', () => {
  test.each(['hls', 'concat'] as const)('opens nothing outside of its file: %s', async (kind) => {
    const file = disguised(kind);
    for (const container of ['matroska', 'mpegts', 'mp4']) {
      const stream = { ...film('none'), container };
      const heard = await runCaged(cageOf('none'), audioArguments(stream, sound, stretch), file);
      const seen = await runCaged(cageOf('none'), videoArguments(stream, picture, work), file);

      expect([heard.bytes.length, seen.bytes.length]).toEqual([0, 0]);
      expect([heard.code, seen.code]).not.toContain(0);
    }
  });
});

describe('a machine without a part of the cage', () => {
  const searchPath = '/nonexistent';

  test('does not convert, and one sentence says why', async () => {
    const cage = createCage({ program: '/bin/true', mode: 'auto', searchPath });

    if (typeof cage === 'string') expect(cage).toMatch(/^[A-Z ]?.*\.$/);
    const opened = await openTranscoder({ ffmpeg: '/no/ffmpeg', mode: 'auto', searchPath });
    expect(opened).toEqual({
      kind: 'missing',
      why: '/no/ffmpeg of --ffmpeg is not a program that the server can run.',
    });
  });

  test('does not take another program for a transcoder', async () => {
    const opened = await openTranscoder({ ffmpeg: '/bin/sh', mode: 'none', searchPath });

    expect(opened).toMatchObject({ kind: 'missing', why: expect.stringContaining('ffmpeg') });
  });
});
