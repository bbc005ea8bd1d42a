import type { Text } from '../../platform/text.ts';
import type { AuthorityAnswer } from './authority-client.ts';
import type { Activation, LicenseStatus, StoredLicense } from './license.ts';

/** A refused activation. */
export type Refusal = Extract<Activation, { readonly ok: false }>;

const messages = {
  EXPIRED: 'The license has expired.',
  REFUSED: 'The license was refused.',
  MALFORMED: 'The license authority does not accept this as a license key.',
  BAD_SIGNATURE: 'The license authority does not accept the signature of this key.',
  UNKNOWN_ISSUER: 'The license authority does not know the issuer of this key.',
  AUTHORITY_UNREACHABLE:
    'The license authority could not be reached, so the license was not activated. Try again later.',
} as const;

/** The refusal for a code. */
export const refused = (code: keyof typeof messages): Refusal => ({
  ok: false,
  code,
  message: messages[code],
});

/** The refusal of the activation service; `null` = it was counted. */
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
      const message = `The license is in use on ${current} of ${max} servers: remove it from one of them first.`;
      return { ok: false, conflict: true, current, max, message };
    }
  }
}

/** Why a license is no longer active, for a notification. */
export function reasonOf(refusal: StoredLicense['refusal']): Text {
  if (refusal === 'seats')
    return {
      english:
        'Other servers use all of its seats. Remove it from one of them, and enter the key again.',
      german:
        'Andere Server belegen alle ihre Plätze. Entfernen Sie sie von einem davon und geben Sie den Schlüssel noch einmal ein.',
    };
  if (refusal === 'refused')
    return {
      english: 'The license authority no longer accepts it. Contact its issuer.',
      german: 'Die Lizenzstelle erkennt sie nicht mehr an. Wenden Sie sich an ihren Aussteller.',
    };
  return {
    english: 'It has expired, or could not be confirmed for too long.',
    german: 'Sie ist abgelaufen, oder sie konnte zu lange nicht bestätigt werden.',
  };
}

const statuses: Readonly<Record<LicenseStatus, Text>> = {
  unlicensed: { english: 'There is no license.', german: 'Es gibt keine Lizenz.' },
  active: { english: 'The license is active.', german: 'Die Lizenz ist gültig.' },
  expired: { english: 'The license is expired.', german: 'Die Lizenz ist abgelaufen.' },
  invalid: { english: 'The license is invalid.', german: 'Die Lizenz ist ungültig.' },
};

/** The status of a license, for a notification. */
export const statusText = (status: LicenseStatus): Text => statuses[status];

/** For a notification of a seat that the authority may still count. */
export const seatNotReturned = (maskedKey: string) => ({
  title: {
    english: 'The seat of the license may still be taken.',
    german: 'Der Platz der Lizenz ist vielleicht noch belegt.',
  },
  message: {
    english: `The license authority could not be told that the license ${maskedKey} is no longer used here. Enter it and remove it again to return its seat.`,
    german: `Die Lizenzstelle erfuhr nicht, dass die Lizenz ${maskedKey} hier nicht mehr benutzt wird. Geben Sie sie ein und entfernen Sie sie wieder, um ihren Platz zurückzugeben.`,
  },
});
