/** Why something does not play, and the ways out. */
import { Refusal } from '../core/api.ts';
import type { Session } from './requests.ts';

/** What a person can do about it. */
export type WayOut = 'convert' | 'download' | 'retry' | 'elsewhere';

/** A reason why nothing plays. */
export interface Problem {
  readonly error: unknown;
  /** The codes of docs/playback.md. */
  readonly reasons: readonly string[];
  readonly waysOut: readonly WayOut[];
  /** Seconds after which another try may help, as the server says. */
  readonly retryAfter?: number | undefined;
}

/** Codes after which nothing but another try helps. */
const passing = new Set([
  ...['transcode_limit', 'overloaded', 'unreachable', 'stopping'],
  ...['connection_lost', 'session_lost', 'file_changed', 'gave_way', 'taken_over'],
]);

/** Seconds; who is told to wait longer tries again by hand. */
const mostWait = 600;

/** Whether the title is not there for this person. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 404 || error.status === 403);

/** Whether the server did not answer. */
export const isAway = (error: unknown): boolean =>
  error instanceof Refusal && error.code === 'unreachable';

/** The ways out of a refusal to begin, or of media that do not play in the mode `mode`. */
export function problemOf(error: unknown, mode: 'auto' | 'convert'): Problem {
  const code = error instanceof Refusal ? error.code : 'failed';
  const listed = error instanceof Refusal ? error.details['reasons'] : undefined;
  const reasons = Array.isArray(listed)
    ? listed.filter((reason) => typeof reason === 'string')
    : typeof listed === 'string'
      ? listed.split(' ').filter((reason) => reason !== '')
      : [];
  if (isAbsent(error)) return { error, reasons, waysOut: ['retry'] };
  if (passing.has(code)) {
    const wait = error instanceof Refusal ? error.retryAfter : 0;
    const retryAfter = wait > 0 && wait <= mostWait ? wait : undefined;
    return { error, reasons, waysOut: ['retry', 'download'], retryAfter };
  }
  if (code === 'transcoder_missing' || mode === 'convert')
    return { error, reasons, waysOut: ['elsewhere', 'download', 'retry'] };
  return { error, reasons, waysOut: ['convert', 'elsewhere', 'download'] };
}

/** The tracks of a session that are not played as they are, with the reasons. */
export const convertedTracks = (session: Session): Session['tracks'] =>
  session.tracks.filter(({ isSelected, way }) => isSelected && way === 'convert');
