/**
 * Every file that the page of `sidecars` promises, as it reaches the item: brought in by a scan, shown
 * to the plugin by the rule of the server, and listed and played from there.
 */
import { describe, expect, onTestFinished, test } from 'vitest';
import { afterProbe } from '../../builtin-plugins/sidecars/after-probe.ts';
import { pack } from '../../builtin-plugins/sidecars/fake-item.ts';
import type { Host, ReadRangesInput } from '../../plugin-api/index.ts';
import { everything, openTestIngestion, root } from '../support/library/ingestion.ts';

const srt = '1\n00:00:01,000 --> 00:00:02,000\nHello\n';

interface Shown {
  /** By media file: language and flags of its tracks, and the file of each. */
  readonly tracks: Readonly<Record<string, readonly string[]>>;
  /** Names of all files, media first. */
  readonly files: readonly string[];
}

async function open() {
  const texts = new Map<string, string>();
  const host = {
    fs: {
      readRanges: async ({ ranges }: ReadRangesInput) =>
        pack(ranges.map(({ uri }) => new TextEncoder().encode(texts.get(uri) ?? srt))),
    },
  } as unknown as Host;
  const ingestion = await openTestIngestion({
    probe: () => ({
      kind: 'read',
      report: { container: 'matroska', duration: 10, streams: [] },
    }),
    hooks: {
      hasSubscribers: (name) => name === 'pipeline.probe.afterProcess',
      run: async (_name, input) => {
        const delta = await afterProbe(input, host);
        const { subtitles = [], chapters = [], assets = [], fields = {} } = delta ?? {};
        const { bundle } = input;
        const paths = [
          ...Object.keys(fields).map((key) => `fields.${key}`),
          ...subtitles.map((_, at) => `subtitles[${bundle.subtitles.length + at}]`),
          ...chapters.map((_, at) => `chapters[${(bundle.chapters ?? []).length + at}]`),
          ...assets.map((_, at) => `assets[${bundle.assets.length + at}]`),
        ];
        return {
          output: {
            ...input,
            bundle: {
              ...bundle,
              fields: { ...bundle.fields, ...fields },
              subtitles: [...bundle.subtitles, ...subtitles],
              chapters: [...(bundle.chapters ?? []), ...chapters],
              assets: [...bundle.assets, ...assets],
            },
          },
          provenance: paths.map((path) => ({ pluginId: 'sidecars', path })),
        };
      },
    },
  });
  onTestFinished(ingestion.close);
  return {
    /** Brings these files in and nothing else, and says how each item shows them, by its folder. */
    scan: async (paths: readonly string[]): Promise<Readonly<Record<string, Shown>>> => {
      await ingestion.scan(paths);
      await ingestion.run();
      const { items } = await ingestion.library.items.list(everything, { limit: 100 });
      return Object.fromEntries(
        items.map(({ title, files }) => {
          const media = files.filter(({ type, status }) => type === 'media' && status === 'active');
          const nameOf = (id: string) =>
            files.find((file) => file.id === id)?.filename ?? 'not listed';
          const tracks = media.map(({ filename, text }) => [
            filename,
            text.map(({ id, language, isForced }) =>
              [language, isForced ? 'forced' : '', nameOf(id)].filter(Boolean).join(' '),
            ),
          ]);
          const there = files.filter(({ status }) => status === 'active');
          return [
            title,
            { tracks: Object.fromEntries(tracks), files: there.map(({ filename }) => filename) },
          ];
        }),
      );
    },
    root,
  };
}

describe('a subtitle beside a film', () => {
  test.each([
    ['F/F.de.srt', 'de F.de.srt'],
    ['F/F.de.forced.srt', 'de forced F.de.forced.srt'],
    ['F/Subs/2_English.srt', 'en 2_English.srt'],
    ['F/Subs/English.srt', 'en English.srt'],
    ['F/subs/F.fr.srt', 'fr F.fr.srt'],
    ['F/SUBS/2_English.srt', 'en 2_English.srt'],
    ['F/Subtitles/F.de.srt', 'de F.de.srt'],
    ['F/Subs/F/2_English.srt', 'en 2_English.srt'],
    ['F/English (Forced).srt', 'en forced English (Forced).srt'],
    ['F/German.srt', 'de German.srt'],
  ])('%s is a track of it, and a file of it', async (path, track) => {
    const { scan } = await open();

    const { F } = await scan(['F/F.mkv', path]);

    expect(F?.tracks).toEqual({ 'F.mkv': [track] });
    expect(F?.files).toEqual(['F.mkv', path.slice(path.lastIndexOf('/') + 1)]);
  });

  test.each(['F (2019).zh-Hans.srt', 'Subs/F (2019).zh-Hans.srt', 'Subs/F (2019)/Chinese.srt'])(
    'that is named after the film (%s) is a track of all versions',
    async (path) => {
      const { scan } = await open();
      const media = ['F/F (2019) - [1080p].mkv', 'F/F (2019) - [2160p].mkv'];

      const { F } = await scan([...media, `F/${path}`]);

      const [first, ...others] = Object.values(F?.tracks ?? {});
      expect(others).toEqual([first]);
      expect(first).toHaveLength(1);
      expect(first?.[0]).toMatch(/^zh/);
    },
  );

  test('that is named after one version is a track of that alone', async () => {
    const { scan } = await open();

    const { F } = await scan(['F/F - 1.mkv', 'F/F - 2.mkv', 'F/F - 2.en.srt']);

    expect(F?.tracks).toEqual({ 'F - 1.mkv': [], 'F - 2.mkv': ['en F - 2.en.srt'] });
  });

  test('is followed when it arrives later, is renamed and is removed', async () => {
    const { scan } = await open();
    const tracks = async (...beside: readonly string[]) => {
      const { F } = await scan(['F/F.mkv', ...beside]);
      return [F?.tracks['F.mkv'], F?.files.slice(1)];
    };

    expect(await tracks()).toEqual([[], []]);
    expect(await tracks('F/Subs/English.srt')).toEqual([['en English.srt'], ['English.srt']]);
    expect(await tracks('F/Subs/German.srt')).toEqual([['de German.srt'], ['German.srt']]);
    expect(await tracks('F/French.srt')).toEqual([['fr French.srt'], ['French.srt']]);
    expect(await tracks()).toEqual([[], []]);
  });
});
