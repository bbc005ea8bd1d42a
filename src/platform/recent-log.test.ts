import { expect, test } from 'vitest';
import { createLog } from './log.ts';
import { createRecentLog } from './recent-log.ts';

test('keeps the last thousand lines, without secrets', () => {
  const recent = createRecentLog();
  const log = createLog({
    ...{ level: 'info', format: 'text', write: () => undefined },
    keep: recent.keep,
  });
  for (let at = 0; at < 1000; at += 1) log.info(`line ${at}`);
  log.error({ pluginId: 'scanner', token: 'vtk_0123', err: new Error('EIO') }, 'It went away.');

  const lines = recent.lines();
  expect(lines).toHaveLength(1000);
  expect(lines[0]?.text).toBe('line 1');
  expect(lines.at(-1)).toEqual({
    time: expect.stringMatching(/Z$/),
    level: 'error',
    pluginId: 'scanner',
    text: 'It went away. (EIO)',
  });
  expect(JSON.stringify(lines)).not.toContain('vtk_0123');
});
