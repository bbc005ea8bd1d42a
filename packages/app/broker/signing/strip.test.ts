import { describe, expect, test } from 'vitest';
import { strip } from './strip.ts';

const secret = 'c2VjcmV0LW9mLXRoZS1wcmY';
const response = {
  clientDataJSON: 'e30',
  authenticatorData: 'AA',
  signature: 'BB',
  userHandle: 'CC',
};

describe('The posted form of a passkey', () => {
  test('never contains PRF output, in any field of the browser', () => {
    const posted = strip({
      ...{ id: 'x', rawId: 'x', type: 'public-key', authenticatorAttachment: 'platform' },
      response: { ...response, results: { first: secret } },
      clientExtensionResults: {
        prf: { enabled: true, results: { first: secret, second: secret } },
        hmacGetSecret: { output1: secret },
      },
      results: secret,
    });

    expect(posted).toEqual({
      ...{ id: 'x', rawId: 'x', type: 'public-key', authenticatorAttachment: 'platform' },
      response,
      clientExtensionResults: { prf: { enabled: true } },
    });
    expect(JSON.stringify(posted)).not.toContain(secret);
    expect(JSON.stringify(posted)).not.toContain('"results"');
  });

  test('does not mention a PRF that the browser did not mention', () => {
    const posted = strip({
      ...{ id: 'x', rawId: 'x', type: 'public-key', response },
      clientExtensionResults: { prf: { results: { first: secret } } },
    });

    expect(posted['clientExtensionResults']).toEqual({});
  });

  test.each([null, 'text', 7, []])('is empty for a value that is not a credential: %j', (json) => {
    expect(strip(json)).toMatchObject({ response: {}, clientExtensionResults: {} });
  });
});
