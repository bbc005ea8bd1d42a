/**
 * What must be within a plugin's scope for each call, by the rule that the record of its method names. A
 * method without a rule would be denied to every narrowed plugin; the compiler finds a rule that is missing.
 */
import { byHostCall, type HostCallName, type ScopeRule } from '../../../plugin-api/server/index.ts';
import type { ScopeCheck } from './scope-check.ts';

/** The input of a call. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether all that a call names is within the scope. */
export type OutgoingRule = (within: ScopeCheck, input: Fields, own: OwnPowers) => boolean;

/** What a plugin may do without a library. */
export interface OwnPowers {
  /** Whether the plugin runs jobs of this type itself: they concern a library only if they name it. */
  readonly runs: (type: unknown) => boolean;
}

const ofScope: OutgoingRule = ({ part }, { scope }) =>
  !isMap(scope) || !('libraryId' in scope) || part(scope['libraryId']);

/** `item` is checked separately, since it needs a database query. */
const rules: Readonly<Record<ScopeRule, OutgoingRule | 'item'>> = {
  none: () => true,
  filtered: () => true,
  item: 'item',
  part: ({ part }, { libraryId }) => part(libraryId),
  whole: ({ whole }, { libraryId }) => whole(libraryId),
  uri: ({ uri }, input) => uri(input['uri']),
  listing: ({ uri }, input) =>
    uri(input['uri']) && (input['ignoreFilesFrom'] === undefined || uri(input['ignoreFilesFrom'])),
  ranges: ({ uri }, { ranges }) =>
    listOf(ranges).every((range) => isMap(range) && uri(range['uri'])),
  path: ({ uri }, { path }) => uri(uriOfPath(path)),
  paths: ({ uri }, { paths }) => listOf(paths).map(uriOfPath).every(uri),
  // A job that names no library is for all of them, unless it is the plugin's own.
  job: ({ whole }, { libraryId, type }, own) =>
    libraryId === undefined ? own.runs(type) : whole(libraryId),
  secret: ofScope,
  secrets: (within, { parts }, own) =>
    listOf(parts).every((part) => !isMap(part) || ofScope(within, part, own)),
};

/** The rule of each method. */
export const outgoingRules: Readonly<Record<HostCallName, OutgoingRule | 'item'>> = byHostCall(
  ({ scope }) => rules[scope],
);

/** Paths of `host.disk` are spelled as in URIs. */
const uriOfPath = (path: unknown): string | undefined =>
  typeof path === 'string' ? `file://${path}` : undefined;

/** The elements of a list. Any other value gives one `undefined`, which every rule denies. */
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [undefined];

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
