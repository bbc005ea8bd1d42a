import type { AuthorityAnswer } from './authority-client.ts';
import type { Activation, KeptLicense } from './license.ts';

/** An activation that did not come to be. */
export type Refusal = Extract<Activation, { readonly ok: false }>;

const messages = {
  EXPIRED: 'The license has expired.',
  REFUSED: 'The license was refused.',
  MALFORMED: 'The license authority does not take this for a license key.',
  BAD_SIGNATURE: 'The license authority does not take the signature of this key.',
  UNKNOWN_ISSUER: 'The license authority does not know the issuer of this key.',
  AUTHORITY_UNREACHABLE:
    'The license authority could not be reached, so the license was not activated. Try again later.',
} as const;

/** The refusal that a code stands for. */
export const refused = (code: keyof typeof messages): Refusal => ({
  ok: false,
  code,
  message: messages[code],
});

/** What the activation service said against it; `null` = it was counted. */
export function refusalOf(answer: AuthorityAnswer): Refusal | null {
  switch (answer.kind) {
    case 'confirmed':
      return null;
    case 'refused':
      return refused(answer.code);
    case 'unreachable':
      return refused('AUTHORITY_UNREACHABLE');
    case 'conflict': {
      const { current, max } = answer;
      const message = `The license is in use on ${current} of ${max} servers: take it off one of them first.`;
      return { ok: false, conflict: true, current, max, message };
    }
  }
}

/** Why a license is active no more, for whoever did not ask. */
export function reasonOf(refusal: KeptLicense['refusal']): string {
  if (refusal === 'seats')
    return 'Other servers hold all of its seats. Take it off one of them, and enter the key again.';
  if (refusal === 'refused')
    return 'The license authority does not take it any more. Ask whoever issued it.';
  return 'It has run out, or could not be confirmed for too long.';
}
