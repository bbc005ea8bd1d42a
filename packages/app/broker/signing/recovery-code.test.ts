import { describe, expect, test } from 'vitest';
import {
  createRecoveryCode,
  groupRecoveryCode,
  parseRecoveryCode,
  recoveryAuth,
  recoverySecret,
} from './recovery-code.ts';

describe('A recovery code', () => {
  test('has 26 random letters and digits', () => {
    const codes = new Set(Array.from({ length: 100 }, createRecoveryCode));

    expect(codes.size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test('is parsed with any spacing and case', () => {
    const code = '0123456789ABCDEFGHJKMNPQ11';

    expect(groupRecoveryCode(code)).toBe('0123-4567-89AB-CDEF-GHJK-MNPQ-11');
    expect(parseRecoveryCode(groupRecoveryCode(code))).toBe(code);
    expect(parseRecoveryCode(' o123 4567–89ab cdef\tghjk mnpq-iL ')).toBe(code);
  });

  test.each(['', '0123456789ABCDEFGHJKMNPQ1', '0123456789ABCDEFGHJKMNPQ111'])(
    'is refused with more or fewer than 26: %j',
    (text) => expect(parseRecoveryCode(text)).toBeNull(),
  );

  test('is refused with a letter outside its alphabet', () => {
    expect(parseRecoveryCode('U123456789ABCDEFGHJKMNPQ11')).toBeNull();
  });

  test('gives the broker 32 bytes that do not open the vault', async () => {
    const code = createRecoveryCode();

    const auth = await recoveryAuth(code);

    expect(Buffer.from(auth, 'base64url')).toHaveLength(32);
    expect(await recoveryAuth(code)).toBe(auth);
    expect(await recoveryAuth(createRecoveryCode())).not.toBe(auth);
    expect(Buffer.from(recoverySecret(code).ikm).toString('base64url')).not.toContain(auth);
  });
});
