/** What no program at hand writes: stripped, laced and broken Matroska files. */
import { expect, test } from 'vitest';
import { keepFile } from '../../test/support/media/media-files.ts';
import {
  avcSetup,
  blockContent,
  cue,
  element,
  matroska,
  number,
  pictureTrack,
  soundTrack,
} from '../../test/support/media/made-matroska.ts';
import { remux, type Remuxed } from '../../test/support/media/remuxed.ts';
import { fragmentsIn } from '../../test/support/media/seen-segments.ts';
import { aacSilence } from './formats/silence.ts';

const ids = {
  cluster: 0x1f43b675,
  time: 0xe7,
  simple: 0xa3,
  group: 0xa0,
  block: 0xa1,
  reference: 0xfb,
};
const key = 0x80;
const picture = (letter: string): Buffer => Buffer.from(letter.repeat(20));

/** A cluster with a key picture, another one, and sound. */
const cluster = (ticks: number, ...blocks: readonly Buffer[]): Buffer =>
  element(ids.cluster, number(ids.time, ticks), ...blocks);
const shown = (ticks: number, letter: string, flags: number): Buffer =>
  element(ids.simple, blockContent(1, ticks, flags, picture(letter)));
const heard = (ticks: number, ...content: readonly Uint8Array[]): Buffer =>
  element(ids.simple, blockContent(2, ticks, key, ...content));

const cues = (places: readonly number[]): Buffer =>
  element(0x1c53bb6b, ...places.map((place, at) => cue(at * 2000, place)));

/** The media of all segments behind their heads. */
async function mediaOf(source: Remuxed, kind: 'video' | 'audio'): Promise<string> {
  const parts: string[] = [];
  for (let n = 0; n < source.index.cuts.length; n++) {
    const bytes = await source.segment(source.track(kind), n);
    const media = fragmentsIn(bytes).map((one) => one.subarray(one.indexOf('mdat') + 4));
    parts.push(Buffer.concat(media).toString('latin1'));
  }
  return parts.join('|');
}

const open = (bytes: Buffer): Promise<Remuxed> => remux(keepFile('mkv', bytes));

test('bytes that a container strips from each packet are in front of each again', async () => {
  const header = Buffer.from('head-');
  const stripped = element(
    0x6d80,
    element(0x6240, element(0x5034, number(0x4254, 3), element(0x4255, header))),
  );
  const media = await open(
    matroska(
      [pictureTrack(avcSetup, stripped)],
      [0, 2000, 4000].map((ticks) => cluster(ticks, shown(0, 'a', key), shown(40, 'b', 0))),
      cues,
    ),
  );

  const one = `head-${'a'.repeat(20)}head-${'b'.repeat(20)}`;
  expect(await mediaOf(media, 'video')).toBe(`${one}|${one}|${one}`);
});

test.each([
  ['Xiph', 0x02, Buffer.from([2, 3, 4]), ['aaa', 'bbbb', 'cc']],
  ['EBML', 0x06, Buffer.from([2, 0x83, 0xbf + 1]), ['aaa', 'bbbb', 'cc']],
  ['equal', 0x04, Buffer.from([2]), ['aaa', 'bbb', 'ccc']],
])('packets that are laced by %s sizes are separate', async (_, lacing, sizes, packets) => {
  const sound = heard(0, sizes, Buffer.from(packets.join('')));
  sound[sound.indexOf(Buffer.from([0x82])) + 3] = key | lacing;
  const media = await open(
    matroska(
      [pictureTrack(avcSetup), soundTrack()],
      [0, 2000].map((ticks) => cluster(ticks, shown(0, 'a', key), sound)),
      cues,
    ),
  );

  const bytes = await media.segment(media.track('audio'), 0);
  const run = bytes.indexOf('trun') + 4;
  expect([0, 1, 2].map((at) => bytes.readUInt32BE(run + 16 + at * 8))).toEqual(
    packets.map(({ length }) => length),
  );
  const silence = Buffer.from(aacSilence(Buffer.from([0x11, 0x90]))?.packet ?? []);
  const sounds = (await mediaOf(media, 'audio')).replaceAll(silence.toString('latin1'), '');
  expect(sounds).toBe(`${packets.join('')}|${packets.join('')}`);
});

test('laced packets that begin behind a cut are in its segment, and no silence stands for them', async () => {
  const sound = heard(1958, Buffer.from([2]), Buffer.from('aaabbbccc'));
  sound[sound.indexOf(Buffer.from([0x82])) + 3] = key | 0x04;
  const media = await open(
    matroska(
      [pictureTrack(avcSetup), soundTrack()],
      [cluster(0, shown(0, 'a', key), sound), cluster(2000, shown(0, 'b', key))],
      cues,
    ),
  );
  const parts = (await mediaOf(media, 'audio')).split('|');

  expect(parts.map((part) => [part.slice(-6), part.slice(0, 3)])).toEqual([
    ['aaabbb', expect.anything()],
    [expect.anything(), 'ccc'],
  ]);
});

test('pictures before the time 0 are there, and the file begins with them', async () => {
  const media = await open(
    matroska(
      [pictureTrack(avcSetup)],
      [
        cluster(0, shown(-80, 'a', key), shown(-40, 'b', 0), shown(0, 'c', 0)),
        cluster(2000, shown(0, 'd', key)),
      ],
      cues,
    ),
  );

  expect((await mediaOf(media, 'video')).replaceAll('|', '')).toBe(
    ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(20)).join(''),
  );
  expect(media.index.startTime / media.index.timescale).toBeCloseTo(-0.08, 3);
  // All begins at 0 in a session.
  const bytes = await media.segment(media.track('video'), 0);
  expect(bytes.readBigUInt64BE(bytes.indexOf('tfdt') + 8)).toBe(0n);
});

test('a block of a group is a key picture when it refers to nothing', async () => {
  const grouped = (ticks: number, letter: string, ...more: readonly Buffer[]): Buffer =>
    element(ids.group, element(ids.block, blockContent(1, ticks, 0, picture(letter))), ...more);
  const reference = element(ids.reference, Buffer.from([0xd8]));
  const media = await open(
    matroska(
      [pictureTrack(avcSetup)],
      [0, 2000].map((ticks) => cluster(ticks, grouped(0, 'a'), grouped(40, 'b', reference))),
      cues,
    ),
  );

  const bytes = await media.segment(media.track('video'), 0);
  const run = bytes.indexOf('trun') + 4;
  expect([0, 1].map((at) => bytes.readUInt32BE(run + 20 + at * 16).toString(16))).toEqual([
    '2000000',
    '1010000',
  ]);
});

test.each<[string, (places: readonly number[]) => Buffer]>([
  ['lead backwards', (places) => cues(places.toReversed())],
  ['lead behind the end', (places) => cues(places.map((place) => place + 1e12))],
  ['lead into the middle of media', (places) => cues(places.map((place) => place + 5))],
  ['name another track', () => element(0x1c53bb6b, cue(0, 0))],
  ['are empty', () => element(0x1c53bb6b)],
])('cues that %s do not hide pictures', async (_, made) => {
  const clusters = [0, 2000, 4000].map((ticks) =>
    cluster(ticks, shown(0, 'a', key), shown(40, 'b', 0)),
  );
  const media = await open(matroska([pictureTrack(avcSetup)], clusters, made));

  const all = (await mediaOf(media, 'video')).replaceAll('|', '');
  expect(all).toBe(`${'a'.repeat(20)}${'b'.repeat(20)}`.repeat(3));
});

test('empty space in clusters and between them is passed over', async () => {
  const space = element(0xec, Buffer.alloc(3000));
  const spaced = (ticks: number): Buffer =>
    Buffer.concat([space, cluster(ticks, space, shown(0, 'a', key), space, shown(40, 'b', 0))]);
  const media = await open(matroska([pictureTrack(avcSetup)], [0, 2000].map(spaced), cues));

  const one = `${'a'.repeat(20)}${'b'.repeat(20)}`;
  expect(await mediaOf(media, 'video')).toBe(`${one}|${one}`);
});

test('a lace that never ends is refused', async () => {
  const endless = heard(0, Buffer.alloc(3000, 0xff));
  endless[endless.indexOf(Buffer.from([0x82])) + 3] = key | 0x02;
  const media = await open(
    matroska(
      [pictureTrack(avcSetup), soundTrack()],
      [cluster(0, shown(0, 'a', key), endless)],
      cues,
    ),
  ).catch((error: unknown) => String(error));

  expect(media).toMatch(/malformed/);
});

test('five hundred tracks are listed up to a limit', async () => {
  const tracks = Array.from({ length: 500 }, () => soundTrack());
  const media = await open(
    matroska([pictureTrack(avcSetup), ...tracks], [cluster(0, shown(0, 'a', key))], cues),
  );

  expect(media.index.tracks.length).toBeLessThanOrEqual(200);
});
