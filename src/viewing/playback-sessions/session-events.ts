import type { TranscodeEventData } from '../../../plugin-api/index.ts';
import { secondsOf } from './playable-file.ts';
import type { Session } from './session.ts';

/** Why a session ended. */
export type Cause = NonNullable<TranscodeEventData['cause']>;

/** Tells of sessions that convert. */
export interface SessionEvents {
  /** The first segment is converted. */
  readonly started: (session: Session) => void;
  /** The client reported a position. */
  readonly moved: (session: Session) => void;
  readonly stopped: (session: Session, cause: Cause) => void;
}

/** Sends an event. */
export type EmitTranscode = (
  type: 'transcode.started' | 'transcode.progress' | 'transcode.stopped',
  data: TranscodeEventData,
) => void;

const leastProgress = 0.05;
const leastMs = 5000;
/** Of a long film, 5 % are many minutes. */
const usualMs = 30_000;

/** Creates it. Progress is told after 5 % of the film or 30 s, and after 5 s at the earliest. */
export function createSessionEvents(
  emit: EmitTranscode,
  now: () => number,
  rateOf: (sessionId: string) => number | null,
): SessionEvents {
  const toData = (session: Session, progress: number): TranscodeEventData => ({
    sessionId: session.id,
    itemId: session.file.itemId,
    progress,
    fileId: session.file.id,
    mode: session.decided.mode,
    reasons: session.decided.reasons,
    ...withRate(rateOf(session.id)),
  });

  return {
    started: (session) => {
      if (session.told !== null) return;
      session.told = { progress: 0, at: now() };
      emit('transcode.started', toData(session, 0));
    },
    moved: (session) => {
      const { told } = session;
      const progress = progressOf(session);
      if (told === null || now() - told.at < leastMs || progress === told.progress) return;
      const isFar = Math.abs(progress - told.progress) >= leastProgress;
      if (!isFar && now() - told.at < usualMs) return;
      session.told = { progress, at: now() };
      emit('transcode.progress', toData(session, progress));
    },
    stopped: (session, cause) => {
      if (session.told === null) return;
      emit('transcode.stopped', { ...toData(session, progressOf(session)), cause });
    },
  };
}

const withRate = (rate: number | null) => (rate === null ? {} : { rate });

function progressOf({ position, file }: Session): number {
  const seconds = secondsOf(file);
  return seconds > 0 ? Math.min(1, position / seconds) : 0;
}
