/** What serving a capability means, in plain sentences for the admin who decides on it. */
import { joinWords } from './join-words.ts';

/** One sentence for each capability among the keys, in the order of the keys. */
export function servesSentence(keys: readonly string[]): string {
  const parts = Map.groupBy(keys, (key) => key.split(':', 1)[0] ?? key);
  return [...parts].map(([capability, all]) => sentenceOf(capability, all.map(partOf))).join(' ');
}

const partOf = (key: string): string => key.slice(key.indexOf(':') + 1);

const mostNamed = 8;

/** A probe may name a hundred extensions, so only the first are named. */
function someOf(parts: readonly string[]): string {
  if (parts.length <= mostNamed) return joinWords(parts);
  return `${parts.slice(0, mostNamed).join(', ')} and ${parts.length - mostNamed} more`;
}

const sentences: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  filesystem: (parts) =>
    `It serves files at ${joinWords(parts.map((scheme) => `${scheme}://`))}: it says which files there are and what is in them.`,
  library: (parts) =>
    `It serves libraries of the type ${someOf(parts)}: it says which files belong to them and which files are one item.`,
  probe: (parts) => `It serves as the reader of files of the type ${someOf(parts)}.`,
  indexer: () => 'It serves as an indexer: it sees the names of your files and says what they are.',
  search: () => 'It serves search: it sees every query and decides what is found.',
  license: () => 'It serves the license: it decides what the license of this server allows.',
  notifier: () => 'It serves notifications: it sees each one and passes it on.',
  transcode: () => 'It serves playback: it sees what is played and converts it.',
  pictures: () =>
    'It serves pictures: it sees posters and photos and makes the small ones that clients show.',
  texts: () =>
    'It serves texts: it sees subtitles and lyrics and converts them to the form that clients show.',
  webhooks: () => 'It serves webhooks: it sees each event that they send and decides what is sent.',
  job: (parts) => `It runs background work of the type ${someOf(parts)}.`,
};

function sentenceOf(capability: string, parts: readonly string[]): string {
  return sentences[capability]?.(parts) ?? `It serves ${capability}.`;
}
