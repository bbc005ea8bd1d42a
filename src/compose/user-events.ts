/** Tells the live feed, and plugins that may hear of users, what changes about people. */
import type { Kernel } from '../../kernel/index.ts';
import type { EventCatalogue } from '../../plugin-api/index.ts';
import type { Audit } from '../platform/audit/index.ts';

type Subject = EventCatalogue['user.changed']['subject'];

/** By the part of an act before its first dot. */
const subjects: Readonly<Record<string, Subject>> = {
  user: 'user',
  group: 'group',
  invite: 'invite',
  profile: 'profile',
  session: 'credential',
  api_key: 'credential',
  passkey: 'credential',
  identity: 'credential',
};

/** Acts that change nothing: attempts that failed. */
const failures = /\.(failed|refused|pin_tries_used_up)$/;

/** Emits `user.changed` for each act about people, once it is stored. */
export function emitUserEvents(
  audit: Pick<Audit, 'onRecorded'>,
  { emit }: Pick<Kernel['events'], 'emit'>,
): void {
  audit.onRecorded(({ action, target }) => {
    const subject = subjects[action.split('.')[0] ?? ''];
    if (subject === undefined || failures.test(action)) return;
    emit('user.changed', { subject, id: target?.id ?? null });
  });
}
