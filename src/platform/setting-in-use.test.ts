import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const inUse = (key: string, flags: Record<string, string>, env: Record<string, string> = {}) =>
  readConfig({ flags, env, cwd: '/tmp' }).inUse.find((one) => one.key === key);

describe('a setting in use', () => {
  test('names its value and where it comes from; a flag wins over a variable', () => {
    const env = { VITRINE_SCAN_HOURS: '6' };

    expect(inUse('scanHours', { scanHours: '12' }, env)).toEqual({
      key: 'scanHours',
      flag: 'scan-hours',
      variable: 'VITRINE_SCAN_HOURS',
      help: 'hours between scans of all libraries, 0 = never',
      usual: '24',
      value: '12',
      origin: 'flag',
    });
    expect(inUse('scanHours', {}, env)).toMatchObject({ value: '6', origin: 'variable' });
    expect(inUse('scanHours', {})).toMatchObject({ value: null, origin: 'default' });
  });

  test.each([
    ['postgres://vitrine:geheim@db.local/vitrine', 'postgres://vitrine:…@db.local/vitrine'],
    ['postgres://vitrine:geh@im/@db.local/vitrine', 'postgres://vitrine:…@db.local/vitrine'],
    ['postgres://db/v?user=a&password=geheim&ssl=1', 'postgres://db/v?user=a&password=…&ssl=1'],
    ['sqlite:/data/vitrine.db', 'sqlite:/data/vitrine.db'],
  ])('shows no password: %s', (database, shown) => {
    expect(inUse('database', { database })?.value).toBe(shown);
  });
});
