/** Ranges of a file of the server. */
import { Refusal, requestHeaders } from '../core/api.ts';

/** A file that is read piece by piece. */
export interface RangeSource {
  readonly size: number;
  /** The bytes from `start` to `end`, without `end`. */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
}

/** A file of a library. Rejects with a {@link Refusal} if the server does not give the range. */
export const fileSource = (fileId: string, size: number): RangeSource => ({
  size,
  read: async (start, end) => {
    const headers = { ...requestHeaders(), range: `bytes=${start}-${end - 1}` };
    const reply = await fetch(`/api/files/${encodeURIComponent(fileId)}/stream`, { headers }).catch(
      () => {
        throw new Refusal(0, '', { code: 'unreachable' });
      },
    );
    if (reply.status !== 206) {
      await reply.body?.cancel();
      throw new Refusal(reply.status, '', { code: reply.status === 404 ? 'not_found' : 'failed' });
    }
    return new Uint8Array(await reply.arrayBuffer());
  },
});
