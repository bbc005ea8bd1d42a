/** The commands of `vitrine plugin dev`, as an author types them. */
import type { FakeLibrary } from '../fakes/fake-library.ts';
import { sampleOf, type Sample } from '../fakes/samples.ts';

/** One parsed line. */
export type DevLine =
  | { readonly kind: 'help' }
  | { readonly kind: 'samples' }
  | { readonly kind: 'sample'; readonly sample: Sample }
  | {
      readonly kind: 'action';
      readonly name: string;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'configure'; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: 'wrong'; readonly why: string };

/** The commands. */
export const devHelp: readonly string[] = [
  'samples                      one sample of everything that the manifest subscribes to',
  'event library.item.added     with a sample, or with your own JSON after the name',
  'hook pipeline.index.afterProcess',
  'view ui.settings.sections',
  'method indexer.search {"libraryType": "movies", "query": "Heat", "limit": 5}',
  'action refresh {"force": true}',
  'config {"key": "value"}      replace the values of the configuration',
];

const sampleKinds = ['event', 'hook', 'view', 'method'] as const;

/** `null` for an empty line. */
export function readDevLine(text: string, library: FakeLibrary): DevLine | null {
  const found = /^\s*(\S+)(?:\s+([^\s{]\S*))?\s*(\{.*\})?\s*$/s.exec(text);
  if (!found) return text.trim() === '' ? null : wrong(text);
  const [, word = '', name = '', json] = found;
  const input = json === undefined ? undefined : parseObject(json);
  if (input === null) return { kind: 'wrong', why: `${json ?? ''} is not a JSON object.` };
  if (word === 'help') return { kind: 'help' };
  if (word === 'samples') return { kind: 'samples' };
  if (word === 'action' && name !== '') return { kind: 'action', name, params: input ?? {} };
  if (word === 'config' && input) return { kind: 'configure', values: input };
  const kind = sampleKinds.find((one) => one === word);
  if (kind === undefined || name === '') return wrong(text);
  const sample = sampleOf(library, kind, name);
  if (!sample) return { kind: 'wrong', why: `There is no sample for the ${kind} ${name}.` };
  return { kind: 'sample', sample: input ? { ...sample, input } : sample };
}

const wrong = (text: string): DevLine => ({
  kind: 'wrong',
  why: `"${text.trim().slice(0, 60)}" is not a command; "help" lists the commands.`,
});

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}
