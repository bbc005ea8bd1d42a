import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { kernelErrorCodes } from '../../kernel/index.ts';
import { appErrorCodes } from '../../src/errors.ts';
import { errorRules } from '../../src/http/error-replies.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/errors.md'), 'utf8');
const documented = new Map(
  [...page.matchAll(/^\| `(\w+)` +\| (\d+) +\| (yes)? *\| (.*) \|$/gm)].map(
    ([, code = '', status, tells, when = '']) =>
      [code, { status: Number(status), tells: tells === 'yes', when }] as const,
  ),
);

describe('every code of an error', () => {
  const codes = [...new Set([...appErrorCodes, ...kernelErrorCodes])];

  test('has its line in docs/errors.md, and no other code has', () => {
    expect([...documented.keys()].sort()).toEqual([...codes].sort());
  });

  test.each(codes)('%s is documented with the status that it answers', (code) => {
    const rule = errorRules[code];
    const line = documented.get(code);

    expect({ status: line?.status, tells: line?.tells }).toEqual({
      status: rule?.status ?? 500,
      tells: rule?.tells ?? false,
    });
    expect(line?.when.includes('Retry-After')).toBe(rule?.retryAfterSeconds !== undefined);
  });
});
