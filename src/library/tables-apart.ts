/**
 * Tables that are written all the time while a library is scanned, and of which a reading has nothing.
 * To leave one out costs time alone; to name one that a reading is made of would give stale answers.
 */
const ofTheWork: readonly string[] = [
  'jobs',
  'sealed_pages',
  'event_log',
  'event_log_followers',
  'event_log_journals',
];

/** Of these a search has nothing. What plugins keep for themselves may decide what one of them finds. */
export const apartFromSearch: ReadonlySet<string> = new Set(ofTheWork);

/** Of these a list of items has nothing, nor what a viewer may see. */
export const apartFromItems: ReadonlySet<string> = new Set([
  ...ofTheWork,
  'kv_entries',
  'kv_usage',
  'text_indexes',
]);
