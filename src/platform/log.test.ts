import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createLog } from './log.ts';

function logged(format: 'text' | 'json', write: (log: ReturnType<typeof createLog>) => void) {
  const lines: string[] = [];
  write(createLog({ level: 'info', format, write: (line) => lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  test('is one JSON object per line, or one line of text', () => {
    const act = (log: ReturnType<typeof createLog>) => log.warn({ pluginId: 'x' }, 'went away');

    expect(JSON.parse(logged('json', act))).toMatchObject({
      level: 40,
      pluginId: 'x',
      msg: 'went away',
    });
    expect(logged('text', act)).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ warning: went away pluginId=x\n$/,
    );
  });

  test.each(['text', 'json'] as const)('never holds a secret, as %s', (format) => {
    const secret = 'vtk_0123';
    const output = logged(format, (log) =>
      log.info(
        {
          token: secret,
          headers: { authorization: secret, cookie: secret },
          a: { b: { password: secret } },
        },
        'request',
      ),
    );

    expect(output).not.toContain(secret);
    expect(output).toContain('***');
  });

  test.each(['text', 'json'] as const)(
    'says what a cause adds, and nothing twice, as %s',
    (format) => {
      const deepest = new Error('EIO');
      const cause = { code: 'unreadable', message: 'No root.', cause: deepest };
      Object.assign(deepest, { cause });
      const output = logged(format, (log) =>
        log.warn({ err: new Error('scanner: No root.', { cause }) }, 'A job failed.'),
      );

      const said = format === 'text' ? output : (JSON.parse(output) as { err: Error }).err.message;
      expect(said).toContain('scanner: No root.: EIO');
      expect(said.match(/No root/g)).toHaveLength(1);
    },
  );

  test('keeps untrusted text on one line', () => {
    expect(
      logged('text', (log) => log.info({ name: 'a\n\u001b[31mb' }, 'found')).split('\n'),
    ).toHaveLength(2);
  });

  test('has warnings and errors of one kind once in ten seconds, with the number of those left out', async () => {
    const clock = createFakeClock();
    const lines: { readonly msg: string; readonly leftOut?: number; readonly no?: number }[] = [];
    const log = createLog({
      level: 'info',
      format: 'json',
      write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
      after: clock.after,
    });
    for (let no = 0; no < 20; no += 1) {
      log.warn({ no, err: new Error('ENOSPC') }, 'The disk is full.');
      log.info('A job ran.');
    }
    log.error({ no: 0, err: new Error('EIO') }, 'The disk is full.');
    log.warn({ no: 0, pluginId: 'other' }, 'A plugin failed.');
    log.warn({ no: 0, pluginId: 'one' }, 'A plugin failed.');
    const atOnce = lines.splice(0).filter(({ msg }) => msg !== 'A job ran.');
    await clock.advance(10_000);
    const after = lines.splice(0);
    log.warn({ no: 20, err: new Error('ENOSPC') }, 'The disk is full.');
    await clock.advance(20_000);

    expect(atOnce.map(({ msg, no }) => [msg, no])).toEqual([
      ['The disk is full.', 0],
      ['The disk is full.', 0],
      ['A plugin failed.', 0],
      ['A plugin failed.', 0],
    ]);
    expect(after).toMatchObject([{ msg: 'The disk is full.', no: 19, leftOut: 18 }]);
    expect(lines).toMatchObject([{ no: 20 }]);
    expect(clock.timers()).toBe(0);
  });
});
