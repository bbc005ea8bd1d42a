import { expect, test } from 'vitest';
import { createListeners } from '../platform/listeners.ts';
import type { AuditEntry } from '../platform/audit/index.ts';
import { emitUserEvents } from './user-events.ts';

const emittedFor = (...actions: readonly string[]): readonly unknown[] => {
  const recorded = createListeners<AuditEntry>();
  const emitted: unknown[] = [];
  emitUserEvents(
    { onRecorded: recorded.add },
    { emit: (type, data) => void emitted.push([type, data]) },
  );
  for (const action of actions)
    recorded.emit({ actor: 'server', action, target: { type: 'x', id: 'grace' } });
  return emitted;
};

test.each([
  ['user.created', 'user'],
  ['group.updated', 'group'],
  ['invite.redeemed', 'invite'],
  ['profile.removed', 'profile'],
  ['session.opened', 'credential'],
  ['api_key.removed', 'credential'],
  ['passkey.added', 'credential'],
  ['identity.linked', 'credential'],
])('%s is told as a change of a %s, without a name', (action, subject) => {
  expect(emittedFor(action)).toEqual([['user.changed', { subject, id: 'grace' }]]);
});

test('acts about other things, and attempts that failed, are not told', () => {
  expect(
    emittedFor('plugin.enabled', 'session.refused', 'pairing.failed', 'profile.pin_tries_used_up'),
  ).toEqual([]);
});
