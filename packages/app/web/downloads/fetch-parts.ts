/** Fetches an item part by part, from the first part that is not here. */
import type { Bytes } from './byte-range.ts';
import type { PartStore } from './kept-store.ts';
import { nextFile, partAt, type Fault, type Kept, type KeptFile } from './kept.ts';
import { faultOf, type ReplyHead } from './part-reply.ts';

/**
 * How it ended. `later` = the server does not answer now; `stopped` = it is not wanted any longer;
 * `signedOut` = the session ended.
 */
export type Ending = 'ready' | 'later' | 'signedOut' | 'stopped' | Fault;

/** A reply with its bytes as they come. */
export interface PartReply extends ReplyHead {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

export interface FetchParts {
  /** Asks for bytes of a file; rejects if the server does not answer. */
  readonly ask: (file: KeptFile, bytes: Bytes, signal: AbortSignal) => Promise<PartReply>;
  readonly store: PartStore;
  /** Hears how many bytes of the part under way came, and the item after each part. */
  readonly heard: (kept: Kept, bytes: number) => void;
  readonly signal: AbortSignal;
  /** A connection from which nothing comes for so long is given up. */
  readonly silenceMs?: number;
}

/** The bytes of a reply; `undefined` = there are more or fewer than there should be. */
async function bytesIn(
  { body }: PartReply,
  length: number,
  came: (bytes: number) => void,
): Promise<Blob | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = body?.getReader();
  for (let here = 0; reader !== undefined;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    here += value.byteLength;
    came(here);
    if (here > length) {
      await reader.cancel();
      return undefined;
    }
  }
  const part = new Blob(chunks);
  return part.size === length ? part : undefined;
}

/** Fetches all that is missing. What came stays, however it ends. */
export async function fetchParts(kept: Kept, parts: FetchParts): Promise<Ending> {
  let now = kept;
  for (;;) {
    const file = nextFile(now);
    if (file === undefined) return 'ready';
    const part = await fetchPart(now, file, parts);
    if (parts.signal.aborted) return 'stopped';
    if (typeof part === 'string') return part;
    const saved = await save(now, file, part, parts);
    if (saved === undefined) return 'stopped';
    if (typeof saved === 'string') return saved;
    now = saved;
    parts.heard(now, 0);
  }
}

async function save(now: Kept, file: KeptFile, part: Blob, { store }: FetchParts) {
  try {
    return await store.savePart(now.key, file.fileId, part);
  } catch (error) {
    return (error as { readonly name?: string }).name === 'QuotaExceededError'
      ? 'space'
      : 'storage';
  }
}

async function fetchPart(
  now: Kept,
  file: KeptFile,
  { ask, heard, signal, silenceMs = 30_000 }: FetchParts,
): Promise<Blob | 'later' | 'signedOut' | Fault> {
  const bytes = partAt(file, file.parts);
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), silenceMs);
  };
  wait();
  try {
    const reply = await ask(file, bytes, AbortSignal.any([signal, silence.signal]));
    const fault = faultOf(reply, file, bytes);
    if (fault !== null) {
      await reply.body?.cancel();
      return fault;
    }
    const part = await bytesIn(reply, bytes.last - bytes.first + 1, (came) => {
      wait();
      heard(now, came);
    });
    return part ?? 'reply';
  } catch {
    return 'later';
  } finally {
    clearTimeout(timer);
  }
}
