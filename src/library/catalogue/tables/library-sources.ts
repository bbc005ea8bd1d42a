/** Which source of metadata wins in a library, as a person put them in order. */
import { isMap, parseMap } from './rows.ts';
import type { LibrarySources } from '../../../contract/resources/library/sources.ts';

/** Reads the column; what is invalid counts as absent. */
export function parseSources(text: string | null): LibrarySources {
  const { order, fields, languages } = text === null ? {} : parseMap(text);
  const lists = Object.entries(isMap(fields) ? fields : {});
  return {
    order: textsOf(order),
    fields: Object.fromEntries(lists.map(([field, list]) => [field, textsOf(list)])),
    languages: textsOf(languages),
  };
}

/** The sources in their order, best first: those that a person put in order come first. */
export function inOrder(sources: readonly string[], order: readonly string[]): readonly string[] {
  const known = new Set(sources);
  const first = order.filter((id) => known.has(id));
  return [...first, ...sources.filter((id) => !first.includes(id))];
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((one) => typeof one === 'string');
}
