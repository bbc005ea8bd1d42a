import { textIn, type Text } from '../../platform/text.ts';

/** The result of one check. */
export interface Finding {
  /** The name of the check: `data folder`. */
  readonly check: string;
  /** `hint`: it works, but could be better. `bad`: it does not work, or will stop working soon. */
  readonly state: 'good' | 'hint' | 'bad';
  /** The finding, as a sentence. */
  readonly what: Text;
  /** What to do about it; `null` = nothing. */
  readonly remedy: Text | null;
}

/** A finding in the language of its reader. */
export interface ShownFinding extends Omit<Finding, 'what' | 'remedy'> {
  readonly what: string;
  readonly remedy: string | null;
}

type Found = Pick<Finding, 'what'> & { readonly remedy: Text };

export const good = (check: string, what: Text): Finding => ({
  check,
  state: 'good',
  what,
  remedy: null,
});

export const hint = (check: string, found: Found): Finding => ({ check, state: 'hint', ...found });

export const bad = (check: string, found: Found): Finding => ({ check, state: 'bad', ...found });

/** `locale` as a BCP 47 tag; English where there is none. */
export const findingIn = (
  { what, remedy, ...rest }: Finding,
  locale: string | null | undefined,
): ShownFinding => ({
  ...rest,
  what: textIn(what, locale),
  remedy: remedy && textIn(remedy, locale),
});
