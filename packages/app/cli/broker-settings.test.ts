import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { usualLimits } from '../broker/index.ts';
import { brokerSettings, readBrokerSettings } from './broker-settings.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'vitrine-test-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}
const read = (
  flags: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
  cwd = '/nowhere',
) => readBrokerSettings({ flags, env, cwd });

describe('the settings of the broker', () => {
  test('have defaults', () => {
    expect(read()).toEqual({
      host: '127.0.0.1',
      port: 8361,
      data: '/nowhere/broker-data',
      identityUrl: null,
      database: 'sqlite:/nowhere/broker-data/broker.db',
      trustedProxies: [],
      logLevel: 'info',
      logFormat: 'text',
      limits: usualLimits,
    });
  });

  test('flags win over variables, and variables over the file', () => {
    const data = folder();
    const file = { port: 1, host: 'a', limitWrongCodes: 7, trustedProxies: '10.0.0.0/8,::1' };
    writeFileSync(path.join(data, 'broker.json'), JSON.stringify(file));

    const settings = read(
      { data, port: '3' },
      { VITRINE_BROKER_PORT: '2', VITRINE_BROKER_HOST: 'b' },
    );

    expect([settings.port, settings.host, settings.limits.wrongCodes]).toEqual([3, 'b', 7]);
    expect(settings.trustedProxies).toEqual(['10.0.0.0/8', '::1']);
  });

  test('ignore the variables of the server, and refuse an unknown broker variable', () => {
    expect(read({}, { VITRINE_PORT: '1', VITRINE_NOPE: 'x' }).port).toBe(8361);
    expect(() => read({}, { VITRINE_BROKER_NOPE: 'x' })).toThrow('VITRINE_BROKER_NOPE');
  });

  test.each([
    [{ port: '70000' }, '--port 70000'],
    [{ limitFeedPerHour: '0' }, '--limit-feed-per-hour 0'],
    [{ limitFeedPerHour: 'many' }, 'whole number'],
    [{ identityUrl: 'http://id.example.org' }, '--identity-url'],
    [{ identityUrl: 'https://192.0.2.1' }, 'host name'],
    [{ identityUrl: 'https://id.example.org/sub' }, 'a path is not allowed'],
    [{ identityUrl: 'https://id.example.org?x' }, '--identity-url'],
    [{ trustedProxies: '10.0.0.0/40' }, '--trusted-proxies'],
    [{ logLevel: 'loud' }, '--log-level'],
    [{ database: 'mysql://x' }, '--database'],
  ])('refuse %j with a message that names it', (flags, words) => {
    expect(() => read(flags)).toThrow(words);
  });

  test.each([['{"nope":1}'], ['{"data":"x"}'], ['[]'], ['{'], ['{"port":[1]}']])(
    'refuse the file %s',
    (text) => {
      const data = folder();
      writeFileSync(path.join(data, 'broker.json'), text);

      expect(() => read({ data })).toThrow('broker.json');
    },
  );

  test.each(['https://id.example.org', 'https://id.example.org:8443', 'http://localhost:8361'])(
    'accept %s as an address for passkeys',
    (identityUrl) => {
      expect(read({ identityUrl }).identityUrl).toBe(identityUrl);
      expect(read({ identityUrl: `${identityUrl}/` }).identityUrl).toBe(identityUrl);
    },
  );
});

test('docs/broker.md has one row for each setting, in their order, and no other', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/broker.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));

  expect(rows.map((row) => row.slice(0, 2))).toEqual(
    brokerSettings.map(({ flag, env }) => [`--${flag}`, env]),
  );
  for (const [index, { key }] of brokerSettings.entries())
    if (key !== 'data') expect(rows[index]).toContain(key);
});
