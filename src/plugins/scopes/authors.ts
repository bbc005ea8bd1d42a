/**
 * Finds the plugins that wrote text in an event. Text of the server can be traced to a library by the ids
 * in it. Text of a plugin cannot: a plugin can spell the same fact in any number of ways.
 */
import type { Reach } from '../../../kernel/index.ts';
import { isMap, type Fields } from './outgoing-rules.ts';

export interface DeliveredEvent {
  readonly type: string;
  readonly data?: unknown;
}

/** Facts about plugins. */
export interface Authors {
  /** The plugins that emit events under this slug; none when the plugin was removed. */
  readonly withSlug: (slug: string) => readonly string[];
  /** The plugin that runs jobs of a type. */
  readonly runnerOf: (jobType: string) => string | undefined;
  /** The libraries that a plugin may access; `null` for a removed plugin. */
  readonly reachOf: (pluginId: string) => Reach | null;
  /** Whether the plugin is a part of the server: its text counts as text of the server. */
  readonly isOwn: (pluginId: string) => boolean;
}

const ownEvent = /^plugin\.([a-z0-9]+)\.[A-Za-z0-9]+$/;
/** As `sourceOf` of notifications spells it. */
const pluginSource = /^plugin (.+)$/s;

/** Whether a plugin emitted the event. */
export const isOfPlugin = (type: string): boolean => ownEvent.test(type);

/** The plugins that may have written text of an event; `null` = only the server did. */
export function authorsOf(
  { type, data }: DeliveredEvent,
  { withSlug, runnerOf, isOwn }: Authors,
): readonly string[] | null {
  const [, slug] = ownEvent.exec(type) ?? [];
  if (slug !== undefined) return withSlug(slug);
  const quoted = isMap(data) ? quotedIn(type, data, runnerOf) : undefined;
  return quoted === undefined || isOwn(quoted) ? null : [quoted];
}

/** The plugin that sent a notification or is quoted in it, or whose error message is in the event. */
function quotedIn(type: string, data: Fields, runnerOf: Authors['runnerOf']): string | undefined {
  const { source, quotes, errorMessage, pluginId, type: jobType } = data;
  if (type === 'notification.created') {
    const [, sender] = pluginSource.exec(String(source)) ?? [];
    return sender ?? (typeof quotes === 'string' ? quotes : undefined);
  }
  if (typeof errorMessage !== 'string') return undefined;
  if (typeof pluginId === 'string') return pluginId;
  return typeof jobType === 'string' ? runnerOf(jobType) : undefined;
}
