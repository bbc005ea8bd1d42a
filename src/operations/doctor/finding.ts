/** The result of one check. */
export interface Finding {
  /** The name of the check: `data folder`. */
  readonly check: string;
  /** `hint`: it works, but could be better. `bad`: it does not work, or will stop working soon. */
  readonly state: 'good' | 'hint' | 'bad';
  /** The finding, as a sentence. */
  readonly what: string;
  /** What to do about it; `null` = nothing. */
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
