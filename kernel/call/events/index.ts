export { createEventBus } from './event-bus.ts';
export type { EventBus, EventBusParts, EventListener } from './event-bus.ts';
export { catalogueNames } from './event-name.ts';
export type { EmittedName } from './event-name.ts';
export type { SerialisedEvent } from './mailbox.ts';
export { everyEvent, parsePattern } from './pattern.ts';
export { groupOfEvent, groupsOfPatterns } from './event-group.ts';
