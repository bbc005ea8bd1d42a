import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { brokerErrors, Refusal, wireOf, type RefusalCode } from './errors.ts';

const broker = path.resolve(import.meta.dirname, '..');
const tests = readdirSync(broker, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && path.basename(name) !== 'errors.test.ts')
  .map((name) => readFileSync(path.join(broker, name), 'utf8'))
  .join('\n');

/** Refusals that no request can provoke. */
const unprovoked: ReadonlySet<string> = new Set(['internal']);

describe('the refusals of the broker', () => {
  test.each(Object.keys(brokerErrors) as RefusalCode[])(
    '%s is sent with its status and code',
    (code) => {
      const { status, body } = wireOf(new Refusal(code));

      expect(status).toBe(brokerErrors[code][0]);
      expect(body['message']).toMatch(/^[A-Za-z].*\.$/);
      if (unprovoked.has(code)) return;
      const word = String(body['error']);
      const isProvoked = tests.includes(`${status} ${word}`) || tests.includes(`'${word}'`);
      expect([word, isProvoked]).toEqual([word, true]);
    },
  );

  test('for haste say when the next request is possible', () => {
    const { message } = wireOf(new Refusal('rate_limited', { retryAfterSeconds: 60 })).body;

    expect(message).toBe('Too many requests. Wait 60 s, then try again.');
  });
});
