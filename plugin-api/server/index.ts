/**
 * What the server reads of the contract: the record of each host method. It is not in the package that
 * authors install.
 */
import { configMethods } from '../host/config.ts';
import { cryptoMethods } from '../host/crypto.ts';
import { diskMethods } from '../host/disk.ts';
import { eventLogMethods } from '../host/event-log.ts';
import { eventsMethods } from '../host/events.ts';
import { fsMethods } from '../host/fs.ts';
import type { Host } from '../host/host.ts';
import { jobsMethods } from '../host/jobs.ts';
import { kvMethods } from '../host/kv.ts';
import { libraryMethods } from '../host/library.ts';
import { mediaMethods } from '../host/media.ts';
import { netMethods } from '../host/net.ts';
import { notificationsMethods } from '../host/notifications.ts';
import { pluginsMethods } from '../host/plugins.ts';
import { scheduleMethods } from '../host/schedule.ts';
import { secretsMethods } from '../host/secrets.ts';
import { textIndexMethods } from '../host/text-index.ts';
import { viewingMethods } from '../host/viewing.ts';
import type { MethodRecord, MethodRecords } from './method-record.ts';

export { eventLimits } from '../host/events.ts';
export { kvLimits } from '../host/kv.ts';
export { closed } from './method-record.ts';
export type { InputOf, MethodRecord, ScopeRule, ViewerRule } from './method-record.ts';

/** The services of `host`. */
export type Services = Omit<Host, 'viewer' | 'as'>;
/** `kv` */
export type ServiceName = keyof Services;
/** `get` of `kv` */
export type MethodName<Name extends ServiceName> = Extract<keyof Services[Name], string>;
/** `kv.set` */
export type HostCallName = { [Name in ServiceName]: `${Name}.${MethodName<Name>}` }[ServiceName];

/** The record of each method, by service. */
export const hostMethods = {
  config: configMethods,
  crypto: cryptoMethods,
  disk: diskMethods,
  eventLog: eventLogMethods,
  events: eventsMethods,
  fs: fsMethods,
  jobs: jobsMethods,
  kv: kvMethods,
  library: libraryMethods,
  media: mediaMethods,
  net: netMethods,
  notifications: notificationsMethods,
  plugins: pluginsMethods,
  schedule: scheduleMethods,
  secrets: secretsMethods,
  textIndex: textIndexMethods,
  viewing: viewingMethods,
} satisfies { readonly [Name in ServiceName]: MethodRecords<Services[Name]> };

/** The records as a list. */
export const hostCalls: readonly {
  readonly service: ServiceName;
  readonly method: string;
  readonly record: MethodRecord;
}[] = Object.entries<Readonly<Record<string, MethodRecord>>>(hostMethods).flatMap(
  ([service, methods]) =>
    Object.entries(methods).map(([method, record]) => ({
      service: service as ServiceName,
      method,
      record,
    })),
);

/** A table of all methods, such as `kv.set`, made of their records once. */
export const byHostCall = <Entry>(
  entryOf: (record: MethodRecord) => Entry,
): Readonly<Record<HostCallName, Entry>> =>
  Object.fromEntries(
    hostCalls.map(({ service, method, record }) => [`${service}.${method}`, entryOf(record)]),
  ) as Record<HostCallName, Entry>;
