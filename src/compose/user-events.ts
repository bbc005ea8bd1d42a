/** Tells the live feed, and plugins that may hear of users, what changes about people. */
import type { Kernel } from '../../kernel/index.ts';
import type { EventCatalogue } from '../../plugin-api/index.ts';
import type { Audit, AuditEntry } from '../platform/audit/index.ts';

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

/** The user of a credential: the one that the act names, or the one who acts on an own credential. */
function userOf({ actor, target, details }: AuditEntry): string | null {
  if (target?.type === 'user') return target.id;
  if (typeof details?.['userId'] === 'string') return details['userId'];
  return typeof actor === 'string' ? (target?.id ?? null) : actor.userId;
}

/** Emits `user.changed` for each act about people, once it is stored. */
export function emitUserEvents(
  audit: Pick<Audit, 'onRecorded'>,
  { emit }: Pick<Kernel['events'], 'emit'>,
): void {
  audit.onRecorded((entry) => {
    const { action, target } = entry;
    const subject = subjects[action.split('.')[0] ?? ''];
    if (subject === undefined || failures.test(action)) return;
    const id = subject === 'credential' ? userOf(entry) : (target?.id ?? null);
    emit('user.changed', { subject, id });
  });
}
