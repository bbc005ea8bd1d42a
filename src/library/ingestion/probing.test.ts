import { describe, expect, test } from 'vitest';
import { KernelError, silentLog } from '../../../kernel/index.ts';
import type { ProbeInput, ProbeOutcome } from '../../../plugin-api/index.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createProbing, type ProbingParts } from './probing.ts';

const library = { id: 'l', type: 'movies' };

/** The behaviour of plugin `a` for one call: an answer, or an error. */
type Answer = (input: ProbeInput) => unknown;

const outcomes = (input: ProbeInput, outcome: (uri: string) => ProbeOutcome) => ({
  results: input.files.map(({ uri }) => outcome(uri)),
});

const read = (container = 'mp4'): ProbeOutcome => ({
  kind: 'read',
  report: { container, streams: [] },
});

function probingOver(plugins: Readonly<Record<string, { extensions: string[]; answer: Answer }>>) {
  const calls: { pluginId: string; uris: string[] }[] = [];
  const timeouts: number[] = [];
  const running = new Set(Object.keys(plugins));
  const clock = createFakeClock();
  const absent: { pluginId: string; isComing: boolean }[] = [];
  const parts: ProbingParts = {
    call: async (pluginId, _method, input, options) => {
      const asked = input as ProbeInput;
      if (asked.files.length === 0) return { results: [] };
      calls.push({ pluginId, uris: asked.files.map(({ uri }) => uri) });
      timeouts.push(options.timeoutMs);
      return plugins[pluginId]?.answer(asked);
    },
    providers: () => [...running],
    capabilityConfigOf: (id) => ({ probe: { extensions: plugins[id]?.extensions ?? [] } }),
    answersVersionOf: () => 2,
    absentProbes: () => absent,
    probeMs: 4000,
    clock,
    log: silentLog,
  };
  return Object.assign(createProbing(parts), { calls, timeouts, running, clock, absent });
}

const files = (...uris: readonly string[]) =>
  uris.map((uri) => ({ uri, size: 1, extension: uri.slice(uri.lastIndexOf('.') + 1) }));

const crashed = new KernelError('plugin_failed', 'a probe.probe: it ended', {
  cause: { code: 'plugin_crashed', message: 'it ended' },
});

describe('the probing of files', () => {
  test('sends 32 files per call, and gives one result for each in their order', async () => {
    const { probe, calls } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: (input) => outcomes(input, (uri) => read(uri.slice(0, 2))),
      },
    });
    const uris = Array.from({ length: 70 }, (_, no) => `${10 + no}.mp4`);

    const ends = await probe(library, files(...uris));

    expect(calls.map((call) => call.uris.length)).toEqual([32, 32, 6]);
    expect(ends.map((end) => end.kind === 'read' && end.report.container)).toEqual(
      uris.map((uri) => uri.slice(0, 2)),
    );
  });

  test('calls only probes of the extension, and the next one for files that the first does not support', async () => {
    const { probe, calls } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: (input) => outcomes(input, () => ({ kind: 'unsupported' })),
      },
      b: { extensions: ['mp4', 'pdf'], answer: (input) => outcomes(input, () => read()) },
    });

    const ends = await probe(library, files('1.mp4', '2.pdf', '3.xyz'));

    expect(calls).toEqual([
      { pluginId: 'a', uris: ['1.mp4'] },
      { pluginId: 'b', uris: ['2.pdf'] },
      { pluginId: 'b', uris: ['1.mp4'] },
    ]);
    expect(ends.map(({ kind }) => kind)).toEqual(['read', 'read', 'unsupported']);
  });

  test('uses a stored report, but not one of an older version of the answers of its plugin', async () => {
    const { probe, calls } = probingOver({
      a: { extensions: ['mp4'], answer: (input) => outcomes(input, () => read('new')) },
    });
    const stored = (answersVersion: number) => ({
      known: { pluginId: 'a', answersVersion, report: { container: 'old', streams: [] } },
    });
    const [older, same, newer] = files('1.mp4', '2.mp4', '3.mp4');

    const ends = await probe(library, [
      { ...older, ...stored(1) },
      { ...same, ...stored(2) },
      { ...newer, ...stored(3) },
    ] as Parameters<typeof probe>[1]);

    expect(calls).toEqual([{ pluginId: 'a', uris: ['1.mp4'] }]);
    expect(
      ends.map((end) => end.kind === 'read' && [end.report.container, end.answersVersion]),
    ).toEqual([
      ['new', 2],
      ['old', 2],
      ['old', 3],
    ]);
  });

  test('accepts the failure of a file: no other plugin is called', async () => {
    const failed: ProbeOutcome = { kind: 'failed', code: 'truncated', message: 'It ends.' };
    const { probe, calls } = probingOver({
      a: { extensions: ['mp4'], answer: (input) => outcomes(input, () => failed) },
      b: { extensions: ['mp4'], answer: (input) => outcomes(input, () => read()) },
    });

    expect(await probe(library, files('1.mp4'))).toEqual([failed]);
    expect(calls).toHaveLength(1);
  });

  test('finds the file that crashes the plugin, and only that file fails', async () => {
    const { probe } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: (input) => {
          if (input.files.some(({ uri }) => uri === 'bad.mp4')) throw crashed;
          return outcomes(input, () => read());
        },
      },
    });

    const ends = await probe(library, files('1.mp4', 'bad.mp4', '2.mp4'));

    expect(ends.map((end) => (end.kind === 'failed' ? end.code : end.kind))).toEqual([
      'read',
      'probe-failed',
      'read',
    ]);
  });

  test('probes file by file, exclusively, when an answer does not fit its call', async () => {
    const { probe, calls, timeouts } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: (input) =>
          input.files.length > 1 ? { results: [] } : outcomes(input, () => read()),
      },
    });

    const ends = await probe(library, files('1.mp4', '2.mp4'));

    expect(calls.map(({ uris }) => uris)).toEqual([['1.mp4', '2.mp4'], ['1.mp4'], ['2.mp4']]);
    // Together they have three times as long as one has.
    expect(timeouts).toEqual([12_000, 4000, 4000]);
    expect(ends.map(({ kind }) => kind)).toEqual(['read', 'read']);
  });

  test('leaves files for later when the plugin is not restarted', async () => {
    const { probe, running, clock } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: () => {
          running.delete('a');
          throw crashed;
        },
      },
    });

    const ends = probe(library, files('1.mp4'));
    await clock.advance(60_000);

    expect(await ends).toMatchObject([{ kind: 'failed', code: 'probe-unavailable' }]);
  });

  test('waits for a plugin that is restarted', async () => {
    let isFirst = true;
    const { probe, running, clock } = probingOver({
      a: {
        extensions: ['mp4'],
        answer: (input) => {
          if (!isFirst) return outcomes(input, () => read());
          isFirst = false;
          running.delete('a');
          clock.after(2000, () => void running.add('a'));
          throw crashed;
        },
      },
    });

    const ends = probe(library, files('1.mp4'));
    await clock.advance(5000);

    expect((await ends).map(({ kind }) => kind)).toEqual(['read']);
  });

  test('waits for a probe that is starting, so that its files go to no other plugin', async () => {
    const plugins = {
      a: { extensions: ['mp4'], answer: (input: ProbeInput) => outcomes(input, () => read()) },
    };
    const { probe, absent, clock, calls } = probingOver(plugins);
    absent.push({ pluginId: 'b', isComing: true });

    const ends = probe(library, files('1.mp4'));
    await clock.advance(500);
    expect(calls).toEqual([]);
    absent.pop();
    await clock.advance(500);

    expect((await ends).map(({ kind }) => kind)).toEqual(['read']);
  });

  test('leaves files for later whose only probe has failed', async () => {
    const { probe, absent, running } = probingOver({
      a: { extensions: ['mp4'], answer: (input) => outcomes(input, () => read()) },
    });
    running.delete('a');
    absent.push({ pluginId: 'a', isComing: false });

    expect(await probe(library, files('1.mp4', '2.pdf'))).toMatchObject([
      { kind: 'failed', code: 'probe-unavailable' },
      { kind: 'unsupported' },
    ]);
  });
});
