import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPowerLog, type PowerUse } from './power-log.ts';

const fetchOf = (subject: string): PowerUse => ({
  call: 'net.fetch',
  subject,
  need: { name: 'net' },
});
const denied = { code: 'permission_denied', message: 'The plugin was not granted net: b.' };

function open() {
  const clock = createFakeClock();
  const heard: unknown[] = [];
  const log = createPowerLog(clock, (use, why) => heard.push([use.call, use.subject, why.code]));
  const refuse = (use: PowerUse): void => {
    log.note(use);
    log.refuse(use, denied);
  };
  return { clock, log, heard, refuse };
}

describe('the log of the powers of a plugin', () => {
  test('counts each use by its power, and what was refused among them', () => {
    const { log, refuse } = open();
    log.note(fetchOf('a:443'));
    log.note({ call: 'config.get', subject: null, need: null });
    log.note({ call: 'kv.get', subject: null, need: { name: 'kv' } });
    log.exercise('metadata');
    refuse(fetchOf('b:443'));

    expect(log.powers()).toEqual([
      { permission: 'net', uses: 2, refused: 1 },
      { permission: 'kv', uses: 1, refused: 0 },
      { permission: 'metadata', uses: 1, refused: 0 },
    ]);
  });

  test('keeps refusals with time and reason, similar ones as one, and reports each', async () => {
    const { log, clock, heard, refuse } = open();
    refuse(fetchOf('b:443'));
    await clock.advance(60_000);
    refuse(fetchOf('b:443'));
    refuse(fetchOf('c:443'));

    expect(log.refusals()).toEqual([
      expect.objectContaining({ subject: 'c:443', count: 1 }),
      {
        call: 'net.fetch',
        subject: 'b:443',
        permission: 'net',
        ...denied,
        count: 2,
        firstAt: '2026-11-21T07:44:53.000Z',
        lastAt: '2026-11-21T07:45:53.000Z',
      },
    ]);
    expect(heard).toHaveLength(3);
  });

  test('keeps 100 refusals and 500 calls at most', () => {
    const { log, refuse } = open();
    for (let index = 0; index < 5000; index += 1) {
      refuse(fetchOf(`${index}.example:443`));
      refuse({ call: 'unknown', subject: `host.a.b${index}`, need: null });
    }

    expect(log.refusals()).toHaveLength(100);
    expect(log.refusals()[1]?.subject).toBe('4999.example:443');
    const { calls } = log.lastRun();
    expect(calls.length).toBeLessThanOrEqual(502);
    expect(calls.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
  });

  test('removes control characters, and cuts long texts', () => {
    const { log } = open();
    const use = fetchOf(`\u001b[2J${'a'.repeat(10_000)}`);
    log.note(use);
    log.refuse(use, { ...denied, message: `\n${'b'.repeat(10_000)}` });

    const text = JSON.stringify([log.refusals(), log.lastRun()]);
    expect(text).not.toContain('\\u001b');
    expect(text.length).toBeLessThan(2000);
  });

  test('starts over with each run, except for refusals', () => {
    const { log, refuse } = open();
    expect(log.lastRun()).toEqual({ since: null, calls: [] });
    refuse(fetchOf('b:443'));

    log.begin();

    expect(log.lastRun()).toEqual({ since: '2026-11-21T07:44:53.000Z', calls: [] });
    expect(log.refusals()).toHaveLength(1);
    expect(log.powers()).toMatchObject([{ uses: 1 }]);
  });
});
