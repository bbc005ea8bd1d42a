import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { approveChallenge, approveText } from './approve.ts';
import { fingerprint } from './fingerprint.ts';

const approval = {
  appId: 'app_example',
  clientPubKey: 'ab'.repeat(32),
  deviceName: 'Küche',
  nonce: 'bm9uY2U',
  requestId: 'cmVxdWVzdA',
};

describe('The challenge of an approval', () => {
  test('is the hash of the canonical facts', async () => {
    const text = `{"appId":"app_example","clientPubKey":"${'ab'.repeat(32)}","deviceName":"Küche","kind":"approve","nonce":"bm9uY2U","requestId":"cmVxdWVzdA","v":1}`;

    expect(approveText(approval)).toBe(text);
    expect(await approveChallenge(approval)).toBe(
      createHash('sha256').update(text).digest('base64url'),
    );
  });

  test.each(Object.keys(approval))('changes with another %s', async (key) => {
    const other = { ...approval, [key]: 'other' };

    expect(await approveChallenge(other)).not.toBe(await approveChallenge(approval));
  });

  test('does not depend on other fields of a reply', async () => {
    const more = { ...approval, name: 'Example' };

    expect(await approveChallenge(more)).toBe(await approveChallenge(approval));
  });
});

describe('A fingerprint', () => {
  test('is the first 16 hex digits of the hash of the key, in four groups', async () => {
    const digits = createHash('sha256').update(Buffer.alloc(32, 0xab)).digest('hex').slice(0, 16);

    expect((await fingerprint('ab'.repeat(32))).replaceAll(' ', '')).toBe(digits);
    expect(await fingerprint('ab'.repeat(32))).toMatch(/^(?:[0-9a-f]{4} ){3}[0-9a-f]{4}$/);
  });
});
