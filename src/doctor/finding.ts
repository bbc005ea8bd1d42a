/** What one look at the installation found. */
export interface Finding {
  /** What was looked at, in a word or two: `data folder`. */
  readonly check: string;
  /** `hint`: it works, and could be better. `bad`: it does not work, or not for long. */
  readonly state: 'good' | 'hint' | 'bad';
  /** What is so, in a sentence. */
  readonly what: string;
  /** What to do about it; `null` where nothing is to be done. */
  readonly remedy: string | null;
}

type Found = Pick<Finding, 'what'> & { readonly remedy: string };

export const good = (check: string, what: string): Finding => ({
  check,
  state: 'good',
  what,
  remedy: null,
});

export const hint = (check: string, found: Found): Finding => ({ check, state: 'hint', ...found });

export const bad = (check: string, found: Found): Finding => ({ check, state: 'bad', ...found });
