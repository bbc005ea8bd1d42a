/**
 * Texts and fonts that are inside media files. A probe reads them, for no byte of a media file is
 * parsed here; of fonts it gives places, which are checked before they are sent.
 */
import { isNotGranted, KernelError, type CallPlugin } from '../../../kernel/index.ts';
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import type {
  CapabilityConfig,
  EmbeddedSubtitle,
  EmbeddedSubtitleInput,
  EmbeddedTextInput,
  MethodName,
  ProbeFile,
  ServedKey,
  TextFailure,
  TextSource,
} from '../../../plugin-api/index.ts';
import { failureIn } from './text-conversion.ts';

/** A font in a file: a part of its bytes. */
export interface PlacedFont {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** What probes find inside files. */
export type EmbeddedTexts = ReturnType<typeof createEmbeddedTexts>;

/** A part of a subtitle that is pictures, as in a `.sup` file. */
export interface PictureSubtitle {
  readonly kind: 'read';
  readonly bytes: Buffer;
  /** Milliseconds of the file from which the next part is asked for; `null` = there is none. */
  readonly nextMs: number | null;
}

/** What finding them needs. */
export interface EmbeddedTextsParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly capabilityConfigOf: (pluginId: string) => CapabilityConfig;
}

const failed = { kind: 'failed' } as const;
const timeoutMs = 40_000;
const maxBytes = 5 * 1024 * 1024;
const maxSubtitleBytes = 6 * 1024 * 1024;
const maxFonts = 200;
const maxFontBytes = 64 * 1024 * 1024;
/** How many files are read at a time, so that probing goes on. */
const maxAtOnce = 2;

export function createEmbeddedTexts(parts: EmbeddedTextsParts) {
  const { call, providers, capabilityConfigOf } = parts;
  const semaphore = createSemaphore(maxAtOnce);

  /**
   * The answer of the first probe that reads such files; the next is tried if it cannot answer. Without
   * an answer, a failure that may pass.
   */
  async function ask(method: MethodName, file: ProbeFile, input: object): Promise<unknown> {
    let failure: TextFailure = { ...failed, code: 'unreadable', message: 'No plugin reads it.' };
    const readers = providers(`probe:${file.extension}`).filter((id) =>
      capabilityConfigOf(id).probe?.extensions.includes(file.extension),
    );
    for (const pluginId of readers) {
      try {
        return await semaphore.run(() => call(pluginId, method, { file, ...input }, { timeoutMs }));
      } catch (error) {
        const isFault = error instanceof KernelError && error.code === 'plugin_failed';
        if (!isFault && !isNotGranted(error)) throw error;
        if (isFault) failure = { ...failed, code: 'over-budget', message: 'Reading it failed.' };
      }
    }
    return failure;
  }

  return {
    /** The text of a stream, or the lyrics; a failure that says why there is none. */
    text: async (
      file: ProbeFile,
      part: EmbeddedTextInput['part'],
    ): Promise<TextSource | TextFailure> => {
      const answer = await ask('probe.text', file, { part });
      const failure = failureIn(answer);
      if (failure !== undefined) return failure;
      if (!(answer instanceof Uint8Array) || answer.length > maxBytes) {
        return { kind: 'failed', code: 'malformed', message: 'No plugin reads the text in it.' };
      }
      const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
      return { uri: file.uri, size: bytes.length, base64: bytes.toString('base64') };
    },
    /** A part of a subtitle that is pictures (PGS), from a time on. */
    subtitle: async (
      file: ProbeFile,
      wanted: Omit<EmbeddedSubtitleInput, 'file'>,
    ): Promise<PictureSubtitle | TextFailure> => {
      const answer = await ask('probe.subtitle', file, wanted);
      return failureIn(answer) ?? checkedSubtitle(answer, wanted.fromMs);
    },
    fonts: async (file: ProbeFile): Promise<readonly PlacedFont[]> => {
      const answer = (await ask('probe.fonts', file, {})) as { readonly fonts?: unknown } | null;
      const fonts = Array.isArray(answer?.fonts) ? (answer.fonts as unknown[]) : [];
      return fonts.slice(0, maxFonts).filter((font) => isWithin(font, file.size));
    },
  };
}

function isWithin(font: unknown, size: number): font is PlacedFont {
  const { name, offset, length } = (font ?? {}) as Partial<PlacedFont>;
  return (
    typeof name === 'string' &&
    name.length <= 200 &&
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    Number(offset) >= 0 &&
    Number(length) > 0 &&
    Number(length) <= maxFontBytes &&
    Number(offset) + Number(length) <= size
  );
}

/** Segments begin with `PG`, and the next part begins later than this one. */
function checkedSubtitle(answer: unknown, fromMs: number): PictureSubtitle | TextFailure {
  const { base64, nextMs = null } = (answer ?? {}) as Partial<EmbeddedSubtitle>;
  const isNext = nextMs === null || (Number.isFinite(nextMs) && nextMs > fromMs);
  const bytes = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64');
  const isSup = bytes.length === 0 || bytes.toString('latin1', 0, 2) === 'PG';
  if (typeof base64 === 'string' && isNext && isSup && bytes.length <= maxSubtitleBytes)
    return { kind: 'read', bytes, nextMs };
  return { kind: 'failed', code: 'malformed', message: 'No plugin reads the pictures in it.' };
}
