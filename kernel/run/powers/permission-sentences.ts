/** What permissions mean, in plain sentences for the admin who decides on them. */
import type { HookName, PermissionName, Permissions } from '../../../plugin-api/index.ts';
import { servesSentence } from './serves-sentence.ts';
import { powersOf } from './permissions.ts';
import { powerWords, type PowerWords } from './words/index.ts';

/** One permission as an admin reads it. */
export interface PermissionSentence {
  readonly permission: PermissionName;
  /** What a plugin with it can do, in the server's words. */
  readonly sentence: string;
  /** Why the plugin wants it, in its author's words; `null` = the manifest does not say. */
  readonly reason: string | null;
}

/** How sentences are said. */
export interface Wording {
  /** The places that the plugin is limited to, in the same language; `null` = no limit. */
  readonly places?: string | null;
  /** The language of the reader, as a BCP 47 tag; `null` = English. */
  readonly locale?: string | null;
}

/** A sentence for each power in `permissions`. */
export function sentencesOf(
  permissions: Permissions,
  wording: Wording = {},
): readonly PermissionSentence[] {
  return powersOf(permissions).flatMap((permission) => {
    const sentence = sentenceOf(permission, permissions, wording);
    if (sentence === null) return [];
    return [{ permission, sentence, reason: permissions.reasons?.[permission] ?? null }];
  });
}

/** What one power means at its level; `null` when it is absent. */
export function sentenceOf(
  name: PermissionName,
  permissions: Permissions,
  { places = null, locale = null }: Wording = {},
): string | null {
  if (permissions[name] === undefined) return null;
  return sentenceIn(powerWords(locale), name, permissions, places);
}

/** What a profile agrees to when the plugin was granted this level. */
export const agreementSentence = (level: 'read' | 'write', locale: string | null): string =>
  powerWords(locale).agreedViewing(level === 'write');

/** What a plugin may touch. */
export function placesSentence(places: string | null, locale: string | null = null): string {
  const words = powerWords(locale);
  return places === null ? words.allPlaces : words.onlyPlaces(places);
}

function sentenceIn(
  words: PowerWords,
  name: PermissionName,
  permissions: Permissions,
  places: string | null,
): string {
  const { net = [], kv, jobs = [], calls = [], serves = [], hears = [], hooks = [] } = permissions;
  switch (name) {
    case 'net':
      return words.net(net.map((pattern) => hostText(pattern, words)));
    case 'library':
      return words.library(places, permissions.library === 'write');
    case 'viewing':
      return words.viewing(places, permissions.viewing === 'write');
    case 'kv':
      return words.kv(kv?.quotaMb ?? 0);
    case 'jobs':
      return words.jobs(jobs);
    case 'calls':
      return callsSentence(calls, words);
    case 'serves':
      return servesSentence(serves, words);
    case 'hears':
      return hears.map((group) => words.hears[group]).join(' ');
    case 'hooks':
      return hooksSentence(hooks, permissions.metadata === 'write', words);
    case 'files':
    case 'disk':
    case 'metadata':
    case 'eventLog':
      return places === null ? words.powers[name] : words.narrowed[name](places);
    case 'textIndex':
    case 'events':
    case 'notifications':
    case 'schedule':
    case 'secrets':
    case 'wasm':
      return words.powers[name];
  }
}

/** An item hook without the right to write is called, but its answer is dropped. */
function hooksSentence(hooks: readonly HookName[], mayWrite: boolean, words: PowerWords): string {
  const onItems = hooks.some((name) => name !== 'pipeline.scan.prepare');
  const onScans = hooks.includes('pipeline.scan.prepare');
  return [
    ...(onItems ? [words.seesItems(mayWrite)] : []),
    ...(onScans ? [words.addsKinds] : []),
  ].join(' ');
}

/** `film-facts:rating` as people read it. The names are those of plugins and their methods. */
function callsSentence(calls: readonly string[], words: PowerWords): string {
  const byPlugin = Map.groupBy(calls, (one) => one.slice(0, one.lastIndexOf(':')));
  const named = [...byPlugin].map(([pluginId, all]) => {
    const methods = all.map((one) => one.slice(one.lastIndexOf(':') + 1));
    return words.methodsOf(words.join(methods), pluginId);
  });
  return words.calls(named);
}

/** A host pattern in words. */
function hostText(pattern: string, words: PowerWords): string {
  const [, name = pattern, port] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  const host =
    name === '*' ? words.anyHost : name.startsWith('*.') ? words.hostsBelow(name.slice(2)) : name;
  return port === undefined ? host : words.onPort(host, port);
}
