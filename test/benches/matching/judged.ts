/** How right answers are, as figures. */
import { leastConfidence } from '../../../builtin-plugins/catalogue-lookup/score.ts';
import type { IndexFile, IndexResult, PluginDefinition } from '../../../plugin-api/index.ts';
import identify from '../../../builtin-plugins/identify/index.ts';
import type { Figure } from '../figure.ts';

/** An answer for a file; a confidence of 0 means that nothing was found. */
export interface Judged {
  readonly confidence: number;
  readonly isRight: boolean;
}

/** Precision, recall and calibration, with their goals. */
export function figuresOf(kind: string, answers: readonly Judged[]): readonly Figure[] {
  const applied = answers.filter(({ confidence }) => confidence >= leastConfidence);
  const right = applied.filter(({ isRight }) => isRight);
  const ofAll = (count: number, all: number): number => (100 * count) / all;
  return [
    figure(
      `${kind}: of the matches without a person are right`,
      ofAll(right.length, applied.length),
      -99.5,
    ),
    figure(
      `${kind}: of the names are matched, and right`,
      ofAll(right.length, answers.length),
      -93,
    ),
    { ...figure(`${kind}: calibration error`, calibrationError(answers), 0.03), unit: '' },
  ];
}

export const figure = (name: string, ours: number, goal: number): Figure => ({
  ...{ name: `matching: ${name}`, ours, bare: null, unit: '%', goal },
});

type Index = (input: object, host: object) => Promise<IndexResult>;

/** A call of an indexer, as the server makes it. */
export const indexOf = (plugin: PluginDefinition): Index =>
  plugin.methods?.['indexer.index'] as unknown as Index;

/** The files with what the reader of names says of them, and of their tags. */
export async function named(
  libraryType: string,
  files: readonly IndexFile[],
): Promise<readonly IndexFile[]> {
  const input = { libraryId: 'made', libraryType, stage: 'full', files };
  const { results } = await indexOf(identify)(input, {});
  return files.map((file, at) => {
    const read = results[at];
    const ids = { ...idsIn(read?.metadata['ids']), ...file.known?.ids };
    const known = read && { title: read.title, metadata: read.metadata, ids };
    return { ...file, ...(known && { known }) };
  });
}

const idsIn = (ids: unknown): Readonly<Record<string, { readonly id: string }>> =>
  Object.fromEntries(
    Object.entries(ids ?? {}).flatMap(([provider, id]: [string, unknown]) =>
      typeof id === 'string' ? [[provider, { id }] as const] : [],
    ),
  );

/** The host of a plugin: its configuration, and a network that keeps answers as the server does. */
export function hostOver(
  config: Readonly<Record<string, unknown>>,
  answer: (url: URL) => unknown,
  kept: Map<string, unknown>,
): object {
  return {
    config: { get: () => Promise.resolve({ keepDays: 7, languages: [], ...config }) },
    net: {
      fetch: ({ url }: { readonly url: string }) => {
        if (!kept.has(url)) kept.set(url, answer(new URL(url)));
        const reply = kept.get(url);
        const isStatus = typeof reply === 'number';
        const status = isStatus ? reply : reply === null ? 404 : 200;
        return Promise.resolve({ status, headers: {}, body: JSON.stringify(reply) });
      },
    },
  };
}

/** The mean distance between confidence and truth, over ten groups by confidence. */
function calibrationError(answers: readonly Judged[]): number {
  const given = answers.filter(({ confidence }) => confidence > 0);
  const groups = Map.groupBy(given, ({ confidence }) => Math.min(9, Math.floor(confidence * 10)));
  const errors = [...groups.values()].map((group) => {
    const sum = group.reduce((all, { confidence }) => all + confidence, 0);
    const right = group.filter(({ isRight }) => isRight).length;
    return Math.abs(sum - right);
  });
  return errors.reduce((all, one) => all + one, 0) / given.length;
}
