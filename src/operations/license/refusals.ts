import { say, type Text } from '../../platform/text.ts';
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
  if (refusal === 'seats') return say('license.otherServersUseAllSeats');
  if (refusal === 'refused') return say('license.licenseAuthorityNoLongerAccepts');
  return say('license.expiredCouldNotConfirmedToo');
}

const statuses: Readonly<Record<LicenseStatus, Text>> = {
  unlicensed: say('license.noLicense'),
  active: say('license.licenseActive'),
  expired: say('license.licenseExpired'),
  invalid: say('license.licenseInvalid'),
};

/** The status of a license, for a notification. */
export const statusText = (status: LicenseStatus): Text => statuses[status];

/** For a notification of a seat that the authority may still count. */
export const seatNotReturned = (maskedKey: string) => ({
  title: say('license.seatLicenseMayStillTaken'),
  message: say('license.licenseAuthorityCouldNotTold', { maskedKey }),
});
