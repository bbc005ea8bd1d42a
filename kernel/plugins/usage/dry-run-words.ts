/** The words of a dry run. A call, a power and an entry of a list are named as a manifest names them. */

/** Texts of one language. */
export interface DryRunWords {
  /** `lacking` = why the call would be refused; `null` = it would not. */
  readonly call: (use: {
    readonly call: string;
    readonly subject: string | null;
    readonly count: number;
    readonly lacking: string | null;
  }) => string;
  readonly notGranted: (power: string) => string;
  readonly notHost: (host: string, hosts: string) => string;
  readonly notJob: (type: string) => string;
  readonly notCall: (method: string) => string;
  readonly onlyPlaces: (places: string) => string;
  readonly notHooked: (hook: string) => string;
  readonly onlyObserves: (hook: string) => string;
  readonly notHeard: (group: string) => string;
  readonly notServed: (key: string) => string;
  readonly noWasm: string;
  readonly noSchedule: string;
  readonly full: (bytes: number, megabytes: number) => string;
}

const english: DryRunWords = {
  call({ call, subject, count, lacking }) {
    const times = count === 1 ? 'once' : `${count} times`;
    const ending =
      lacking === null ? 'and still could.' : `and would have been refused: ${lacking}.`;
    return `It called host.${call}${on(subject)} ${times}, ${ending}`;
  },
  notGranted: (power) => `${power} is not granted`,
  notHost: (host, hosts) => `${host} is not one of the hosts ${hosts}`,
  notJob: (type) => `jobs of the type ${type} are not granted`,
  notCall: (method) => `calls of ${method} are not granted`,
  onlyPlaces: (places) => `It would receive only calls and events about ${places}.`,
  notHooked: (hook) => `It would not be called at ${hook}.`,
  onlyObserves: (hook) => `It would only observe ${hook}: metadata: write is not granted.`,
  notHeard: (group) => `It would receive no events of the group ${group}.`,
  notServed: (key) => `It would not serve ${key}.`,
  noWasm: 'It would run without WebAssembly.',
  noSchedule: 'It would not be called at the times that it has scheduled.',
  full: (bytes, megabytes) =>
    `It keeps ${bytes} bytes, above ${megabytes} MB: it could store nothing more.`,
};

const german: DryRunWords = {
  call({ call, subject, count, lacking }) {
    const times = count === 1 ? 'einmal' : `${count}-mal`;
    const ending =
      lacking === null ? 'und könnte es weiterhin.' : `und wäre abgelehnt worden: ${lacking}.`;
    return `Es rief host.${call}${on(subject)} ${times} auf ${ending}`;
  },
  notGranted: (power) => `${power} ist nicht erlaubt`,
  notHost: (host, hosts) => `${host} ist keiner der Hosts ${hosts}`,
  notJob: (type) => `Hintergrundarbeit vom Typ ${type} ist nicht erlaubt`,
  notCall: (method) => `Aufrufe von ${method} sind nicht erlaubt`,
  onlyPlaces: (places) => `Es erhielte nur Aufrufe und Ereignisse zu ${places}.`,
  notHooked: (hook) => `Es würde bei ${hook} nicht aufgerufen.`,
  onlyObserves: (hook) => `Es sähe bei ${hook} nur zu: metadata: write ist nicht erlaubt.`,
  notHeard: (group) => `Es erhielte keine Ereignisse der Gruppe ${group}.`,
  notServed: (key) => `Es würde ${key} nicht bedienen.`,
  noWasm: 'Es liefe ohne WebAssembly.',
  noSchedule: 'Es würde zu den Zeiten, die es festgelegt hat, nicht aufgerufen.',
  full: (bytes, megabytes) =>
    `Es speichert ${bytes} Bytes, mehr als ${megabytes} MB: Es könnte nichts mehr speichern.`,
};

const on = (subject: string | null): string => (subject === null ? '' : ` (${subject})`);

/** The words in the language of a reader, as a BCP 47 tag; English where there are none. */
export const dryRunWords = (locale: string | null): DryRunWords =>
  locale?.toLowerCase().split('-', 1)[0] === 'de' ? german : english;
