import type { EventEnvelope, Handler, MethodCatalogue } from '../../plugin-api/index.ts';
import type { Follower } from './follower.ts';

/** An event has 5 s: a pull stops well before, and the next event goes on. */
const eventBudgetMs = 2000;
const indexBudgetMs = 20_000;

/** Follows the library, unless a pull that began after the event has seen everything. */
export function afterLibraryChange(follower: Follower): Handler<EventEnvelope, void> {
  return async ({ timestamp }, host) => {
    if (follower.covers(Date.parse(timestamp))) return;
    await follower.follow(host, eventBudgetMs);
  };
}

type Index = MethodCatalogue['search.index'];

/** `search.index`: brings the index up to date now, from nothing if asked. */
export function updateIndex(follower: Follower): Handler<Index['input'], Index['output']> {
  return async ({ rebuild = false }, host) => {
    if (rebuild) await follower.reset(host);
    return { indexed: await follower.follow(host, indexBudgetMs) };
  };
}
