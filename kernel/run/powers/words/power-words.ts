/** The words of consent: what each power, capability and addition to the pages means. */
import type { EventGroup, PermissionName, ViewName } from '../../../../plugin-api/index.ts';

/** Texts of one language. Texts in lists are the names of hosts, methods, types and the like. */
export interface PowerWords {
  /** Joins entries, with a word for none. */
  readonly join: (entries: readonly string[]) => string;
  /** The first entries, and how many more there are. */
  readonly andMore: (entries: readonly string[], more: number) => string;
  readonly allPlaces: string;
  readonly onlyPlaces: (places: string) => string;
  /** Sentences of powers that need no more than a name. */
  readonly powers: Readonly<
    Record<
      Exclude<
        PermissionName,
        'net' | 'kv' | 'jobs' | 'calls' | 'serves' | 'hears' | 'hooks' | 'library' | 'viewing'
      >,
      string
    >
  >;
  /** The same for a plugin that is limited to places. */
  readonly narrowed: Readonly<
    Record<'files' | 'disk' | 'metadata' | 'eventLog', (places: string) => string>
  >;
  /** `null` = the plugin is not limited to places. */
  readonly library: (places: string | null, mayWrite: boolean) => string;
  /** What an admin grants; `null` = the plugin is not limited to places. */
  readonly viewing: (places: string | null, mayWrite: boolean) => string;
  /** What a profile agrees to. */
  readonly agreedViewing: (mayWrite: boolean) => string;
  readonly net: (hosts: readonly string[]) => string;
  readonly anyHost: string;
  readonly hostsBelow: (domain: string) => string;
  readonly onPort: (host: string, port: string) => string;
  readonly kv: (megabytes: number) => string;
  readonly jobs: (types: readonly string[]) => string;
  readonly methodsOf: (methods: string, pluginId: string) => string;
  readonly calls: (methods: readonly string[]) => string;
  readonly hears: Readonly<Record<EventGroup, string>>;
  readonly seesItems: (mayChange: boolean) => string;
  readonly addsKinds: string;
  /** By capability. The text has what it serves: schemes, types or extensions. */
  readonly serves: Readonly<Record<string, (parts: string) => string>>;
  readonly servesOther: (capability: string) => string;
  readonly views: Readonly<Record<ViewName, string>>;
  readonly addsViews: (views: readonly string[]) => string;
  /** The number of actions, and how many of them are for admins alone. */
  readonly actions: (all: number, forAdmins: number) => string;
  readonly exports: (methods: readonly string[]) => string;
  readonly asksProfiles: (fields: readonly string[]) => string;
  /** Libraries and folders that a plugin is limited to. */
  readonly noLibrary: string;
  readonly removedLibrary: string;
  readonly libraryNotGranted: (name: string) => string;
  readonly onlyGranted: (place: string) => string;
  readonly onlyFolders: (folders: readonly string[]) => string;
}
