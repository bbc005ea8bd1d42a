/**
 * Which encoder makes a picture. The init segment of an encoder fits only its own segments, so a session
 * keeps the encoder whose init segment it has. Where a device fails for a film, later sessions of it are
 * encoded on the processor; after three failures within an hour all are, for an hour.
 */
import type { VideoRecipe } from '../../../plugin-api/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { softwareEncoder, type HardwareKind, type UsedEncoder } from './picture-encoders.ts';

/** Chooses encoders. */
export type EncoderChoice = ReturnType<typeof createEncoderChoice>;

/** A picture of a session. */
export interface AskedPicture {
  readonly sessionId: string;
  readonly contentKey: string;
  readonly codec: VideoRecipe['codec'];
  /** Names the recipe and the stream. */
  readonly name: string;
}

const hourMs = 3_600_000;
const mostFailures = 3;

/** Creates it. `onRest` is called once each time a device begins to rest. */
export function createEncoderChoice(
  { now }: Pick<Clock, 'now'>,
  onRest: (kind: HardwareKind) => void = () => undefined,
) {
  const held = new Map<string, Map<string, UsedEncoder>>();
  /** When a device failed, and for which film. */
  let failures: readonly { readonly at: number; readonly contentKey: string }[] = [];

  const recent = () => {
    failures = failures.filter(({ at }) => now() - at < hourMs);
    return failures;
  };
  /** Whether all pictures are encoded on the processor, since the device fails. */
  const isResting = (): boolean => recent().length >= mostFailures;
  const heldBy = ({ sessionId, name }: AskedPicture): UsedEncoder | undefined =>
    held.get(sessionId)?.get(name);

  return {
    /** The one for a session and a picture. */
    choose: (asked: AskedPicture, best: UsedEncoder): UsedEncoder => {
      const own = heldBy(asked);
      if (own !== undefined) return own;
      const fails = recent().some(({ contentKey }) => contentKey === asked.contentKey);
      return isResting() || fails || !best.codecs.includes(asked.codec) ? softwareEncoder : best;
    },
    /** The session has its init segment, and stays with it. */
    given: (asked: AskedPicture, encoder: UsedEncoder): void => {
      const own = held.get(asked.sessionId) ?? new Map<string, UsedEncoder>();
      own.set(asked.name, encoder);
      held.set(asked.sessionId, own);
    },
    /** Says whether the processor may do the work in its place. */
    failed: (asked: AskedPicture, { kind }: UsedEncoder): boolean => {
      if (kind === 'software') return false;
      const rested = isResting();
      failures = [...recent(), { at: now(), contentKey: asked.contentKey }].slice(-100);
      if (!rested && isResting()) onRest(kind);
      return heldBy(asked) === undefined;
    },
    ended: (sessionId: string): void => void held.delete(sessionId),
    isResting,
  };
}
