import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { KernelError, silentLog, type CallPlugin } from '../../../kernel/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { index } from '../../../test/support/playback/played.ts';
import type { TranscodeIndex, TranscodeTrack } from '../../../plugin-api/index.ts';
import { createDiskCache } from '../../platform/net/index.ts';
import { createPlans, type Plans } from './plans.ts';
import { parseIndex } from './stored-index.ts';

const file = { uri: 'file:///film.mkv', size: 100, extension: 'mkv', contentKey: 'content' };
const planned = { kind: 'planned', head: '', pieces: [[0, 100]] };
const [video] = index.tracks as readonly [TranscodeTrack];

let folder: string;
let asked: (readonly [method: string, input: Readonly<Record<string, unknown>>])[];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-plans-'));
  asked = [];
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Plans of a plugin that answers one thing after the other; the last answer stays. */
function open(answers: readonly unknown[], version = '1.0.0', providers = ['remux']): Plans {
  let at = 0;
  const call: CallPlugin = async (_, method, input) => {
    asked.push([method, input as Readonly<Record<string, unknown>>]);
    const answer = answers[Math.min(at, answers.length - 1)];
    at += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return createPlans({
    call,
    providers: () => providers,
    versionOf: () => version,
    cache: createDiskCache({ folder, maxBytes: 10_000_000, log: silentLog }),
    clock: createFakeClock(),
  });
}

const crash = new KernelError('plugin_failed', 'It crashed.');

describe('the index of a file', () => {
  test('is asked for once for a content, also after a restart', async () => {
    const plans = open([index]);
    const [one, other] = await Promise.all([plans.index(file), plans.index(file)]);
    const moved = await plans.index({ ...file, uri: 'file:///elsewhere.mkv' });

    const restarted = await open([crash]).index(file);

    expect([one, other, moved, restarted]).toEqual([index, index, index, index]);
    expect(asked.length).toBe(1);
  });

  test('is asked for again for another content and another version of the plugin', async () => {
    await open([index]).index(file);
    await open([index]).index({ ...file, contentKey: 'another' });
    await open([index], '1.0.1').index(file);

    expect(asked.length).toBe(3);
  });

  test('is asked for once more when the plugin crashes, and then fails', async () => {
    const recovered = await open([crash, index]).index(file);
    const failing = await open([crash], '2.0.0').index(file);

    expect([recovered.kind, failing]).toEqual([
      'read',
      { kind: 'failed', code: 'over-budget', message: 'Reading its index failed.' },
    ]);
    expect(asked.length).toBe(4);
  });

  test('of a file without an index is walked on, and its cuts do not move', async () => {
    const step = (cuts: readonly number[], state: string | null): TranscodeIndex => ({
      ...index,
      cuts,
      state,
      isComplete: state === null,
    });
    const walk = [step([0], 'a'), step([0, 1001], 'b'), step([0, 1001, 3003], null)];
    const plans = open(walk);

    const first = await plans.index(file);
    expect(first).toEqual(walk[0]);
    await expect.poll(() => plans.index(file)).toEqual(walk[2]);
    expect(asked.map(([, input]) => input['state'])).toEqual([null, 'a', 'b']);
  });

  test('that does not go on is not asked for without end', async () => {
    const stuck = { ...index, state: 'same', isComplete: false };
    const plans = open([stuck]);

    await plans.index(file);
    await expect.poll(() => asked.length).toBe(2);
    await new Promise(setImmediate);

    expect(asked.length).toBe(2);
  });

  test('that is not possible is not asked for again, but one that could not be read is', async () => {
    const unsupported = { kind: 'failed', code: 'unsupported', message: 'No plan for it.' };
    const unreadable = { kind: 'failed', code: 'unreadable', message: 'The disk is away.' };
    const first = open([unsupported]);
    await first.index(file);
    expect(await first.index(file)).toEqual(unsupported);
    const second = open([unreadable, index], '2.0.0');

    expect([await second.index(file), await second.index(file)]).toEqual([unreadable, index]);
    expect(asked.length).toBe(3);
  });

  test('is a failure with words where no plugin runs', async () => {
    const found = await open([], '1.0.0', []).index(file);

    expect(found).toMatchObject({ kind: 'failed', code: 'unsupported' });
    expect(asked).toEqual([]);
  });

  test.each([
    ['no index', {}],
    ['cuts that go back', { ...index, cuts: [0, 2000, 1000] }],
    ['cuts that do not begin at 0', { ...index, cuts: [5] }],
    ['no cuts', { ...index, cuts: [] }],
    ['2^32 cuts', { ...index, cuts: { length: 2 ** 32 } }],
    ['a cut after the end', { ...index, cuts: [0, 200_000] }],
    ['a broken time', { ...index, duration: Number.NaN }],
    ['a timescale of 0', { ...index, timescale: 0 }],
    ['two tracks of one id', { ...index, tracks: [video, video] }],
    [
      'a track whose type ends a header',
      { ...index, tracks: [{ ...video, codecs: 'avc1"\nX: y' }] },
    ],
    ['a track whose id leaves the path', { ...index, tracks: [{ ...video, id: '../x' }] }],
    [
      '501 tracks',
      { ...index, tracks: Array.from({ length: 501 }, (_, n) => ({ ...video, id: `v${n}` })) },
    ],
    ['a state of 2 MiB', { ...index, state: 'x'.repeat(2 ** 21) }],
  ])('is refused with %s', async (_, answer) => {
    expect(parseIndex(answer)).toEqual(expect.any(String));
    expect(await open([answer]).index(file)).toMatchObject({ kind: 'failed' });
  });

  test('has 500 tracks at most, and leaves out what is not valid in one', () => {
    const odd = { ...video, width: -5, frameRate: 'fast', title: 'T', videoRange: 'XXL' };

    const found = parseIndex({ ...index, tracks: [odd] });

    expect(found).toEqual({ ...index, tracks: [{ ...video, title: 'T' }] });
  });
});

test('frames of a track are whole, and last a second at most', () => {
  const frames = { timescale: 44_100, first: -7, length: 1152 };
  const parsed = (given: unknown): unknown =>
    parseIndex({ ...index, tracks: [{ ...video, frames: given }] });

  expect(parsed(frames)).toMatchObject({ tracks: [{ frames }] });
  for (const wrong of [
    { timescale: 0 },
    { timescale: 2e9 },
    { first: 0.5 },
    { first: -(2 ** 53) },
    { length: 0 },
    { length: 44_101 },
    { length: Number.NaN },
  ])
    expect(parsed({ ...frames, ...wrong })).toMatch(/not valid/);
  expect(parsed(null)).toMatch(/not valid/);
  expect(parsed([1, 2])).toMatch(/not valid/);
});

test('a track in a codec that the plugin cannot name is known, and never copied', () => {
  const unnamed = { ...video, id: 'a1', kind: 'audio', codecs: '', canCopy: false };

  expect(parseIndex({ ...index, tracks: [video, unnamed] })).toMatchObject({
    tracks: [video, { canCopy: false }],
  });
  expect(parseIndex({ ...index, tracks: [{ ...unnamed, canCopy: true }] })).toMatch(/not valid/);
});

describe('a segment', () => {
  test('is planned by the cuts that clients have, once for all who ask', async () => {
    const plans = open([planned]);
    const wanted = { track: video, n: 1, keyframeOnly: false };

    const sizes = await Promise.all([1, 2, 3].map(() => plans.segment(file, index, wanted)));
    await plans.segment(file, index, { ...wanted, n: 3, keyframeOnly: true });

    expect(sizes.map(({ size }) => size)).toEqual([100, 100, 100]);
    const input = { file: { uri: file.uri, size: 100, extension: 'mkv' }, state: null, track: 'x' };
    expect(asked).toEqual([
      ['transcode.segment', { ...input, n: 1, timescale: 1000, start: 1001, end: 3003 }],
      [
        'transcode.segment',
        { ...input, n: 3, timescale: 1000, start: 7007, end: 100_000, keyframeOnly: true },
      ],
    ]);
  });

  test('is asked for again when the plugin is killed in the middle', async () => {
    const found = await open([crash, planned]).segment(file, index, {
      track: video,
      n: 0,
      keyframeOnly: false,
    });

    expect([found.size, asked.length]).toEqual([100, 2]);
  });

  test.each([
    ['points outside of the file', { ...planned, pieces: [[1, 100]] }],
    ['is not a plan', 'nothing'],
    ['could not be made now', { kind: 'failed', code: 'unreadable', message: 'It is away.' }],
  ])('fails when its plan %s', async (_, answer) => {
    const made = open([answer]).segment(file, index, { track: video, n: 0, keyframeOnly: false });

    await expect(made).rejects.toMatchObject({ code: 'plugin_failed' });
  });

  test('that is damaged in the file, or too large, is refused with the reason', async () => {
    for (const code of ['malformed', 'truncated', 'over-budget', 'unsupported']) {
      const answer = { kind: 'failed', code, message: 'It is broken.' };
      const made = open([answer]).segment(file, index, { track: video, n: 0, keyframeOnly: false });

      await expect(made).rejects.toMatchObject({
        code: 'segment_refused',
        message: expect.stringContaining('It is broken.'),
      });
    }
  });
});
