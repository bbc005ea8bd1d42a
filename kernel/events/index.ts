export { createEventBus } from './event-bus.ts';
export type { EventBus, EventBusParts, EventListener } from './event-bus.ts';
export { catalogueNames, isEventName } from './event-name.ts';
export type { EmittedName } from './event-name.ts';
export type { EventCounters, SerialisedEvent, MailboxLimits } from './mailbox.ts';
export { everyEvent, parsePattern } from './pattern.ts';
export type { EventPattern, ParsedPattern } from './pattern.ts';
export { groupOfEvent, groupsOfPatterns } from './event-group.ts';
