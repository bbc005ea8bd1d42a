export { parseCandidates, parseKept, type MatchCandidate, type Offer } from './candidates.ts';
export { inOrder, parseSources, type LibrarySources } from '../tables/library-sources.ts';
export { parseKeptAnswer } from './identification.ts';
export type { Identifier } from './identifier.ts';
export type { IndexedLibrary, Indexers } from './indexers.ts';
export type { IngestedFile, IngestedItem, IngestOutcome } from './ingest-commit.ts';
export type { IngestFile, IngestSubject } from './ingest-subjects.ts';
export type { IngestedChapter } from '../tables/extras-store.ts';
export type { Ingests } from './ingests.ts';
