import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createPluginLog } from './plugin-log.ts';

describe('the log of a plugin', () => {
  test('has the time, level and text of each line, oldest first', async () => {
    const clock = createFakeClock(0);
    const log = createPluginLog(clock);

    log.write('info', 'one');
    await clock.advance(1500);
    log.write('error', 'two');

    expect(log.lines()).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'info', text: 'one' },
      { time: '1970-01-01T00:00:01.500Z', level: 'error', text: 'two' },
    ]);
  });

  test('keeps the last 1000 lines', () => {
    const log = createPluginLog(createFakeClock());

    for (let line = 0; line < 2500; line += 1) log.write('debug', `${line}`);

    const texts = log.lines().map(({ text }) => text);
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([1000, '1500', '2499']);
  });

  test('cuts long lines, and removes control characters', () => {
    const log = createPluginLog(createFakeClock());

    log.write('info', `a\u001b[2J\nb\u202ec${'x'.repeat(5000)}`);

    expect(log.lines()[0]?.text).toMatch(/^a \[2J b cx*$/);
    expect(log.lines()[0]?.text.length).toBeLessThanOrEqual(2000);
  });
});
