/**
 * Texts as WebVTT, as ASS or as lines of lyrics. A plugin with the capability `texts` converts them,
 * since no byte of a text is parsed in the server. Each answer is kept on disk, and so is the failure
 * of a text that cannot be converted: it is not tried again until its file changes, or the plugin
 * answers in a higher version. A failure that may be one of a busy machine is tried again after an
 * hour.
 */
import { isNotGranted, KernelError, type CallPlugin } from '../../../kernel/index.ts';
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import type {
  LyricsResult,
  ServedKey,
  TextFailure,
  TextInput,
  TextSource,
} from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { CachedAnswer, DiskCache } from '../../platform/net/index.ts';
import { createCurrentReader } from './current-reader.ts';

/** A text before it is converted. */
export interface TextOrigin {
  /** Changes when the text changes. */
  readonly version: string;
  /** The text, or the fault of the file that contains it. */
  readonly load: () => Promise<TextSource | TextFailure>;
}

/** What is known of the text, and what is asked for. */
export type TextShape =
  | Omit<TextInput, 'source'>
  | { readonly to: 'lyrics'; readonly language: string | null };

/**
 * Returns the converted text in UTF-8, or lyrics as JSON. Throws `text_refused` for a text that
 * cannot be converted within the limits, and `unavailable` for one that cannot be read now.
 */
export type ConvertText = (origin: TextOrigin, shape: TextShape) => Promise<Buffer>;

/** What converting texts needs. */
export interface TextConversionParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly answersVersionOf: (pluginId: string) => number;
  readonly cache: Pick<DiskCache, 'read' | 'write'>;
  readonly clock: Clock;
}

const timeoutMs = 15_000;
const maxBytes = 6 * 1024 * 1024;
const maxLines = 10_000;
/** The statuses with which failures are cached: a fault of the text, and a failure that may pass. */
const [refused, doubtful] = [422, 503];
const doubtfulMs = 3_600_000;

/** Creates it. Concurrent requests for one text share the answer. */
export function createTextConversion(parts: TextConversionParts): ConvertText {
  const { call, providers, cache, clock } = parts;
  const currentReader = createCurrentReader(
    () => providers('texts').slice(0, 1),
    parts.answersVersionOf,
  );
  const underWay = new Map<string, Promise<Buffer>>();
  // One at a time: when the plugin crashes, this text is the cause.
  const semaphore = createSemaphore(1);

  const keep = (key: string, status: number, body: Uint8Array): Promise<void> =>
    cache.write(key, { status, headers: {}, body, storedAt: clock.now() });

  async function ask(source: TextSource, shape: TextShape): Promise<Buffer | TextFailure> {
    const [pluginId] = providers('texts');
    if (pluginId === undefined) throw refusal('No plugin with the capability "texts" runs.');
    try {
      if (shape.to === 'lyrics') {
        const input = { source, language: shape.language };
        return checkedLyrics(await call(pluginId, 'texts.lyrics', input, { timeoutMs }));
      }
      return checkedText(
        await call(pluginId, 'texts.convert', { source, ...shape }, { timeoutMs }),
        shape.to,
      );
    } catch (error) {
      if (isNotGranted(error)) throw refusal('The plugin that converts texts may not read it.');
      if (!(error instanceof KernelError) || error.code !== 'plugin_failed') throw error;
      return { kind: 'failed', code: 'over-budget', message: 'Converting it failed.' };
    }
  }

  async function convert(key: string, origin: TextOrigin, shape: TextShape): Promise<Buffer> {
    const known = await cache.read(key);
    if (known !== null && isCurrent(known)) return toBody(known);
    const source = await origin.load();
    const made = isFailure(source) ? source : await semaphore.run(() => ask(source, shape));
    if (!isFailure(made)) {
      await keep(key, 200, made);
      return made;
    }
    if (made.code === 'unreadable') throw unreadable(made);
    const status = made.code === 'over-budget' ? doubtful : refused;
    await keep(key, status, Buffer.from(made.message));
    throw refusal(made.message);
  }

  const isCurrent = ({ status, storedAt }: CachedAnswer): boolean =>
    status !== doubtful || clock.now() - storedAt < doubtfulMs;

  return (origin, shape) => {
    const key = JSON.stringify([currentReader(), origin.version, shape]);
    const known = underWay.get(key);
    if (known) return known;
    const made = convert(key, origin, shape).finally(() => underWay.delete(key));
    underWay.set(key, made);
    return made;
  };
}

const refusal = (why: string): AppError => new AppError('text_refused', { why });

/** The refusal of a text whose file cannot be read now. */
export const unreadable = ({ message }: TextFailure): AppError =>
  new AppError('unavailable', { what: `The text cannot be read now. ${message}` });

const isFailure = (made: Buffer | TextSource | TextFailure): made is TextFailure =>
  'kind' in made && made.kind === 'failed';

function toBody({ status, body }: CachedAnswer): Buffer {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (status !== 200) throw refusal(bytes.toString());
  return bytes;
}

const invalid = (): KernelError => new KernelError('plugin_failed', 'It returned no text.');

/** The fault in the answer of a plugin, if it is one. */
export function failureIn(value: unknown): TextFailure | undefined {
  const { kind, code, message } = (value ?? {}) as Partial<TextFailure>;
  if (kind !== 'failed' || typeof message !== 'string') return undefined;
  const isKnown = code === 'unreadable' || code === 'over-budget';
  return { kind, code: isKnown ? code : 'malformed', message: message.slice(0, 300) };
}

/** The answer of a plugin is believed only as far as it can be checked. */
function checkedText(value: unknown, to: 'vtt' | 'ass'): Buffer | TextFailure {
  const failure = failureIn(value);
  if (failure !== undefined) return failure;
  if (!(value instanceof Uint8Array) || value.length > maxBytes) throw invalid();
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (to === 'vtt' && bytes.toString('latin1', 0, 7) !== 'WEBVTT\n') throw invalid();
  return bytes;
}

function checkedLyrics(value: unknown): Buffer | TextFailure {
  const failure = failureIn(value);
  if (failure !== undefined) return failure;
  const { kind, synced, lines } = (value ?? {}) as Partial<LyricsResult>;
  if (kind !== 'made' || !Array.isArray(lines) || lines.length > maxLines) throw invalid();
  const shown = (lines as readonly unknown[]).map((line) => {
    const { startMs, text } = (line ?? {}) as { startMs?: unknown; text?: unknown };
    const isTime = Number.isSafeInteger(startMs) && Number(startMs) > 0;
    return {
      startMs: isTime ? Number(startMs) : 0,
      text: typeof text === 'string' ? text.slice(0, 1000).toWellFormed() : '',
    };
  });
  return Buffer.from(JSON.stringify({ synced: synced === true, lines: shown }));
}
