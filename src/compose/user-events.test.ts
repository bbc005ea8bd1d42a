import { expect, test } from 'vitest';
import { createListeners } from '../platform/listeners.ts';
import type { AuditEntry } from '../platform/audit/index.ts';
import { emitUserEvents } from './user-events.ts';

const ada = { userId: 'ada', credentialId: 's', credentialKind: 'session', role: 'user' } as const;

const emittedOf = (...entries: readonly AuditEntry[]): readonly unknown[] => {
  const recorded = createListeners<AuditEntry>();
  const emitted: unknown[] = [];
  emitUserEvents(
    { onRecorded: recorded.add },
    { emit: (type, data) => void emitted.push([type, data]) },
  );
  for (const entry of entries) recorded.emit(entry);
  return emitted;
};

const emittedFor = (...actions: readonly string[]): readonly unknown[] =>
  emittedOf(
    ...actions.map((action) => ({
      ...({ actor: 'server', action } as const),
      target: { type: 'x', id: 'grace' },
    })),
  );

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

test.each([
  [
    'an own credential',
    { actor: ada, action: 'session.opened', target: { type: 'session', id: 's' } },
  ],
  [
    'a credential that an admin ends',
    {
      ...{ actor: { ...ada, userId: 'admin' }, action: 'session.revoked' },
      ...{ target: { type: 'session', id: 's' }, details: { userId: 'ada' } },
    },
  ],
  [
    'all other credentials',
    { actor: ada, action: 'session.others_revoked', target: { type: 'user', id: 'ada' } },
  ],
] satisfies readonly (readonly [string, AuditEntry])[])(
  'a change of %s names its user',
  (_what, entry) => {
    expect(emittedOf(entry)).toEqual([['user.changed', { subject: 'credential', id: 'ada' }]]);
  },
);

test('acts about other things, and attempts that failed, are not told', () => {
  expect(
    emittedFor('plugin.enabled', 'session.refused', 'pairing.failed', 'profile.pin_tries_used_up'),
  ).toEqual([]);
});
