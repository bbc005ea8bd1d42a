import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AudioRecipe, VideoRecipe } from '../../../plugin-api/index.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { cageOf, cagedTranscoder, runCaged, whyNot } from '../../../test/support/media/caged.ts';
import {
  bars,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../../test/support/media/media-files.ts';
import { pictureBomb } from '../../../test/support/media/picture-bomb.ts';
import { createCages } from './cage.ts';
import type { CageTier } from './cage-walls.ts';
import { argumentsOf, type ConvertedStream } from './argument-parts.ts';
import { audioArguments, videoArguments } from './recipe-arguments.ts';
import { escapeTest, networkTest, selfTest } from './test-arguments.ts';
import { openTranscoder } from './transcoder.ts';
import { sampleOf } from '../../../test/support/run/nightly.ts';

const sound: AudioRecipe = { codec: 'aac', channels: 2, kbps: 96, gainDb: 0 };
const picture: VideoRecipe = {
  ...{ codec: 'h264', height: 144, kbps: 200 },
  ...{ toneMap: false, deinterlace: false, burn: null },
};
const stretch = { from: 0, to: 1_000_000 };
const work = { stretch, cuts: [0], threads: 1, transfer: 'pq', burn: null } as const;
const film = (tier: CageTier): ConvertedStream => ({
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

const hasPerl = existsSync('/usr/bin/perl');

/** A script that names what it could do although it must not. */
const attempts = (place: string): string => `
  $| = 1; print "began;"; my $place = '${place}'; my $server = ${process.pid};
  my %tries = (
    list => sub { opendir(my $folder, $place) },
    read => sub { open(my $file, '<', "$place/file") },
    write => sub { open(my $file, '>>', "$place/file") },
    make => sub { open(my $file, '>', "$place/new") },
    folder => sub { mkdir "$place/folder" },
    link => sub { symlink '/', "$place/link" },
    rename => sub { rename "$place/file", "$place/other" },
    remove => sub { unlink "$place/file" },
    truncate => sub { truncate "$place/file", 0 },
    mode => sub { chmod 0777, "$place/file" },
    times => sub { utime 1, 1, "$place/file" },
    owner => sub { chown 1, 1, "$place/file" },
    signal => sub { kill 0, $server },
    priority => sub { setpriority(0, $server, 19) },
    memory => sub { open(my $file, '<', "/proc/$server/mem") },
    processes => sub { opendir(my $folder, '/proc') && grep { $_ eq $server } readdir $folder },
  );
  for my $name (sort keys %tries) { print "$name;" if eval { $tries{$name}->() } }
  print "ended;";`;

const tiers = await Promise.all(
  (['bwrap', 'landlock'] as const).map(async (tier) => ({ tier, why: await whyNot(tier) })),
);

/** Names that another program would take for something else. */
const oddNames = '-y|..mkv|a\nb.mkv|$(id).mkv|film;id.mkv|http:film.mkv|ü %d.mkv'.split('|');

for (const { tier, why } of tiers)
  describe.skipIf(why !== null)(`the cage ${tier}${why === null ? '' : ` (${why})`}`, () => {
    test('lets a transcoder convert the file that it was given', async () => {
      const { code, bytes } = await runCaged(
        cageOf(tier),
        audioArguments(film(tier), sound, stretch),
        madeFilm(),
      );

      expect(code).toBe(0);
      expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    });

    test('shows no other file of the server', async () => {
      const secret = path.join(folder, 'secret');
      writeFileSync(secret, 'a secret');

      const { bytes, said } = await runCaged(cageOf(tier), escapeTest(secret), madeFilm());

      expect(bytes).toHaveLength(0);
      expect(said).toContain(tier === 'bwrap' ? 'No such file' : 'Permission denied');
    });

    test('shows neither accounts, nor processes, nor devices', async () => {
      for (const place of [
        '/etc/passwd',
        '/proc/self/environ',
        '/dev/urandom',
        '/sys/kernel/uevent_seqnum',
      ])
        expect((await runCaged(cageOf(tier), escapeTest(place))).bytes).toHaveLength(0);
    });

    test('has no sockets', async () => {
      const { said } = await runCaged(cageOf(tier), networkTest());

      expect(said).toContain('Operation not permitted');
    });

    test.skipIf(!hasPerl)(
      'changes no file, lists none, and reaches no other process (needs perl)',
      async () => {
        const place = path.join(folder, `held-${tier}`);
        mkdirSync(place);
        writeFileSync(path.join(place, 'file'), 'as it was');
        // The mask of modes of this process may be any.
        chmodSync(path.join(place, 'file'), 0o644);
        utimesSync(path.join(place, 'file'), 1000, 1000);

        const cage = cageOf(tier, '/usr/bin/perl');
        const script = path.join(folder, 'attempts.pl');
        writeFileSync(script, attempts(place));

        const input = argumentsOf([cage.inputUrl.slice('file:'.length)]);
        const { bytes, said } = await runCaged(cage, input, script);

        expect([bytes.toString(), said]).toEqual(['began;ended;', '']);
        const { mode, mtimeMs } = statSync(path.join(place, 'file'));
        expect([readdirSync(place), mode & 0o777, mtimeMs]).toEqual([['file'], 0o644, 1_000_000]);
        expect(readFileSync(path.join(place, 'file'), 'utf8')).toBe('as it was');
      },
    );

    test('limits memory', async () => {
      const { code, bytes } = await runCaged(cageOf(tier), selfTest(), null, 64 * 1024 ** 2);

      expect(code).not.toBe(0);
      expect(bytes).toHaveLength(0);
    });

    test.each(sampleOf(oddNames, 2))(
      'reads a file with the name %j, which no command line holds',
      async (name) => {
        const file = path.join(folder, name);
        copyFileSync(madeFilm(), file);

        const { code, bytes } = await runCaged(
          cageOf(tier),
          audioArguments(film(tier), sound, stretch),
          file,
        );

        expect([code, bytes.length > 1000]).toEqual([0, true]);
      },
    );

    test('leaves no process behind, at whichever moment it is killed', async () => {
      const file = path.join(folder, 'killed.mkv');
      copyFileSync(madeFilm(), file);
      const args = audioArguments(film(tier), sound, stretch);

      for (let moment = 0; moment < 30; moment += 3) {
        const input = openSync(file, 'r');
        const program = cageOf(tier).run({ args, input, limits });
        closeSync(input);
        setTimeout(program.kill, moment);
        await program.ended;
      }

      await eventually('no process has the file', () => holdersOf(file).length === 0);
    });

    test('converts a film with attached pictures that would fill the memory, without decoding them', async () => {
      const bombs = Array.from({ length: 6 }, (_, at) => [
        ...['-attach', keepFile('png', pictureBomb(16_000))],
        ...[
          `-metadata:s:t:${at}`,
          'mimetype=image/png',
          `-metadata:s:t:${at}`,
          `filename=${at}.png`,
        ],
      ]).flat();
      const bombed = makeMedia('mkv', ['-i', madeFilm(), '-map', '0', '-c', 'copy', ...bombs]);

      const heard = await runCaged(
        cageOf(tier),
        audioArguments(film(tier), sound, stretch),
        bombed,
      );
      const seen = await runCaged(cageOf(tier), videoArguments(film(tier), picture, work), bombed);

      expect([heard.code, heard.bytes.length > 1000]).toEqual([0, true]);
      expect([seen.code, seen.bytes.length > 1000]).toEqual([0, true]);
      // What it says when the memory is not enough.
      expect(heard.said + seen.said).not.toMatch(/get_buffer|allocate/i);
    });
  });

test.skipIf(tiers.every(({ why }) => why !== null))(
  'the strongest cage that holds is taken',
  () => {
    const tier = tiers.find(({ why }) => why === null)?.tier;

    expect(cagedTranscoder).toMatchObject({ kind: 'ready', cage: { tier } });
  },
);

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
    for (const cage of createCages({ program: '/bin/true', mode: 'auto', searchPath }))
      if ('why' in cage) expect(cage.why).toMatch(/^[A-Za-z].*\.$/);
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
