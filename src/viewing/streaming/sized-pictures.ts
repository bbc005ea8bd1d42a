/**
 * Pictures in the size and format that a client asks for. A plugin with the capability `pictures`
 * makes them, since no byte of a picture is decoded in the server. Each is kept on disk, and so is
 * the failure of a picture that cannot be decoded: it is not tried again until the picture changes,
 * or the plugin answers in a higher version.
 */
import { LRUCache } from 'lru-cache';
import { isNotGranted, KernelError, type CallPlugin } from '../../../kernel/index.ts';
import { createSemaphore } from '../../../packages/lib/concurrency/index.ts';
import type {
  PictureFile,
  PictureFormat,
  PictureInput,
  PictureResult,
  ServedKey,
} from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import { pictureType, type CachedAnswer, type DiskCache } from '../../platform/net/index.ts';
import { createCurrentReader } from './current-reader.ts';

/** A picture before it is made smaller. */
export interface PictureSource {
  /** Changes when the content changes. */
  readonly version: string;
  readonly load: () => Promise<PictureFile>;
}

/** What a client asks for. */
export interface PictureShape {
  /** Pixels. */
  readonly width: number;
  readonly format: PictureFormat;
}

/** A picture that was made. */
export interface SizedPicture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  /** The mean colour, `#rrggbb`. */
  readonly color: string;
  /** Base64. */
  readonly thumbhash: string;
}

/**
 * Returns the picture; `null` when no plugin makes pictures, or none may see this one. Throws `picture_refused` for one that
 * cannot be decoded within the limits.
 */
export type MakePicture = (
  source: PictureSource,
  shape: PictureShape,
) => Promise<SizedPicture | null>;

/** Makes pictures, and names them. */
export interface SizedPictures {
  readonly make: MakePicture;
  /** Differs between pictures that may differ: another source, shape, or version of the plugin. */
  readonly keyOf: (source: Pick<PictureSource, 'version'>, shape: PictureShape) => string;
}

export interface SizedPicturesParts {
  readonly call: CallPlugin;
  readonly providers: (key: ServedKey) => readonly string[];
  readonly answersVersionOf: (pluginId: string) => number;
  readonly cache: Pick<DiskCache, 'read' | 'write'>;
  readonly clock: Clock;
}

const timeoutMs = 10_000;
const maxBase64 = 8 * 1024 * 1024;
const refused = 422;

/** The limit of pictures in memory: some hundred of those that grids show. */
const maxRecentBytes = 8 * 1024 * 1024;

/** Creates it. Concurrent requests for one picture share the answer. */
export function createSizedPictures(parts: SizedPicturesParts): SizedPictures {
  const { call, providers, cache, clock } = parts;
  const currentReader = createCurrentReader(
    () => providers('pictures').slice(0, 1),
    parts.answersVersionOf,
  );
  const recent = new LRUCache<string, SizedPicture>({
    maxSize: maxRecentBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const underWay = new Map<string, Promise<SizedPicture | null>>();
  // One at a time: when the plugin crashes, this picture is the cause.
  const semaphore = createSemaphore(1);

  const keep = (key: string, answer: Omit<CachedAnswer, 'storedAt'>): Promise<void> =>
    cache.write(key, { ...answer, storedAt: clock.now() });

  async function ask(pluginId: string, input: PictureInput): Promise<PictureResult | null> {
    try {
      return checked(await call(pluginId, 'pictures.make', input, { timeoutMs }));
    } catch (error) {
      // A picture outside of the plugin's scope is shown as it is.
      if (isNotGranted(error)) return null;
      if (!isFaultOfPicture(error)) throw error;
      return { kind: 'failed', code: 'over-budget', message: 'Decoding it failed.' };
    }
  }

  const keyOf: SizedPictures['keyOf'] = ({ version }, { width, format }) =>
    JSON.stringify([currentReader(), version, width, format]);

  async function makeOrRead(
    key: string,
    source: PictureSource,
    shape: PictureShape,
  ): Promise<SizedPicture | null> {
    const known = await cache.read(key);
    if (known !== null) return toPicture(known);
    const [pluginId] = providers('pictures');
    if (pluginId === undefined) return null;
    return semaphore.run(async () => {
      const result = await ask(pluginId, { source: await source.load(), ...shape });
      if (result === null) return null;
      if (result.kind === 'failed') {
        const { code, message } = result;
        if (code !== 'unreadable') {
          await keep(key, { status: refused, headers: {}, body: Buffer.from(message) });
        }
        throw new AppError('picture_refused', { why: message });
      }
      const { base64, color, thumbhash } = result;
      const body = Buffer.from(base64, 'base64');
      const answer = { status: 200, headers: { color, thumbhash }, body };
      await keep(key, answer);
      return toPicture(answer);
    });
  }

  const make: MakePicture = (source, shape) => {
    const key = keyOf(source, shape);
    const shown = recent.get(key);
    if (shown) return Promise.resolve(shown);
    const known = underWay.get(key);
    if (known) return known;
    const made = makeOrRead(key, source, shape).finally(() => underWay.delete(key));
    underWay.set(key, made);
    made.then(
      (picture) => void (picture !== null && recent.set(key, picture)),
      () => undefined,
    );
    return made;
  };

  return { make, keyOf };
}

/** The type follows the bytes, also where a plugin returned another format. */
function toPicture({ status, headers, body }: Omit<CachedAnswer, 'storedAt'>): SizedPicture {
  if (status === refused) {
    throw new AppError('picture_refused', { why: Buffer.from(body).toString() });
  }
  const mimeType = pictureType(body) ?? 'application/octet-stream';
  return {
    mimeType,
    bytes: body,
    color: headers['color'] ?? '#808080',
    thumbhash: headers['thumbhash'] ?? '',
  };
}

/** A crash, a time-out or an error inside the decoder; not a plugin that is stopped or not granted. */
const isFaultOfPicture = (error: unknown): boolean =>
  error instanceof KernelError && error.code === 'plugin_failed';

const isPicture = (start: Uint8Array): boolean => pictureType(start) !== null;

/** The answer of a plugin is believed only as far as it can be checked. */
function checked(value: unknown): PictureResult {
  const result = value as PictureResult;
  if (result?.kind === 'failed' && typeof result.message === 'string') {
    const { code, message } = result;
    return { kind: 'failed', code, message: message.slice(0, 300) };
  }
  const isMade =
    result?.kind === 'made' &&
    typeof result.base64 === 'string' &&
    isPicture(Buffer.from(result.base64.slice(0, 32), 'base64')) &&
    result.base64.length <= maxBase64 &&
    /^#[0-9a-f]{6}$/.test(result.color) &&
    /^[A-Za-z0-9+/=]{0,100}$/.test(result.thumbhash);
  if (!isMade) throw new KernelError('plugin_failed', 'It returned no picture.');
  return result;
}
