export { createEventFeed } from './event-feed.ts';
export type { EventFeed, EventFeedParts, FeedQuery } from './event-feed.ts';
