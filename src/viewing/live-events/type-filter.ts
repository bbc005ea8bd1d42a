import { parsePattern } from '../../../kernel/call/events/index.ts';
import { AppError } from '../../platform/errors.ts';

/** Which types of events a client subscribed to. */
export interface TypeFilter {
  /** The patterns; `null` = every event. */
  readonly types: readonly string[] | null;
  readonly wants: (type: string) => boolean;
}

/** The limit of patterns per client. */
export const mostPatterns = 100;
/** A limit, since plugins can invent any number of names. */
const mostRemembered = 500;

/** Reads patterns of names, `null` = every event; throws and names the place of an invalid one. */
export function createTypeFilter(types: readonly string[] | null, place: string): TypeFilter {
  if (types === null) return { types, wants: () => true };
  if (types.length > mostPatterns)
    throw refusal(`${place} has more than ${mostPatterns} patterns; use * for whole families.`);
  const patterns = types.map((text) => {
    const parsed = parsePattern(text);
    if (!parsed.ok) throw refusal(`${place}: ${parsed.reason}`);
    return parsed.pattern;
  });
  const verdicts = new Map<string, boolean>();
  return {
    types,
    wants: (type) => {
      const known = verdicts.get(type);
      if (known !== undefined) return known;
      if (verdicts.size >= mostRemembered) verdicts.clear();
      const verdict = patterns.some((pattern) => pattern.matches(type));
      verdicts.set(type, verdict);
      return verdict;
    },
  };
}

const refusal = (what: string): AppError => new AppError('invalid_request', { what });
