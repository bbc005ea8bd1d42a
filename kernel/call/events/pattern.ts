import { quoted } from '../../foreign-text.ts';
import { isEventName } from './event-name.ts';

/** What a subscriber listens to: an event's name, or a name in which `*` stands for a segment. */
export interface EventPattern {
  readonly text: string;
  readonly matches: (name: string) => boolean;
}

/** The pattern, or why the text is invalid. */
export type ParsedPattern =
  | { readonly ok: true; readonly pattern: EventPattern }
  | { readonly ok: false; readonly reason: string };

/** Two patterns that together match every event: names have two or three segments. */
export const everyEvent = ['*.*', '*.*.*'] as const;

const maxPatternLength = 200;
const wellFormed = /^[A-Za-z0-9*]+(\.[A-Za-z0-9*]+)*$/;

/**
 * Parses an event subscription. A `*` is a whole segment and stands for exactly one. Without a `*`,
 * the text must be the name of an event that can occur.
 */
export function parsePattern(text: string): ParsedPattern {
  const reason = patternFault(text);
  if (reason !== null) return { ok: false, reason };
  if (!text.includes('*')) return { ok: true, pattern: { text, matches: (name) => name === text } };
  const matches = matcher(text.split('.'));
  return { ok: true, pattern: { text, matches } };
}

function patternFault(text: string): string | null {
  if (text.length > maxPatternLength) {
    return `Event ${quoted(text)} is longer than ${maxPatternLength} characters.`;
  }
  if (!wellFormed.test(text)) {
    return `Event ${quoted(text)} is not made of letters, digits and * in segments parted by dots.`;
  }
  const segments = text.split('.');
  const mixed = segments.find((segment) => segment.includes('*') && segment !== '*');
  if (mixed !== undefined) {
    return `Event ${quoted(text)}: * stands for a whole segment, not for a part of one as in ${quoted(mixed)}.`;
  }
  if (!segments.includes('*') && !isEventName(text)) {
    return `Event ${quoted(text)} is neither in the catalogue nor named plugin.<slug>.<name>.`;
  }
  return null;
}

function matcher(wanted: readonly string[]): (name: string) => boolean {
  return (name) => {
    const segments = name.split('.');
    return (
      segments.length === wanted.length &&
      wanted.every((segment, index) => segment === '*' || segment === segments[index])
    );
  };
}
