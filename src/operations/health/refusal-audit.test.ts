import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import type { RefusedUse } from '../../../kernel/run/index.ts';
import type { AuditEntry } from '../../platform/audit/index.ts';
import { createRefusalAudit } from './refusal-audit.ts';

const refused = (call: string, more: Partial<RefusedUse> = {}): RefusedUse => ({
  pluginId: 'film-index',
  use: { call, subject: 'b.example:443', need: { name: 'net' } },
  code: 'permission_denied',
  message: 'The plugin was not granted net: b.example:443.',
  ...more,
});

function open() {
  const clock = createFakeClock();
  const entries: AuditEntry[] = [];
  const audit = createRefusalAudit({ record: (entry) => entries.push(entry), clock });
  return { clock, entries, audit };
}

test('a refusal of a plugin is in the audit log immediately, and further ones once an hour', async () => {
  const { audit, entries, clock } = open();
  for (let count = 0; count < 1000; count += 1) audit.note(refused('net.fetch'));

  const told = {
    call: 'net.fetch',
    subject: 'b.example:443',
    permission: 'net',
    code: 'permission_denied',
    message: 'The plugin was not granted net: b.example:443.',
  };
  const entry = {
    actor: 'server',
    action: 'plugin.refused',
    target: { type: 'plugin', id: 'film-index' },
  };
  expect(entries).toEqual([{ ...entry, details: { ...told, count: 1 } }]);
  await clock.advance(3_600_000);
  expect(entries.slice(1)).toEqual([
    { ...entry, details: { refusals: [{ ...told, count: 999 }] } },
  ]);
  expect(clock.timers()).toBe(0);
});

test('a plugin causes at most eleven entries an hour', async () => {
  const { audit, entries, clock } = open();
  for (let count = 0; count < 1000; count += 1) audit.note(refused(`made.up${count}`));
  await clock.advance(3_600_000);

  expect(entries).toHaveLength(11);
  expect(JSON.stringify(entries).length).toBeLessThan(20_000);
});

test('a malformed call has no entry', () => {
  const { audit, entries } = open();
  audit.note(refused('net.fetch', { code: 'invalid_argument' }));

  expect(entries).toEqual([]);
});

test('counts are written when the server stops', () => {
  const { audit, entries, clock } = open();
  audit.note(refused('net.fetch'));
  audit.note(refused('net.fetch'));
  audit.flush();

  expect(entries).toHaveLength(2);
  expect(clock.timers()).toBe(0);
});
