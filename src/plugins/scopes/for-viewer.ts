/**
 * The visibility or role that the viewer of a plugin needs for each call, by the rule that the record of its
 * method names. The compiler finds a rule that is missing.
 */
import {
  byHostCall,
  type HostCallName,
  type ViewerRule as Rule,
} from '../../../plugin-api/server/index.ts';
import { isMap, listOf, type Fields, type OwnPowers } from './outgoing-rules.ts';
import type { ViewerCheck } from './viewer-check.ts';

/** Whether the viewer sees all that a call names. */
export type ViewerRule = (
  seen: ViewerCheck,
  input: Fields,
  own: OwnPowers,
) => boolean | Promise<boolean>;

/** Checks values in order, and stops at the first that the viewer does not see. */
async function every(
  values: readonly unknown[],
  sees: (value: unknown) => Promise<boolean>,
): Promise<boolean> {
  for (const value of values) if (!(await sees(value))) return false;
  return true;
}

/** Whether a secret belongs to a library that the viewer sees, to the viewer, or to the plugin itself. */
function ownsScope(seen: ViewerCheck, scope: unknown): boolean {
  if (!isMap(scope)) return true;
  return 'libraryId' in scope ? seen.part(scope['libraryId']) : seen.isSelf(scope);
}

/** Secrets named in headers and forms follow the same rule as those of `host.secrets`. */
const withHeaders: ViewerRule = (seen, { headers, formSecrets }) =>
  [headers, formSecrets]
    .flatMap(valuesIn)
    .every((value) =>
      [...String(value).matchAll(/\{secret:[^{};]*;(library|user|profile)=([^{}]*)\}/g)].every(
        ([, kind, id]) => ownsScope(seen, scopeNamed(kind, id)),
      ),
    );

const valuesIn = (map: unknown): readonly unknown[] => (isMap(map) ? Object.values(map) : []);

/** Each secret among the parts of a digest. */
const ofEachPart: ViewerRule = (seen, { parts }) =>
  listOf(parts).every((part) => !isMap(part) || ownsScope(seen, part['scope']));

const scopeNamed = (kind: string | undefined, id: string | undefined): Fields => {
  if (kind === 'library') return { libraryId: id };
  return kind === 'user' ? { userId: id } : { profile: id };
};

const rules: Readonly<Record<Rule, ViewerRule>> = {
  none: () => true,
  filtered: () => true,
  admin: ({ isAdmin }) => isAdmin,
  // It follows links anywhere within the plugin's scope: only for viewers who see everything.
  disk: ({ all }) => all,
  item: ({ item }, { itemId }) => item(itemId),
  part: ({ part }, { libraryId }) => part(libraryId),
  uri: ({ uri }, input) => uri(input['uri']),
  listing: async ({ uri }, input) =>
    (await uri(input['uri'])) &&
    (input['ignoreFilesFrom'] === undefined || (await uri(input['ignoreFilesFrom']))),
  ranges: ({ uri }, { ranges }) =>
    every(
      listOf(ranges).map((range) => (isMap(range) ? range['uri'] : undefined)),
      uri,
    ),
  // Jobs of the plugin itself are allowed; jobs of the server are for admins, as over HTTP.
  job: ({ isAdmin, part }, { libraryId, type }, own) =>
    isAdmin || (own.runs(type) && (libraryId === undefined || part(libraryId))),
  headers: withHeaders,
  writer: ({ mayWrite }) => mayWrite,
  secret: (seen, { scope }) => ownsScope(seen, scope),
  secrets: ofEachPart,
};

/** The rule of each method. */
export const viewerRules: Readonly<Record<HostCallName, ViewerRule>> = byHostCall(
  ({ viewer }) => rules[viewer],
);
