/** The words of a dry run. Calls, powers, hooks and groups of events have names for people. */
import type { EventGroup, HookName, PermissionName } from '../../../plugin-api/index.ts';
import type { HostCallName } from '../../../plugin-api/server/index.ts';

/** What is done with a call, as `stored a value`. */
export type CallNames = Readonly<Record<HostCallName, string>>;

/** What a power lets a plugin do; a change of the libraries is a power of its own. */
export type PowerNames = Readonly<
  Record<Exclude<PermissionName, 'serves' | 'hears' | 'hooks'> | 'libraryChange', string>
>;

/** Texts of one language. */
export interface DryRunWords {
  readonly calls: CallNames;
  readonly powers: PowerNames;
  /** When a hook is called. */
  readonly moments: Readonly<Record<HookName, string>>;
  readonly groups: Readonly<Record<EventGroup, string>>;
  /** By capability; `job` is followed by the type, and the others by what they serve. */
  readonly served: Readonly<Record<string, string>>;
  /** `did` = what was done; `lacking` = why it would be refused; `null` = it would not. */
  readonly call: (use: {
    readonly did: string;
    readonly subject: string | null;
    readonly count: number;
    readonly lacking: string | null;
  }) => string;
  readonly otherCall: string;
  readonly otherPower: string;
  readonly notGranted: (power: string) => string;
  readonly notHost: (host: string, hosts: string) => string;
  readonly notJob: (type: string) => string;
  readonly notCall: (method: string) => string;
  readonly onlyPlaces: (places: string) => string;
  readonly notHooked: (moment: string) => string;
  readonly onlyObserves: (moment: string) => string;
  readonly notHeard: (group: string) => string;
  readonly notServed: (what: string) => string;
  readonly noWasm: string;
  readonly noSchedule: string;
  readonly full: (bytes: number, megabytes: number) => string;
}
