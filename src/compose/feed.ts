import type { Kernel } from '../../kernel/index.ts';
import { createEventFeed, type EventFeed } from '../viewing/live-events/index.ts';
import type { LibraryDomain } from '../library/catalogue/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { People } from './people.ts';

/** Builds the live events; a connection ends when its credential does. */
export function composeFeed(
  { config, cluster, clock, newId }: Infrastructure,
  { events }: Kernel,
  { library, people }: { readonly library: LibraryDomain; readonly people: People },
): EventFeed {
  const { accounts, identity, profileDomain } = people;
  const feed = createEventFeed({
    limits: { clients: config.eventClients, clientsPerUser: config.eventClientsPerUser },
    events: cluster ? { listen: cluster.events.listenFromPast } : events,
    clock,
    feedId: cluster?.feedId ?? newId(),
    isValid: accounts.isValid,
    access: library.access,
    entities: library.entities,
  });
  accounts.onRevocation(({ userId, credentialIds }) =>
    feed.end((of) => of.userId === userId || credentialIds.includes(of.credentialId)),
  );
  identity.sessions.onEnd((ids) => feed.end((of) => ids.includes(of.credentialId)));
  profileDomain.onVisibilityChange((userId) =>
    feed.end((of) => userId === null || of.userId === userId),
  );
  return feed;
}
