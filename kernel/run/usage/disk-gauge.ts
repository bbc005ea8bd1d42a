/**
 * The disk space that a plugin uses. Measuring an index takes as long as reading it, so a measurement
 * is reused for a while and later writes are added to it. Before a refusal it is measured again.
 */
import { KernelError } from '../../errors.ts';
import type { Clock } from '../plugin/clock.ts';

/** Bytes by kind of storage. */
export interface DiskUse {
  readonly kvBytes: number;
  /** Of the text of its documents. */
  readonly textIndexBytes: number;
  readonly packageBytes: number;
}

/** Measures usage, and refuses writes beyond the quota. */
export type DiskGauge = ReturnType<typeof createDiskGauge>;

/** The measuring functions. */
export interface DiskMeasures {
  readonly kvBytes: () => Promise<number>;
  readonly textIndexBytes: () => Promise<number>;
  readonly packageBytes: () => Promise<number>;
}

const freshMs = 60_000;

/** Creates a gauge that measures at first use. */
export function createDiskGauge(measures: DiskMeasures, clock: Clock) {
  let text: { readonly bytes: number; readonly at: number } | null = null;
  let written = 0;
  let packaged: Promise<number> | null = null;

  async function measureText(): Promise<number> {
    written = 0;
    const bytes = await measures.textIndexBytes();
    text = { bytes, at: clock.now() };
    return bytes;
  }

  async function textBytes(): Promise<number> {
    const isFresh = text !== null && clock.now() - text.at < freshMs;
    return isFresh && text !== null ? text.bytes + written : measureText();
  }

  return {
    use: async (): Promise<DiskUse> => ({
      kvBytes: await measures.kvBytes(),
      textIndexBytes: await textBytes(),
      packageBytes: await (packaged ??= measures.packageBytes()),
    }),
    /** Throws `quota_exceeded` when the index has no room for this many bytes. */
    admitText: async (bytes: number, limitBytes: number | null): Promise<void> => {
      if (limitBytes === null) return;
      text ??= { bytes: await measureText(), at: clock.now() };
      const isTooMuch = () => (text?.bytes ?? 0) + written + bytes > limitBytes;
      if (isTooMuch()) await measureText();
      if (isTooMuch())
        throw new KernelError(
          'quota_exceeded',
          `The plugin's text index would take more than ${limitBytes} bytes; remove documents first.`,
        );
      written += bytes;
    },
  };
}
