import type { Body } from '../../call/running-plugin.ts';
import { fitsChannel, parseGuestFrame, type GuestReport, type GuestRequest } from './frames.ts';

/** A frame whose body exceeds the limit in bytes, though not in characters. */
export interface LargeFrame {
  readonly kind: 'too-large';
  readonly call: number;
}

/**
 * Validated frames of a guest. The header comes from the guest runtime and is as untrusted as the
 * plugin; invalid frames are left out. Bodies are beside the header, in the order of their frames.
 */
export function* readGuestFrames(
  framesJson: string,
  bodies: readonly unknown[],
): Generator<GuestReport | GuestRequest | LargeFrame> {
  let nextBody = 0;
  for (const head of parseFrames(framesJson)) {
    const hasBody = typeof head === 'object' && head !== null && 'body' in head;
    const frame = parseGuestFrame(hasBody ? { ...head, body: toBody(bodies[nextBody++]) } : head);
    if (frame !== undefined) yield frame;
    else if (hasBody && 'call' in head) yield { kind: 'too-large', call: Number(head.call) };
  }
}

function parseFrames(framesJson: string): readonly unknown[] {
  try {
    const frames: unknown = JSON.parse(framesJson);
    return Array.isArray(frames) ? frames : [];
  } catch {
    return [];
  }
}

/** A body that is too large is dropped together with its frame. */
function toBody(raw: unknown): Body | undefined {
  const body = raw instanceof ArrayBuffer ? new Uint8Array(raw) : raw;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return undefined;
  return fitsChannel(body) ? body : undefined;
}
