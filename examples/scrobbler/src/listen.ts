/** One track that a profile has heard. */
export interface Listen {
  /** When it began, in Unix seconds. It is the same each time the listen is sent. */
  readonly at: number;
  readonly artist: string;
  readonly track: string;
  readonly album: string | null;
  readonly seconds: number | null;
}

/** A listen in the queue of one service. */
export interface Queued {
  readonly key: string;
  readonly listen: Listen;
}

/** The name of a service, as keys have it. */
export type ServiceName = 'listenbrainz' | 'lastfm';

/** The key of a listen that waits. The id of an event is the same each time the event is read. */
export const queueKey = (service: ServiceName, profile: string, eventId: string): string =>
  `queue/${service}/${profile}/${eventId}`;

/** The key that says that a service has the listen. It begins with the event, so the oldest is first. */
export const sentKey = (key: string): string => {
  const [, service = '', profile = '', eventId = ''] = key.split('/');
  return `sent/${eventId}/${service}/${profile}`;
};

/** The profile of a key in the queue. */
export const profileOf = (key: string): string => key.split('/')[2] ?? '';
