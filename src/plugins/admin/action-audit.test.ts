import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { serverViewer, type Viewer } from '../../people/viewer/index.ts';
import type { AuditEntry } from '../../platform/audit/index.ts';
import { createActionAudit } from './action-audit.ts';

const bob: Viewer = { ...serverViewer, userId: 'bob', role: 'user' };
const ada: Viewer = { ...bob, userId: 'ada' };

function open() {
  const entries: AuditEntry[] = [];
  const clock = createFakeClock();
  const note = createActionAudit({ record: async (entry) => void entries.push(entry) }, clock);
  const notes = async (viewer: Viewer, method: string, times: number) => {
    for (let time = 0; time < times; time += 1) await note(viewer, 'films', method);
  };
  return { entries, clock, notes };
}

describe('calls of actions in the audit log', () => {
  test('of an admin are an entry each', async () => {
    const { entries, notes } = open();

    await notes(serverViewer, 'tidy', 3);

    expect(entries).toHaveLength(3);
    expect(entries[0]).toEqual({
      actor: serverViewer,
      action: 'plugin.action_called',
      target: { type: 'plugin', id: 'films' },
      details: { method: 'tidy' },
    });
  });

  test('of a user are one entry an hour for each action', async () => {
    const { entries, clock, notes } = open();

    await notes(bob, 'tidy', 600);
    await notes(bob, 'count', 2);
    await notes(ada, 'tidy', 1);
    await clock.advance(59 * 60_000);
    await notes(bob, 'tidy', 1);

    expect(entries.map(({ actor, details }) => [actor, details])).toEqual([
      [bob, { method: 'tidy' }],
      [bob, { method: 'count' }],
      [ada, { method: 'tidy' }],
    ]);
  });

  test('of a user have the count of the hour before', async () => {
    const { entries, clock, notes } = open();

    await notes(bob, 'tidy', 600);
    await clock.advance(60 * 60_000);
    await notes(bob, 'tidy', 1);
    await clock.advance(60 * 60_000);
    await notes(bob, 'tidy', 1);

    expect(entries.map(({ details }) => details)).toEqual([
      { method: 'tidy' },
      { method: 'tidy', countedBefore: 599 },
      { method: 'tidy' },
    ]);
  });
});
