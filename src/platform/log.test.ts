import { describe, expect, test } from 'vitest';
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
    expect(logged('text', act)).toMatch(/^\d\d:\d\d:\d\d warning: went away pluginId=x\n$/);
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

  test('keeps untrusted text on one line', () => {
    expect(
      logged('text', (log) => log.info({ name: 'a\n\u001b[31mb' }, 'found')).split('\n'),
    ).toHaveLength(2);
  });
});
