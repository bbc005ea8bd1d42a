/** Makes the playlists of one profile from its rules. */
import type { Host, MediaPage, MediaTile } from '@vitrine/plugin-api';
import { parseRule, RuleError, type Rule } from './rule.ts';

/** The part of a host that acts for one person. */
export type ForPerson = Pick<Host, 'media' | 'viewing'>;

/** What was made, and which rules could not be read. */
export interface Made {
  readonly made: number;
  readonly faults: readonly string[];
}

const mostRules = 50;
const pageSize = 500;

/** The id of the playlist that a rule of a profile made, by its name. */
const keyOf = (profile: string, name: string): string => `list/${profile}/${name}`;

/** Makes all of them, and removes those whose rule is gone. */
export async function makePlaylists(host: Host, person: ForPerson, profile: string): Promise<Made> {
  const { values } = await host.config.ofProfile({ profile });
  const lines = Array.isArray(values['rules']) ? values['rules'].slice(0, mostRules) : [];
  const faults: string[] = [];
  const names = new Set<string>();
  for (const line of lines) {
    try {
      const rule = parseRule(String(line));
      await make(host, person, { profile, rule });
      names.add(rule.name);
    } catch (error) {
      // A rule that cannot be read makes nothing, and takes nothing away.
      if (!isOfRule(error)) throw error;
      faults.push(error.message);
      names.add(String(line).split(':', 1)[0]?.trim() ?? '');
    }
  }
  await removeOthers(host, person, { profile, names });
  return { made: names.size - faults.length, faults };
}

/** Also a value that the server does not take, such as `year=later`. */
const isOfRule = (error: unknown): error is Error =>
  error instanceof RuleError || (error as { readonly code?: string }).code === 'invalid_argument';

async function make(
  { kv }: Host,
  person: ForPerson,
  { profile, rule }: { readonly profile: string; readonly rule: Rule },
): Promise<void> {
  const itemIds = await itemsOf(person, rule);
  const key = keyOf(profile, rule.name);
  const listId = await kv.get({ key });
  if (typeof listId === 'string' && (await replaced(person, listId, itemIds))) return;
  const { id } = await person.viewing.createList({ kind: 'playlist', name: rule.name, itemIds });
  await kv.set({ key, value: id });
}

/** Whether the playlist is still there. */
async function replaced(
  { viewing }: ForPerson,
  listId: string,
  itemIds: readonly string[],
): Promise<boolean> {
  try {
    await viewing.changeList({ listId, replace: itemIds });
    return true;
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'not_found') return false;
    throw error;
  }
}

async function itemsOf({ media }: ForPerson, { query, limit }: Rule): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page: MediaPage<MediaTile> = await media.list({
      ...query,
      fields: 'tile',
      limit: Math.min(pageSize, limit - ids.length),
      ...(cursor !== null && { cursor }),
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null && ids.length < limit);
  return ids;
}

async function removeOthers(
  { kv }: Host,
  { viewing }: ForPerson,
  { profile, names }: { readonly profile: string; readonly names: ReadonlySet<string> },
): Promise<void> {
  const { entries } = await kv.scan({ prefix: keyOf(profile, ''), limit: 500 });
  for (const { key, value } of entries) {
    if (names.has(key.slice(keyOf(profile, '').length))) continue;
    await viewing.removeList({ listId: String(value) }).catch((error: unknown) => {
      if ((error as { readonly code?: string }).code !== 'not_found') throw error;
    });
    await kv.remove({ key });
  }
}
