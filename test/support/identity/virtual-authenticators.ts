/** Authenticators in Chromium: what a person would touch, by the browser's own protocol for tests. */
import type { CDPSession, Page } from 'playwright-core';

/** What one is like; each has its usual value. */
export interface AuthenticatorKind {
  /** Whether its passkeys give a secret. */
  readonly hasPrf?: boolean;
  /** Whether the person is recognised by it: a finger that fits, a PIN that is right. */
  readonly isUserVerified?: boolean;
  readonly transport?: 'internal' | 'usb';
}

/** Authenticators of one page. */
export interface Authenticators {
  /** Plugs one in; gives its id. */
  readonly add: (kind?: AuthenticatorKind) => Promise<string>;
  readonly remove: (id: string) => Promise<void>;
}

/** Makes a page use virtual authenticators; there is none at first. */
export async function virtualAuthenticators(page: Page): Promise<Authenticators> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  return {
    async add({ hasPrf = true, isUserVerified = true, transport = 'internal' } = {}) {
      const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          ctap2Version: 'ctap2_1',
          transport,
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified,
          hasPrf,
          automaticPresenceSimulation: true,
        },
      });
      return authenticatorId;
    },
    remove: async (authenticatorId) => {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
    },
  };
}
