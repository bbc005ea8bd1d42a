/**
 * Subtitles that are pictures (PGS) over a video, drawn by libpgs on a canvas. They are loaded part by
 * part, around the time that plays. The server has checked each picture. A worker of libpgs would be
 * made from text, which the policy of the page refuses, so it works in this thread.
 */

/** What is used of libpgs, whose own types this project cannot resolve. */
interface Libpgs {
  readonly PgsRenderer: new (given: {
    readonly canvas: HTMLCanvasElement;
    readonly mode: 'mainThread';
  }) => {
    readonly loadFromBuffer: (bytes: ArrayBuffer) => Promise<void>;
    readonly renderAtTimestamp: (seconds: number) => void;
    readonly dispose: () => void;
  };
}

/** Draws subtitles. */
export interface PictureText {
  /** Draws what is shown at a time, in seconds; loads what is missing. */
  readonly show: (time: number) => void;
  readonly close: () => void;
}

/** A part of the track. */
interface Part {
  readonly from: number;
  /** Where the next one begins; Infinity = it is the last. */
  readonly next: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A picture may be shown for long, and is in the part in which it begins. */
const lead = 30;
/** The next part is loaded so many seconds before it is needed. */
const ahead = 45;
const pauseMs = 5000;
/** The player gives up after so many refused requests in a row. A lost connection does not count. */
const mostRefusals = 4;

/** Where a part must be loaded from to go on at a time; `undefined` = nothing is missing. */
export function missingFrom(
  parts: readonly Pick<Part, 'from' | 'next'>[],
  time: number,
): number | undefined {
  const now = parts.find(({ from, next }) => from <= time && time < next);
  if (now === undefined) return Math.max(0, time - lead);
  const isNear = time > now.next - ahead && now.next < Infinity;
  return isNear && !parts.some(({ from }) => from === now.next) ? now.next : undefined;
}

/** All parts as one file. */
function joined(parts: readonly Part[]): ArrayBuffer {
  const length = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const all = new Uint8Array(length);
  let at = 0;
  for (const { bytes } of parts) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all.buffer;
}

/** Creates it over a canvas. `failed` is told when the server refuses the subtitles for good. */
export async function createPictureText(
  canvas: HTMLCanvasElement,
  url: string,
  failed: () => void,
): Promise<PictureText> {
  const { PgsRenderer } = (await import('libpgs')) as unknown as Libpgs;
  const renderer = new PgsRenderer({ canvas, mode: 'mainThread' });
  const given = new AbortController();
  let parts: readonly Part[] = [];
  let isLoading = false;
  let restUntil = 0;
  let refusals = 0;

  async function load(from: number): Promise<void> {
    const reply = await fetch(`${url}?from=${from.toFixed(3)}`, { signal: given.signal });
    refusals = reply.ok ? 0 : refusals + 1;
    if (reply.status === 422 || reply.status === 404 || refusals === mostRefusals) {
      failed();
      given.abort();
    }
    if (!reply.ok) throw new Error(`The subtitles answered ${reply.status}.`);
    const bytes = new Uint8Array(await reply.arrayBuffer());
    const next = Number(reply.headers.get('x-vitrine-next') ?? Infinity);
    const part = { from, next: Number.isFinite(next) ? next : Infinity, bytes };
    const before = parts.filter((one) => one.next === from).slice(-1);
    parts = [...before, part];
    await renderer.loadFromBuffer(joined(parts));
    // Its number in the new file may be the one of another picture in the old one.
    renderer.renderAtTimestamp(-1);
  }

  return {
    show: (time) => {
      renderer.renderAtTimestamp(time);
      const from = missingFrom(parts, time);
      if (from === undefined || isLoading || given.signal.aborted || Date.now() < restUntil) return;
      isLoading = true;
      load(from)
        .catch(() => (restUntil = Date.now() + pauseMs))
        .finally(() => (isLoading = false));
    },
    close: () => {
      given.abort();
      renderer.dispose();
    },
  };
}
