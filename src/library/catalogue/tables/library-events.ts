import type { EventCatalogue } from '../../../../plugin-api/index.ts';

type LibraryEventName = Extract<keyof EventCatalogue, `library.${string}`>;

/** Emits events of the libraries. Never throws. */
export type EmitLibraryEvent = <Name extends LibraryEventName>(
  type: Name,
  data: EventCatalogue[Name],
) => void;
