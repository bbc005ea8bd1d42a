/**
 * Which plugins have put words into an event. What the server writes can be traced to a library by the ids
 * in it; what a plugin writes cannot, since there is no end to the ways of writing something down.
 */
import type { Reach } from '../../kernel/index.ts';
import { isMap, type Fields } from './outward.ts';

/** An event, as it is told. */
export interface ToldEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** What there is to know of plugins. */
export interface Authors {
  /** Those that emit events under this slug; none when the plugin is gone. */
  readonly withSlug: (slug: string) => readonly string[];
  /** The plugin that runs jobs of a type. */
  readonly runnerOf: (jobType: string) => string | undefined;
  /** What a plugin may touch; `null` for one that is gone. */
  readonly reachOf: (pluginId: string) => Reach | null;
  /** Whether the plugin is a part of the server, whose words are those of the server. */
  readonly isOwn: (pluginId: string) => boolean;
}

const ownEvent = /^plugin\.([a-z0-9]+)\.[A-Za-z0-9]+$/;
/** As `sourceOf` of notifications spells it. */
const pluginSource = /^plugin (.+)$/s;

/** Whether an event is one that a plugin made. */
export const isOfPlugin = (type: string): boolean => ownEvent.test(type);

/** The plugins that the words of an event may be of; `null` = the server alone wrote it. */
export function authorsOf(
  { type, data }: ToldEvent,
  { withSlug, runnerOf, isOwn }: Authors,
): readonly string[] | null {
  const [, slug] = ownEvent.exec(type) ?? [];
  if (slug !== undefined) return withSlug(slug);
  const quoted = isMap(data) ? quotedIn(type, data, runnerOf) : undefined;
  return quoted === undefined || isOwn(quoted) ? null : [quoted];
}

/** A notification that a plugin told or that quotes one, and the error that one ended with. */
function quotedIn(type: string, data: Fields, runnerOf: Authors['runnerOf']): string | undefined {
  const { source, quotes, errorMessage, pluginId, type: jobType } = data;
  if (type === 'notification.created') {
    const [, teller] = pluginSource.exec(String(source)) ?? [];
    return teller ?? (typeof quotes === 'string' ? quotes : undefined);
  }
  if (typeof errorMessage !== 'string') return undefined;
  if (typeof pluginId === 'string') return pluginId;
  return typeof jobType === 'string' ? runnerOf(jobType) : undefined;
}
