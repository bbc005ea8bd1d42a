import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bars,
  durationOf,
  hasFfmpeg,
  keepFile,
  makeMedia,
  tone,
} from '../../test/support/media/media-files.ts';
import { probeFileOf } from '../../test/support/media/probe-host.ts';
import { startProbe, type SandboxedProbe } from '../../test/support/media/sandboxed-probe.ts';

let probe: SandboxedProbe;

beforeAll(async () => {
  probe = await startProbe('probe-wasm');
});
afterAll(() => probe.stop());

const tagged = ['title=Song', 'album=Album', 'track=3/12', 'genre=Jazz'].flatMap((tag) => [
  '-metadata',
  tag,
]);
const video = { index: 0, kind: 'video', width: 320, height: 180, frameRate: 23.976 };
const sound = { kind: 'audio', channels: 1, sampleRate: 48000 };

const files: readonly (readonly [string, readonly string[], string, readonly object[]])[] = [
  [
    'wmv',
    [...bars(), ...tone(), '-c:v', 'wmv2', '-c:a', 'wmav2'],
    'asf',
    [
      { ...video, codec: 'wmv2' },
      { ...sound, index: 1, codec: 'wmav2' },
    ],
  ],
  [
    'flv',
    [...bars(), ...tone(2, 44100), '-c:v', 'flv1', '-c:a', 'libmp3lame'],
    'flv',
    [
      { ...video, codec: 'flv1' },
      { ...sound, index: 1, codec: 'mp3', sampleRate: 44100 },
    ],
  ],
  ['aiff', [...tone(), '-c:a', 'pcm_s16be'], 'aiff', [{ ...sound, index: 0, codec: 'pcm_s16be' }]],
  [
    'wv',
    [...tone(), '-c:a', 'wavpack', ...tagged],
    'wv',
    [{ ...sound, index: 0, codec: 'wavpack' }],
  ],
  ['wma', [...tone(), '-c:a', 'wmav2', ...tagged], 'asf', [{ ...sound, index: 0, codec: 'wmav2' }]],
  ['ac3', [...tone(), '-c:a', 'ac3', '-b:a', '96k'], 'ac3', [{ ...sound, index: 0, codec: 'ac3' }]],
];

describe.skipIf(!hasFfmpeg)('probe.probe of rare formats in a real isolate (needs ffmpeg)', () => {
  test.each(files)(
    'reports the content of a .%s file',
    async (extension, args, container, streams) => {
      const file = makeMedia(extension, args);

      const [outcome] = await probe.probe([probeFileOf(file, statSync(file).size)]);

      expect(outcome).toMatchObject({
        kind: 'read',
        report: { container, duration: expect.closeTo(durationOf(file), 1), streams },
      });
    },
  );

  test.each(['wv', 'wma'])('reports the tags of a .%s file', async (extension) => {
    const file = makeMedia(extension, files.find(([one]) => one === extension)?.[1] ?? []);

    const [outcome] = await probe.probe([probeFileOf(file, statSync(file).size)]);

    expect(outcome).toMatchObject({
      kind: 'read',
      report: {
        tags: { title: 'Song', album: 'Album', track: 3, trackTotal: 12, genres: ['Jazz'] },
      },
    });
  });

  test('concurrent calls do not mix up their files', async () => {
    const chosen = files.map(([extension, args]) => makeMedia(extension, args));
    const questions = chosen.map((file) => [probeFileOf(file, statSync(file).size)]);

    const answers = await Promise.all(questions.map((question) => probe.probe(question)));

    expect(
      answers.map(([outcome]) => (outcome?.kind === 'read' ? outcome.report.container : outcome)),
    ).toEqual(files.map(([, , container]) => container));
  });

  test('truncated files get an answer, and the next file is read', async () => {
    const whole = makeMedia('wmv', files[0]?.[1] ?? []);
    const bytes = readFileSync(whole);
    const cut = Array.from({ length: 12 }, (_, part) => {
      const file = keepFile('wmv', bytes.subarray(0, Math.floor((bytes.length * part) / 12)));
      return probeFileOf(file, statSync(file).size);
    });

    const outcomes = await probe.probe([...cut, probeFileOf(whole, bytes.length)]);

    expect(outcomes.slice(0, -1).every(({ kind }) => kind === 'read' || kind === 'failed')).toBe(
      true,
    );
    expect(outcomes[0]).toMatchObject({ kind: 'failed', code: 'truncated' });
    expect(outcomes.at(-1)).toMatchObject({ kind: 'read' });
  });
});

describe('probe.probe of rare formats in a real isolate', () => {
  test('says of a file without media that there is nothing to play', async () => {
    const file = keepFile('wmv', '<html><body>404 Not Found</body></html>\n');

    const [outcome] = await probe.probe([probeFileOf(file, statSync(file).size)]);

    expect(outcome).toEqual({
      kind: 'failed',
      code: 'malformed',
      message: 'There is nothing to play in the file.',
    });
  });

  test('says of a missing file that it is unreadable', async () => {
    const gone = path.resolve(import.meta.dirname, 'gone.wmv');

    const [outcome] = await probe.probe([probeFileOf(gone, 100)]);

    expect(outcome).toMatchObject({ kind: 'failed', code: 'unreadable' });
  });
});
