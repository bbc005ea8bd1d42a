export { closings, type Closing } from './closing.ts';
export { NotJson, parseClientMessage } from './client-message.ts';
export { createEventFeed } from './event-feed.ts';
export type { EventFeed, EventFeedParts, FeedQuery } from './event-feed.ts';
export type { FeedSocket, SocketEvents } from './event-socket.ts';
export type { FeedLimits } from './connection-limits.ts';
