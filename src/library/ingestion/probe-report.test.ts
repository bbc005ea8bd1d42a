import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseProbeResult } from './probe-report.ts';

const whole = {
  container: 'matroska',
  duration: 61.5,
  bitrate: 1000,
  streams: [
    { index: 0, kind: 'video', codec: 'hevc', width: 1920, height: 1080, hdr: 'hdr10' },
    { index: 1, kind: 'subtitle', codec: 'subrip', language: 'de', isForced: true },
  ],
  chapters: [{ startTime: 0, endTime: 30, title: 'One' }, { startTime: 30 }],
  tags: { title: 'A', genres: ['x'], track: 3, ids: { isbn: '978' } },
  replayGain: { trackGainDb: -7.03, trackPeakDb: -0.5, albumGainDb: 51, albumPeakDb: 0 },
  artwork: [{ type: 'cover', mimeType: 'image/jpeg', size: 10 }],
  warnings: ['a hole'],
};

const read = (report: unknown) =>
  parseProbeResult({ results: [{ kind: 'read', report }] }, 1)?.[0] ?? null;

describe('the answer of a probe', () => {
  test('is unchanged if it is valid', () => {
    expect(read(whole)).toEqual({ kind: 'read', report: whole });
  });

  test('is null unless it has one outcome per file', () => {
    expect(parseProbeResult({ results: [] }, 1)).toBeNull();
    expect(parseProbeResult({ results: [1, 2] }, 1)).toBeNull();
    expect(parseProbeResult('no', 1)).toBeNull();
    expect(parseProbeResult(new Uint8Array(3), 1)).toBeNull();
  });

  test('fails its file when it is not a report', () => {
    for (const report of [null, 1, {}, { container: 'mp4' }, { container: '<b>', streams: [] }])
      expect(read(report)).toMatchObject({ kind: 'failed', code: 'malformed' });
  });

  test('is kept without its invalid parts', () => {
    const report = {
      container: 'mp4',
      duration: -1,
      bitrate: 'fast',
      pages: 1.5,
      streams: [
        {
          index: 0,
          kind: 'video',
          codec: 'h264',
          width: 1e12,
          frameRate: Infinity,
          language: '<b>',
        },
        { index: 1, kind: 'smell', codec: 'rose' },
        { index: -1, kind: 'audio', codec: 'aac' },
        null,
      ],
      chapters: [{ startTime: 'now' }, { startTime: 5, endTime: 1 }],
      tags: { title: 7, year: 3.5, latitude: 91, ids: { isbn: 3 } },
      replayGain: { trackGainDb: 1e9, trackPeakDb: 'loud', albumGainDb: NaN, albumPeakDb: -6 },
      artwork: [null, { type: 'cover', mimeType: 'text/html', size: -1 }],
    };

    expect(read(report)).toEqual({
      kind: 'read',
      report: {
        container: 'mp4',
        streams: [{ index: 0, kind: 'video', codec: 'h264' }],
        chapters: [{ startTime: 5 }],
        tags: { ids: {} },
        replayGain: { albumPeakDb: -6 },
        artwork: [
          { type: 'other', mimeType: '', size: 0 },
          { type: 'cover', mimeType: '', size: 0 },
        ],
      },
    });
  });

  test('is cut to what can be stored and shown', () => {
    const many = <Entry>(entry: Entry) => Array.from({ length: 5000 }, () => entry);
    const found = read({
      container: 'mp4',
      streams: many({ index: 1, kind: 'audio', codec: 'aac', title: 'x'.repeat(5000) }),
      chapters: many({ startTime: 1, title: 'a\0b\ud800' }),
      artwork: many({ type: 'cover', mimeType: 'image/png', size: 1 }),
      tags: { artists: many('y'), albumArtists: many('y'), lyrics: 'z'.repeat(1_000_000) },
      warnings: many('w'),
    });

    expect(JSON.stringify(found).length).toBeLessThan(300_000);
    expect(found).toMatchObject({ report: { chapters: { 0: { title: 'ab\ufffd' } } } });
  });

  test('has failures with their codes, and messages cut to length', () => {
    const failed = (code: unknown, message: unknown) =>
      parseProbeResult({ results: [{ kind: 'failed', code, message }] }, 1)?.[0];

    expect(failed('truncated', 'It ends.')).toEqual({
      kind: 'failed',
      code: 'truncated',
      message: 'It ends.',
    });
    expect(failed('own-fault', 'x'.repeat(9999))).toEqual({
      kind: 'failed',
      code: 'malformed',
      message: 'x'.repeat(300),
    });
  });

  test('of any content never throws and never gives what JSON cannot represent', () => {
    const junk = fc.jsonValue();
    const report = fc.record(
      {
        container: fc.oneof(fc.constant('mp4'), junk),
        duration: fc.oneof(fc.double(), junk),
        streams: fc.oneof(fc.array(junk), junk),
        chapters: fc.oneof(fc.array(junk), junk),
        tags: fc.oneof(fc.object(), junk),
        replayGain: fc.oneof(fc.record({ trackGainDb: fc.double() }), junk),
        artwork: fc.oneof(fc.array(junk), junk),
        warnings: fc.oneof(fc.array(junk), junk),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(report, (one) => {
        const outcome = read(one);
        expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      }),
    );
  });
});
