/**
 * Tables that a scan writes constantly but that item and search queries never read. Omitting a
 * table only costs cache hits; listing one that a query does read serves stale results.
 */
const writtenByScans: readonly string[] = [
  'jobs',
  'sealed_pages',
  'event_log',
  'event_log_followers',
  'event_log_journals',
];

/** Searches do not read these. They do read what plugins store, which may decide what they find. */
export const ignoredBySearch: ReadonlySet<string> = new Set(writtenByScans);

/** Neither lists of items nor access checks read these. */
export const ignoredByItems: ReadonlySet<string> = new Set([
  ...writtenByScans,
  'kv_entries',
  'kv_usage',
  'text_indexes',
]);
