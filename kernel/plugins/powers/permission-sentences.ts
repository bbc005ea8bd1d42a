/** What permissions mean, in plain sentences for the admin who decides on them. */
import type {
  EventGroup,
  HookName,
  PermissionName,
  Permissions,
} from '../../../plugin-api/index.ts';
import { joinWords } from './join-words.ts';
import { servesSentence } from './serves-sentence.ts';
import { powersOf } from './permissions.ts';

/** One permission as an admin reads it. */
export interface PermissionSentence {
  readonly permission: PermissionName;
  /** What a plugin with it can do, in the server's words. */
  readonly sentence: string;
  /** Why the plugin wants it, in its author's words; `null` = the manifest does not say. */
  readonly reason: string | null;
}

/**
 * A sentence for each power in `permissions`. `places` names the places that the plugin is limited
 * to; `null` = no limit.
 */
export function sentencesOf(
  permissions: Permissions,
  places: string | null = null,
): readonly PermissionSentence[] {
  return powersOf(permissions).flatMap((permission) => {
    const sentence = sentenceOf(permission, permissions, places);
    if (sentence === null) return [];
    return [{ permission, sentence, reason: permissions.reasons?.[permission] ?? null }];
  });
}

/** What one power means at its level; `null` when it is absent. */
export function sentenceOf(
  name: PermissionName,
  permissions: Permissions,
  places: string | null = null,
): string | null {
  if (permissions[name] === undefined) return null;
  const narrowed = places === null ? undefined : narrowedSentences[name];
  return narrowed && places !== null ? narrowed(permissions, places) : sentences[name](permissions);
}

/** What a plugin may touch. */
export const placesSentence = (places: string | null): string =>
  places === null
    ? 'It may touch all libraries, also future ones.'
    : `It may touch ${places} and no other library; it receives nothing about other libraries.`;

/** Powers whose sentence names the places. */
const narrowedSentences: Readonly<
  Partial<Record<PermissionName, (permissions: Permissions, places: string) => string>>
> = {
  files: (_, places) => `It can read the files of ${places}, and no others.`,
  disk: (_, places) =>
    `It can read files below the folders of ${places} on the disk of the server, and no others.`,
  library: ({ library }, places) =>
    library === 'write'
      ? `It can see what is in ${places}, and add, change and remove it, and in no other library.`
      : `It can see what is in ${places}, and in no other library.`,
  metadata: (_, places) =>
    `It can set titles, descriptions, pictures and other metadata of what is in ${places}, and of nothing else.`,
  eventLog: (_, places) =>
    `It can read every event of ${places}, and every event that concerns no library.`,
};

const sentences: Readonly<Record<PermissionName, (permissions: Permissions) => string>> = {
  net: ({ net = [] }) => `It can send to and read from ${joinWords(net.map(hostText))}.`,
  files: () => 'It can read the files of your libraries.',
  disk: () => 'It can read files below the folders of your libraries on the disk of the server.',
  library: ({ library }) =>
    library === 'write'
      ? 'It can see what is in your libraries, and add, change and remove it.'
      : 'It can see what is in your libraries.',
  metadata: () => 'It can set titles, descriptions, pictures and other metadata of your media.',
  kv: ({ kv }) => `It can keep up to ${kv?.quotaMb ?? 0} MB of its own on the server.`,
  textIndex: () => 'It can keep a search index of its own on the server.',
  events: () => 'It can send events, which other plugins and apps receive.',
  eventLog: () => 'It can read every event on the server.',
  notifications: () => 'It can send notifications to you and the other admins.',
  jobs: ({ jobs = [] }) => `It can start background work of the type ${joinWords(jobs)}.`,
  calls: ({ calls = [] }) => callsSentence(calls),
  schedule: () => 'It can run by itself at times that it sets.',
  secrets: () => 'It can use secrets that the server keeps for it, such as keys of services.',
  wasm: () => 'It can run WebAssembly, in a process of its own that may take more memory.',
  serves: ({ serves = [] }) => servesSentence(serves),
  hears: ({ hears = [] }) => hears.map((group) => `It learns ${eventTopics[group]}.`).join(' '),
  hooks: ({ hooks = [], metadata }) => hooksSentence(hooks, metadata === 'write'),
};

const eventTopics: Readonly<Record<EventGroup, string>> = {
  library: 'what is in your libraries',
  playback: 'who watches, rates and collects what, and when',
  pipeline: 'which items are imported, step by step',
  jobs: 'which background work runs',
  users: 'of users and sign-ins',
  plugins: 'what other plugins do and send',
  server: 'of notifications and of the scheduler',
};

/** An item hook without the right to write is called, but its answer is dropped. */
function hooksSentence(hooks: readonly HookName[], mayWrite: boolean): string {
  const onItems = hooks.some((name) => name !== 'pipeline.scan.prepare');
  const onScans = hooks.includes('pipeline.scan.prepare');
  const change = mayWrite ? ' and can change it' : '';
  return [
    ...(onItems ? [`It sees each item while it is imported${change}.`] : []),
    ...(onScans ? ['It adds to the kinds of files that a scan finds.'] : []),
  ].join(' ');
}

/** `film-facts:rating` as people read it. The names are those of plugins and their methods. */
function callsSentence(calls: readonly string[]): string {
  const byPlugin = Map.groupBy(calls, (one) => one.slice(0, one.lastIndexOf(':')));
  const named = [...byPlugin].map(([pluginId, all]) => {
    const methods = all.map((one) => one.slice(one.lastIndexOf(':') + 1));
    return `${joinWords(methods)} of the plugin ${pluginId}`;
  });
  return `It can call ${joinWords(named)}, which gets what it sends and answers it.`;
}

/** A host pattern in words. */
function hostText(pattern: string): string {
  const [, name = pattern, port] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  const where = port === undefined ? '' : ` on port ${port}`;
  if (name === '*') return `any host on the internet${where}`;
  if (name.startsWith('*.')) return `every host below ${name.slice(2)}${where}`;
  return `${name}${where}`;
}
