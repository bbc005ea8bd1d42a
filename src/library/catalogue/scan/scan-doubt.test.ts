import { describe, expect, test } from 'vitest';
import { doubtOf, parseAbsentPlugins, type AbsentPlugin } from './scan-doubt.ts';
import type { ScanCriteria } from './scan-criteria.ts';

const absent = (pluginId: string, sought: Partial<ScanCriteria> | null): AbsentPlugin => ({
  pluginId,
  code: 'failed',
  reason: 'It failed.',
  sought: sought && { extensions: [], auxiliary: [], patterns: [], ...sought },
});
const plan = { extensions: ['mkv'], auxiliary: ['nfo', 'cue'] };
const media = (name: string) => ({ uri: `file:///films/${name}`, type: 'media' as const });
const auxiliary = (name: string) => ({ uri: `file:///films/${name}`, type: 'auxiliary' as const });

describe('the doubt of a scan', () => {
  test('keeps what an absent plugin looked for, and names the plugin', () => {
    const doubt = doubtOf(plan, [absent('other', {}), absent('adder', { extensions: ['xyz'] })]);

    expect(doubt(media('A.xyz'))).toBe('adder');
    expect(doubt(media('A%20B.XYZ'))).toBe('adder');
  });

  test('keeps nothing that the others look for', () => {
    const doubt = doubtOf(plan, [absent('adder', { extensions: ['mkv', 'xyz'] })]);

    expect(doubt(media('A.mkv'))).toBeNull();
    expect(doubt(auxiliary('A.nfo'))).toBeNull();
  });

  test('keeps nothing that no absent plugin looked for', () => {
    const doubt = doubtOf(plan, [absent('adder', { extensions: ['xyz'] })]);

    expect(doubt(media('A.qqq'))).toBeNull();
    expect(doubt(media('none'))).toBeNull();
  });

  test('keeps everything else when it is unknown what the plugin looks for', () => {
    const doubt = doubtOf(plan, [absent('fresh', null)]);

    expect(doubt(media('A.qqq'))).toBe('fresh');
    expect(doubt(media('none'))).toBe('fresh');
    expect(doubt(media('A.mkv'))).toBeNull();
  });

  test('treats a pattern as matching any file', () => {
    expect(doubtOf(plan, [absent('globs', { patterns: ['*.strm'] })])(media('A.qqq'))).toBe(
      'globs',
    );
  });

  test('keeps media that is auxiliary without the plugin', () => {
    const doubt = doubtOf(plan, [absent('sheets', { extensions: ['cue'] })]);

    expect(doubt(media('A.cue'))).toBe('sheets');
    expect(doubt(auxiliary('A.cue'))).toBeNull();
  });

  test('is the same after a checkpoint', () => {
    const list = [absent('adder', { extensions: ['xyz'] }), absent('fresh', null)];

    expect(parseAbsentPlugins(JSON.parse(JSON.stringify(list)))).toEqual(list);
    expect(parseAbsentPlugins([7, {}, { pluginId: 'x' }])).toEqual([]);
  });
});
