import type { TranscodeEventData } from '../../../plugin-api/index.ts';
import { entryOf, type Cause, type SessionEntry } from './session-entry.ts';
import type { Session } from './session.ts';

/** Tells of sessions that convert. */
export interface SessionEvents {
  /** The first segment is converted. */
  readonly started: (session: Session) => void;
  /** The client reported a position. Whether it was told. */
  readonly moved: (session: Session) => boolean;
  readonly stopped: (session: SessionEntry, cause: Cause) => void;
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
  const toData = (entry: SessionEntry, progress: number): TranscodeEventData => ({
    sessionId: entry.id,
    itemId: entry.itemId,
    progress,
    fileId: entry.fileId,
    mode: entry.mode,
    reasons: entry.reasons,
    ...withRate(rateOf(entry.id)),
  });

  return {
    started: (session) => emit('transcode.started', toData(entryOf(session), 0)),
    moved: (session) => {
      const { told } = session;
      if (told === null || now() - told.at < leastMs) return false;
      const entry = entryOf(session);
      const progress = progressOf(entry);
      if (progress === told.progress) return false;
      const isFar = Math.abs(progress - told.progress) >= leastProgress;
      if (!isFar && now() - told.at < usualMs) return false;
      session.told = { progress, at: now() };
      emit('transcode.progress', toData(entry, progress));
      return true;
    },
    stopped: (entry, cause) => {
      if (entry.told === null) return;
      emit('transcode.stopped', { ...toData(entry, progressOf(entry)), cause });
    },
  };
}

const withRate = (rate: number | null) => (rate === null ? {} : { rate });

const progressOf = ({ position, duration }: SessionEntry): number =>
  duration > 0 ? Math.min(1, position / duration) : 0;
