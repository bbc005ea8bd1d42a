/** The library scopes of plugins: parsing, checks and display. */
import type {
  DispatchViewer,
  HostCaller,
  HiddenScopes,
  IncomingCall,
  Narrowed,
  OutgoingCall,
  Reach,
  ReachedScope,
  ReachPolicy,
} from '../../../kernel/index.ts';
import {
  intersect,
  serverViewer,
  type Viewer,
  type Visibility,
} from '../../people/viewer/index.ts';
import {
  emptyFeed,
  type FeedFilter,
  type ItemVisibility,
  type ItemLocations,
} from '../../library/catalogue/index.ts';
import type { MediaScope } from '../../library/catalogue/media/index.ts';
import type { Authors } from './authors.ts';
import { assertFolders, type CheckFolder } from './check-folders.ts';
import {
  actionRule,
  eventRules,
  exportRule,
  hookRules,
  methodRules,
  mostTexts,
  textsIn,
  viewRules,
  type IncomingRule,
} from './incoming-rules.ts';
import { viewerRules } from './for-viewer.ts';
import { isMap, outgoingRules, type Fields, type OwnPowers } from './outgoing-rules.ts';
import { parseGrantedScopes } from './granted-scopes.ts';
import { idsIn } from './named-ids.ts';
import { lackIn, scopeText } from './scope-text.ts';
import { createHidden } from './hidden.ts';
import { createViewerCheck, type ViewerCheck } from './viewer-check.ts';
import type { PluginViewers } from './viewers.ts';
import { createScopeCheck } from './scope-check.ts';
import { intersectScopes } from './intersect-scopes.ts';
import type { NamedLibrary } from './parse-scopes.ts';

/** The scope of a plugin, as an admin sees it. */
export interface ShownReach {
  /** As it was granted; the name is `null` for a removed library. */
  readonly libraries:
    | 'all'
    | readonly (Pick<ReachedScope, 'id' | 'folders'> & { readonly name: string | null })[];
  /** Libraries of which it may access nothing. */
  readonly withheld: readonly NamedLibrary[];
  /** `Films (only the folder Kids) and Shows`; `null` = all. */
  readonly places: string | null;
}

/** The kernel's access policy, with further checks on a scope. */
export interface PluginReach extends ReachPolicy {
  readonly show: (reach: Reach, locale?: string | null) => ShownReach;
  /** The parts of these library roots that a plugin may see on the disk: whole roots, or folders below them. */
  readonly rootsWithin: (reach: Reach, roots: readonly string[]) => readonly string[];
  readonly hidden: HiddenScopes;
  /**
   * The roots of the libraries that a caller and its viewer may access, at least in part; `null` = all.
   */
  readonly rootsOf: (caller: Pick<HostCaller, 'reach' | 'viewer'>) => readonly string[] | null;
  /**
   * Whether the viewer of a caller sees the file or folder at a URI; `null` = all that is below the roots
   * of `rootsOf`.
   */
  readonly seesOf: (
    caller: Pick<HostCaller, 'viewer'>,
  ) => ((uri: string) => Promise<boolean>) | null;
  /** Whether a file or a folder is within the scope by its URI, without following links. */
  readonly mayName: (reach: Reach, uri: string) => boolean;
  /** Whether an external plugin may receive an event; `null` = every event. */
  readonly eventsWithin: (
    receiver: Pick<HostCaller, 'pluginId' | 'reach'>,
  ) => ((event: { type: string; data?: unknown }) => Promise<boolean>) | null;
  /** The filter of the change feed for a plugin and its viewer; `null` = unfiltered. */
  readonly feedFor: (caller: Pick<HostCaller, 'reach' | 'viewer'>) => FeedFilter | null;
  /** What `host.media` shows to a plugin and its viewer; `null` = nothing. */
  readonly mediaScopeFor: (caller: Pick<HostCaller, 'reach' | 'viewer'>) => MediaScope | null;
  /**
   * Whether a viewer may send these parameters to a plugin: they see all that the parameters name, at any
   * depth. `itemId` and `libraryId` must be ids of an item and a library that the viewer sees.
   */
  readonly maySend: (viewer: Viewer, params: Fields) => Promise<boolean>;
  /** Whether each of these items is within the scope, in their order; `false` for a removed item. */
  readonly itemsWithin: (
    reach: Narrowed,
    itemIds: readonly string[],
  ) => Promise<readonly boolean[]>;
}

export interface PluginReachParts {
  readonly locations: ItemLocations;
  /** What a person may see. */
  readonly visibility: ItemVisibility;
  readonly viewers: Pick<PluginViewers, 'behind' | 'profileIn' | 'toPlugins'>;
  /** Whether a folder exists and can be listed. */
  readonly inspect: CheckFolder;
  /** Whether the plugin runs jobs of this type, and the server does not. */
  readonly runsJobs: (pluginId: string, type: string) => boolean;
  /** Whether no id here is that of another user's session. */
  readonly ownsSessions: (viewer: Viewer, ids: readonly string[]) => Promise<boolean>;
  readonly authors: Authors;
  /** The person of a profile; `null` for one that is gone. */
  readonly personOf: (profileId: string) => Promise<Viewer | null>;
}

/** For calls that no person caused: the grant alone decides, also for hidden libraries. */
const nobody: Viewer = {
  ...serverViewer,
  visibility: { ...serverViewer.visibility, showsHidden: true },
};

/** A grant by folders admits the library; its items are checked one by one. */
const visibilityOf = (reach: Reach): Visibility => ({
  libraries: reach === 'all' ? null : new Map(reach.map(({ id }) => [id, []])),
  showsHidden: true,
});

/** Creates the policy. It reads nothing before the first call. */
export function createPluginReach(parts: PluginReachParts): PluginReach {
  const { locations, visibility, viewers, inspect, runsJobs, authors, ownsSessions } = parts;
  const within = (reach: Narrowed) => createScopeCheck(reach, locations);
  const hidden = createHidden(locations, authors);

  /** What the viewer of a plugin sees; `null` for an unknown viewer. */
  function seenBy(viewer: DispatchViewer, pluginId: string): ViewerCheck | null {
    const person = viewers.behind(viewer);
    if (person === null) return null;
    const profile = viewers.profileIn(pluginId, person.profileId);
    return createViewerCheck(person, { locations, visibility, profile });
  }

  function mayCallFor(viewer: DispatchViewer, { pluginId, call, input }: OutgoingCall) {
    const rule = Object.hasOwn(viewerRules, call)
      ? viewerRules[call as keyof typeof viewerRules]
      : undefined;
    const seen = seenBy(viewer, pluginId);
    if (rule === undefined || seen === null) return false;
    return rule(seen, isMap(input) ? input : {}, ownPowers(pluginId));
  }

  const ownPowers = (pluginId: string): OwnPowers => ({
    runs: (type) => typeof type === 'string' && runsJobs(pluginId, type),
  });

  const seenOf = (person: Viewer): ViewerCheck =>
    createViewerCheck(person, { locations, visibility, profile: null });

  function feedFor({ reach, viewer }: Pick<HostCaller, 'reach' | 'viewer'>): FeedFilter | null {
    if (reach === 'all' && viewer === null) return null;
    const inReach = reach === 'all' ? null : within(reach);
    const person = viewer && viewers.behind(viewer);
    if (viewer !== null && !person) return emptyFeed;
    const seen = person
      ? createViewerCheck(person, { locations, visibility, profile: null })
      : null;
    return {
      items: async (ids) => both(await inReach?.items(ids), await seen?.items(ids), ids.length),
      isWhole: (id) => (inReach?.whole(id) ?? true) && (seen?.whole(id) ?? true),
      showsHidden: person ? visibility.showsHidden(person) : true,
    };
  }

  function mediaScopeFor({
    reach,
    viewer,
  }: Pick<HostCaller, 'reach' | 'viewer'>): MediaScope | null {
    const person = viewer && viewers.behind(viewer);
    if (viewer !== null && !person) return null;
    const asked = person ?? nobody;
    const inParts = reach === 'all' ? [] : reach.filter(({ folders }) => folders !== undefined);
    return {
      viewer: {
        ...asked,
        role: asked.role === 'guest' ? 'guest' : 'user',
        visibility: intersect(asked.visibility, visibilityOf(reach)),
      },
      isPerson: Boolean(person),
      within: reach === 'all' || inParts.length === 0 ? null : within(reach).items,
      inParts: new Set(inParts.map(({ id }) => id)),
    };
  }

  async function maySend(viewer: Viewer, params: Fields): Promise<boolean> {
    const seen = createViewerCheck(viewer, { locations, visibility, profile: null });
    const { itemId, libraryId } = params;
    if (libraryId !== undefined && !seen.part(libraryId)) return false;
    if (itemId !== undefined && !(await seen.item(itemId))) return false;
    const named = textsIn(params);
    if (named.length > mostTexts || !(await seen.texts(named))) return false;
    return seen.isAdmin || ownsSessions(viewer, idsIn(named));
  }

  function mayCall(reach: Narrowed, { pluginId, call, input }: OutgoingCall) {
    const rule = Object.hasOwn(outgoingRules, call)
      ? outgoingRules[call as keyof typeof outgoingRules]
      : undefined;
    const fields = isMap(input) ? input : {};
    if (rule === 'item') return within(reach).item(fields['itemId']);
    if (rule === undefined) return false;
    return rule(within(reach), fields, ownPowers(pluginId));
  }

  function canReceive(reach: Narrowed, call: IncomingCall) {
    const found = ruleOf(call);
    if (found === undefined) return false;
    const subject = isMap(call.subject) ? call.subject : {};
    return found.rule(within(reach), found.input, subject);
  }

  return {
    parse: async (picked) => {
      const libraries = locations.libraries();
      const reach = parseGrantedScopes(picked, libraries);
      await assertFolders(reach, libraries, inspect);
      return reach;
    },
    hidden,
    intersect: intersectScopes,
    mayCall,
    mayCallFor,
    personOf: async (profileId) => {
      const person = await parts.personOf(profileId);
      return person && viewers.toPlugins(person);
    },
    canReceive,
    lack: (reach, use, locale) => lackIn(reach, use, { libraries: locations.libraries(), locale }),
    text: (reach, locale) => scopeText(reach, locations.libraries(), locale),
    show: (reach, locale) => {
      const libraries = locations.libraries();
      if (reach === 'all') return { libraries: 'all', withheld: [], places: null };
      const nameOf = (id: string) => libraries.find((one) => one.id === id)?.name ?? null;
      return {
        libraries: reach.map((one) => ({ ...one, name: nameOf(one.id) })),
        withheld: libraries
          .filter(({ id }) => !reach.some((one) => one.id === id))
          .map(({ id, name }) => ({ id, name })),
        places: scopeText(reach, libraries, locale),
      };
    },
    rootsWithin: (reach, roots) => {
      if (reach === 'all') return roots;
      const { uri } = within(reach);
      const folders = reach.flatMap((one) => one.folders ?? []);
      return [...roots.filter(uri), ...folders.filter(uri)];
    },
    rootsOf: ({ reach, viewer }) => {
      const person = viewer && viewers.behind(viewer);
      if (viewer !== null && !person) return [];
      const isSeen = person && !visibility.seesAll(person) ? seenOf(person).part : null;
      if (reach === 'all' && isSeen === null) return null;
      const isGranted = reach === 'all' ? () => true : within(reach).part;
      return locations
        .libraries()
        .flatMap(({ id, roots }) => (isGranted(id) && (isSeen?.(id) ?? true) ? roots : []));
    },
    seesOf: ({ viewer }) => {
      if (viewer === null) return null;
      const person = viewers.behind(viewer);
      if (!person) return async () => false;
      const { part, whole, uri } = seenOf(person);
      return locations.libraries().some(({ id }) => part(id) && !whole(id)) ? uri : null;
    },
    mayName: (reach, uri) => reach === 'all' || within(reach).uri(uri),
    eventsWithin: ({ pluginId, reach }) => {
      if (reach === 'all')
        return hidden.any() ? async (event) => !(await hidden.isIn(event, pluginId)) : null;
      const call = { method: 'event.dispatch', subject: null };
      return async (event) => canReceive(reach, { ...call, name: event.type, input: event });
    },
    feedFor,
    mediaScopeFor,
    maySend,
    itemsWithin: (reach, itemIds) => within(reach).items(itemIds),
  };
}

/** Combines two lists of verdicts with a logical and; an absent list counts as all true. */
const both = (
  one: readonly boolean[] | undefined,
  other: readonly boolean[] | undefined,
  count: number,
): readonly boolean[] =>
  Array.from({ length: count }, (_, at) => (one?.[at] ?? true) && (other?.[at] ?? true));

/** The rule for a call into a plugin, and the part of its input that the rule reads. */
function ruleOf({
  method,
  name,
  input,
}: IncomingCall): { readonly rule: IncomingRule; readonly input: Fields } | undefined {
  const given = isMap(input) ? input : {};
  const of = (rules: object, key: string | null, field: string | null) => {
    const rule =
      key !== null && Object.hasOwn(rules, key)
        ? (rules as Readonly<Record<string, IncomingRule>>)[key]
        : undefined;
    const read = field === null ? given : given[field];
    return rule && isMap(read) ? { rule, input: read } : undefined;
  };
  switch (method) {
    case 'event.dispatch':
      return of(eventRules, name, 'data');
    case 'hook.dispatch':
      return of(hookRules, name, 'input');
    case 'view.dispatch':
      return of(viewRules, name, 'context');
    case 'action.run':
      return of({ action: actionRule }, 'action', 'params');
    case 'export.call':
      return of({ export: exportRule }, 'export', 'call');
    default:
      return of(methodRules, method, null);
  }
}
