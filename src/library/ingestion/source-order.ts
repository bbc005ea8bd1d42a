/**
 * Which source wins a field. The answers are merged in their order, the best last; a field with an
 * order of its own is taken out of the answers of all sources but the first in it that has one.
 */
import type { Identification } from '../../../plugin-api/index.ts';
import { withoutTextsOf } from './text-merge.ts';
import type { LibrarySources } from '../../contract/resources/library/sources.ts';

/** What a source said of an item, as it is merged. */
export interface SourceAnswer {
  readonly pluginId: string;
  readonly answer: Identification;
}

/** The answers in the same order, each with the fields that it wins. */
export function withFieldOrder(
  answers: readonly SourceAnswer[],
  fields: LibrarySources['fields'],
): readonly SourceAnswer[] {
  return Object.entries(fields).reduce(
    (before, [field, order]) => givenTo(before, field, order),
    answers,
  );
}

function givenTo(
  answers: readonly SourceAnswer[],
  field: string,
  order: readonly string[],
): readonly SourceAnswer[] {
  const able = answers.filter(({ answer }) => has(answer, field));
  const winner = order
    .map((id) => able.find(({ pluginId }) => pluginId === id))
    .find((one) => one !== undefined);
  if (winner === undefined) return answers;
  return answers.map((one) =>
    one === winner ? one : { ...one, answer: without(one.answer, field, winner.answer) },
  );
}

const has = ({ metadata, entities, assets }: Identification, field: string): boolean =>
  field === 'title' ||
  metadata[field] !== undefined ||
  (entities?.[field]?.length ?? 0) > 0 ||
  (assets ?? []).some(({ type }) => type === field);

/** Every answer has a title, so it gets that of the winner. */
function without(answer: Identification, field: string, winner: Identification): Identification {
  const { title, metadata, entities, assets, texts } = answer;
  return {
    ...answer,
    title: field === 'title' ? winner.title : title,
    metadata: withoutKey(metadata, field),
    ...(entities && { entities: withoutKey(entities, field) }),
    ...(assets && { assets: assets.filter(({ type }) => type !== field) }),
    ...(texts && { texts: withoutTextsOf(texts, field, winner.texts ?? {}) }),
  };
}

const withoutKey = <Value>(
  map: Readonly<Record<string, Value>>,
  key: string,
): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(map).filter(([known]) => known !== key));
