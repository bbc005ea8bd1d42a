/** Discs as the probe reads them: which file is the film, its parts, chapters and languages. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProbeReport } from '../../../plugin-api/index.ts';
import { madeClip, madeIfo, madePlaylist } from '../../../test/support/media/made-discs.ts';
import { bars, hasFfmpeg, makeMedia, tone } from '../../../test/support/media/media-files.ts';
import { createRangeHost, probeFileOf } from '../../../test/support/media/probe-host.ts';
import { probeFiles } from '../probe-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'vitrine-disc-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sources = (seconds: number) => [
  ...bars(seconds, '352x288', '25'),
  ...tone(seconds),
  ...tone(seconds),
];
const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a'];
const vob = (seconds: number, offset = 0): string =>
  makeMedia('vob', [
    ...[...sources(seconds), ...maps, '-c:v', 'mpeg2video', '-g', '12', '-c:a', 'ac3'],
    ...['-output_ts_offset', String(offset), '-f', 'vob'],
  ]);
const clip = (seconds: number): string =>
  makeMedia('m2ts', [
    ...[...sources(seconds), ...maps, '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-c:a', 'ac3', '-mpegts_m2ts_mode', '1'],
  ]);

function put(name: string, content: string | Uint8Array): void {
  const place = path.join(folder, name);
  mkdirSync(path.dirname(place), { recursive: true });
  if (typeof content === 'string') copyFileSync(content, place);
  else writeFileSync(place, content);
}

/** The reports of these files, all of one call. */
async function probe(names: readonly string[], libraryType = 'movies') {
  const files = names.map((name) => {
    const file = path.join(folder, name);
    return probeFileOf(file, statSync(file).size);
  });
  const { results } = await probeFiles(
    { libraryId: 'l', libraryType, files },
    createRangeHost().host,
  );
  return results.map((outcome): ProbeReport => {
    if (outcome.kind !== 'read') throw new Error(JSON.stringify(outcome));
    return outcome.report;
  });
}

const placesOf = (reports: readonly ProbeReport[]) => reports.map(({ disc }) => disc);
const extra = { role: 'extra' };
const sectorsOf = (...files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0) / 2048;

/** The sector of the first picture that is shown at a time or later. */
function sectorAt(file: string, seconds: number): number {
  const bytes = readFileSync(file);
  const first = timeIn(bytes, 0);
  for (let sector = 0; sector * 2048 < bytes.length; sector += 1)
    if (timeIn(bytes, sector) - first >= seconds) return sector;
  throw new Error(`${file} is shorter.`);
}

/** The time of a key picture in a sector, in seconds; NaN when none begins there. */
function timeIn(bytes: Buffer, sector: number): number {
  const pack = bytes.subarray(sector * 2048, (sector + 1) * 2048);
  const at = pack.indexOf(Buffer.from([0, 0, 1, 0xe0]));
  if (at < 0 || ((pack[at + 7] ?? 0) & 0x80) === 0 || !pack.includes(Buffer.from([0, 0, 1, 0xb3])))
    return Number.NaN;
  const part = (from: number): number => pack.readUInt16BE(at + from) >> 1;
  return ((((pack[at + 9] ?? 0) >> 1) & 7) * 2 ** 30 + part(10) * 2 ** 15 + part(12)) / 90_000;
}

describe.skipIf(!hasFfmpeg)('a DVD (needs ffmpeg)', () => {
  const names = [
    'VIDEO_TS.VOB',
    'VTS_01_0.VOB',
    'VTS_01_1.VOB',
    'VTS_02_1.VOB',
    'VTS_02_2.VOB',
  ].map((name) => `VIDEO_TS/${name}`);
  const film = (): readonly [string, string] => [vob(6), vob(5, 6)];

  function putVobs(): void {
    const [first, second] = film();
    for (const [at, file] of [vob(1), vob(1), vob(8), first, second].entries())
      put(names[at] ?? '', file);
  }

  /** The title set of the menu and a trailer is longer than its title: its VOB has more. */
  function putIfos(): void {
    const [first, second] = film();
    const all = sectorsOf(first, second);
    const [middle, border] = [sectorAt(first, 3), sectorsOf(first)];
    const late = border + sectorAt(second, 2);
    put(
      'VIDEO_TS/VTS_01_0.IFO',
      madeIfo({ titles: [{ cells: [{ first: 0, last: 9, seconds: 8 }], chapters: [1] }] }),
    );
    const cells = [
      { first: 0, last: middle - 1, seconds: 3 },
      { first: middle, last: border - 1, seconds: 3 },
      { first: border, last: late - 1, seconds: 2 },
      { first: late, last: all - 1, seconds: 3 },
    ];
    put(
      'VIDEO_TS/VTS_02_0.IFO',
      madeIfo({
        titles: [{ cells, chapters: [1, 2, 3, 4] }],
        audio: ['en', 'de'],
        subtitles: [{ language: 'fr' }],
      }),
    );
  }

  test('is the longest title set of its IFO files, part by part; all else are extras', async () => {
    putVobs();
    putIfos();

    const reports = await probe(names);

    expect(placesOf(reports)).toEqual([
      ...[extra, extra, extra],
      ...[1, 2].map((part) => ({ role: 'main', part })),
    ]);
    expect(reports.map(({ warnings }) => warnings)).toEqual(names.map(() => undefined));
    const [, , , first, second] = reports;
    const shown = [...['en', 'de'].map((language) => ['audio', language]), ['subtitle', 'fr']];
    for (const part of [first, second])
      expect(part?.streams.slice(1).map(({ kind, language }) => [kind, language])).toEqual(shown);
    const chapters = [first, second].map((part) =>
      part?.chapters?.map(({ startTime, title }) => [Math.round(startTime * 10) / 10, title]),
    );
    expect(chapters).toEqual([
      [
        [0, 'Chapter 1'],
        [expect.closeTo(3, 0), 'Chapter 2'],
      ],
      [
        [0, 'Chapter 3'],
        [expect.closeTo(2, 0), 'Chapter 4'],
      ],
    ]);
  });

  test('has the backup where an IFO is broken', async () => {
    putVobs();
    putIfos();
    const ifo = readFileSync(path.join(folder, 'VIDEO_TS/VTS_02_0.IFO'));
    put('VIDEO_TS/VTS_02_0.BUP', ifo);
    put('VIDEO_TS/VTS_02_0.IFO', ifo.subarray(0, 300));

    const [, , , first] = await probe(names);

    expect(first).toMatchObject({ disc: { role: 'main', part: 1 }, chapters: [{}, {}] });
    expect(first?.warnings).toBeUndefined();
  });

  test.each([
    ['is missing', undefined, 'VTS_02_0.IFO is missing.'],
    [
      'is cut off',
      Buffer.from('DVDVIDEO-VTS'),
      'VTS_02_0.IFO cannot be read (truncated): The file ends before the data that it announces.',
    ],
    [
      'is another file',
      Buffer.alloc(5000),
      'VTS_02_0.IFO cannot be read (malformed): It does not begin as an IFO does.',
    ],
  ])('is its longest title set, and says so, where an IFO %s', async (_how, ifo, fault) => {
    putVobs();
    if (ifo !== undefined) put('VIDEO_TS/VTS_02_0.IFO', ifo);

    const reports = await probe(names);

    expect(placesOf(reports).slice(3)).toEqual([1, 2].map((part) => ({ role: 'main', part })));
    expect(reports[3]?.warnings).toEqual([expect.stringContaining(fault)]);
  });

  test('is not a film in a library of shows, where each title may be an episode', async () => {
    putVobs();
    putIfos();

    const reports = await probe(names, 'tv');

    expect(placesOf(reports)).toEqual(names.map(() => undefined));
    expect(reports[3]?.streams[1]?.language).toBe('en');
  });
});

describe.skipIf(!hasFfmpeg)('a Blu-ray disc (needs ffmpeg)', () => {
  const names = ['00001', '00002', '00003', '00800'].map((name) => `BDMV/STREAM/${name}.m2ts`);
  const languages = ['eng', 'deu'].map((language, at) => ({
    ...{ pid: 0x1100 + at, kind: 'audio' as const, language },
  }));
  /** Where ffmpeg lets the clock begin. */
  const start = 1.4;

  function putStreams(): void {
    for (const [at, seconds] of [2, 5, 6, 9].entries()) put(names[at] ?? '', clip(seconds));
  }

  function putPlaylist(
    name: string,
    clips: readonly (readonly [string, number])[],
    streams = languages,
  ): void {
    const items = clips.map(([one, seconds]) => ({
      clip: one,
      from: start,
      to: start + seconds,
      streams,
    }));
    const marks = items.flatMap((_, item) => [0, 2].map((at) => ({ item, at: start + at })));
    put(`BDMV/PLAYLIST/${name}.mpls`, madePlaylist({ items, marks }));
  }

  test('is its longest playlist, clip by clip; all else are extras', async () => {
    putStreams();
    putPlaylist('00001', [['00800', 9]]);
    putPlaylist('00002', [
      ['00003', 6],
      ['00002', 5],
    ]);
    // The same clip 999 times, and a clip that is not on the disc: they hide the film.
    putPlaylist(
      '00003',
      Array.from({ length: 999 }, () => ['00001', 2] as const),
      [],
    );
    putPlaylist('00004', [['00900', 9000]]);

    const reports = await probe(names);

    expect(placesOf(reports)).toEqual([
      extra,
      { role: 'main', part: 2 },
      { role: 'main', part: 1 },
      extra,
    ]);
    expect(reports[2]?.streams.slice(1).map(({ language }) => language)).toEqual(['en', 'de']);
    expect(
      [2, 1].map((at) =>
        reports[at]?.chapters?.map(({ startTime, title }) => [Math.round(startTime), title]),
      ),
    ).toEqual([
      [
        [0, 'Chapter 1'],
        [2, 'Chapter 2'],
      ],
      [
        [0, 'Chapter 3'],
        [2, 'Chapter 4'],
      ],
    ]);
  });

  test('has the languages of its clip files', async () => {
    putStreams();
    put('BDMV/CLIPINF/00001.clpi', madeClip(languages));

    const [first] = await probe(names.slice(0, 1));

    expect(first?.streams.slice(1).map(({ language }) => language)).toEqual(['en', 'de']);
  });

  test.each([
    ['none', undefined, 'There is no playlist whose clips are there.'],
    ['a broken one', Buffer.alloc(90), '00001.MPLS cannot be read (malformed): It does not begin'],
    [
      'one whose clips are missing',
      madePlaylist({ items: [{ clip: '00900', from: 0, to: 9 }] }),
      'There is no playlist whose clips are there.',
    ],
  ])(
    'is its longest stream, and says so, where its playlists are %s',
    async (_how, bytes, fault) => {
      putStreams();
      if (bytes !== undefined) put('BDMV/PLAYLIST/00001.mpls', bytes);

      const reports = await probe(names);

      expect(placesOf(reports)).toEqual([extra, extra, extra, { role: 'main' }]);
      expect(reports[3]?.warnings).toEqual([expect.stringContaining(fault)]);
    },
  );

  test('costs little where a playlist claims what its clip cannot have', async () => {
    putStreams();
    put(
      'BDMV/PLAYLIST/00001.mpls',
      madePlaylist({ items: [{ clip: '00001', from: 0, to: 90_000 }] }),
    );
    for (let at = 2; at < 400; at += 1) putPlaylist(String(at).padStart(5, '0'), [['00800', 9]]);

    const reports = await probe(names);

    expect(placesOf(reports).map((disc) => disc?.role)).toContain('main');
  });
});
