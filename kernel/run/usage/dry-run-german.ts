import { byHostCall } from '../../../plugin-api/server/index.ts';
import type { DryRunWords } from './dry-run-words.ts';

const on = (subject: string | null): string => (subject === null ? '' : ` (${subject})`);

/** The words of a dry run in German. */
export const german: DryRunWords = {
  calls: byHostCall(({ done }) => done.german),
  powers: {
    calls: 'andere Plugins aufzurufen',
    disk: 'die Festplatte des Servers zu lesen',
    eventLog: 'jedes Ereignis des Servers zu lesen',
    events: 'Ereignisse zu senden',
    files: 'die Dateien Ihrer Bibliotheken zu lesen',
    jobs: 'Hintergrundarbeit zu starten',
    kv: 'Werte zu speichern',
    library: 'zu sehen, was in Ihren Bibliotheken ist,',
    libraryChange: 'zu ändern, was in Ihren Bibliotheken ist,',
    metadata: 'Titel und andere Angaben zu ändern',
    net: 'das Netz zu benutzen',
    notifications: 'Mitteilungen zu senden',
    schedule: 'zu Zeiten zu laufen, die es festlegt,',
    secrets: 'Geheimnisse zu benutzen',
    viewing: 'zu sehen, was Menschen gesehen und bewertet haben,',
    textIndex: 'einen eigenen Suchindex zu führen',
    wasm: 'WebAssembly auszuführen',
  },
  moments: {
    'pipeline.index.afterProcess': 'nachdem ein Titel erkannt ist',
    'pipeline.item.beforeActivate': 'bevor ein Titel erscheint',
    'pipeline.probe.afterProcess': 'nachdem die Dateien eines Titels gelesen sind',
    'pipeline.scan.prepare': 'bevor ein Scan beginnt',
  },
  groups: {
    library: 'Ihren Bibliotheken',
    playback: 'dem, was jemand ansieht, bewertet und sammelt',
    pipeline: 'der Aufnahme von Titeln',
    jobs: 'Hintergrundarbeit',
    users: 'Benutzern und Anmeldungen',
    plugins: 'anderen Plugins',
    server: 'Mitteilungen, Sicherungen und zum Zeitplan',
  },
  served: {
    filesystem: 'Dateien unter',
    library: 'Bibliotheken vom Typ',
    probe: 'Dateien vom Typ',
    indexer: 'das Erkennen von Titeln',
    search: 'die Suche',
    license: 'die Lizenz',
    notifier: 'Mitteilungen',
    transcode: 'die Wiedergabe',
    pictures: 'Bilder',
    texts: 'Untertitel und Liedtexte',
    webhooks: 'Webhooks',
    job: 'Hintergrundarbeit vom Typ',
  },
  call({ did, subject, count, lacking }) {
    const times = count === 1 ? 'einmal' : `${count}-mal`;
    const ending =
      lacking === null ? ' und könnte es weiterhin.' : `; das wäre abgelehnt worden: ${lacking}.`;
    return `Es hat ${times} ${did}${on(subject)}${ending}`;
  },
  otherCall: 'den Server um etwas gebeten',
  otherPower: 'das',
  notGranted: (power) => `${power} ist nicht erlaubt`,
  notHost: (host, hosts) => `${host} ist keiner der Hosts ${hosts}`,
  notJob: (type) => `Hintergrundarbeit vom Typ ${type} ist nicht erlaubt`,
  notCall: (method) => `Aufrufe von ${method} sind nicht erlaubt`,
  onlyPlaces: (places) => `Es erhielte nur Aufrufe und Ereignisse zu ${places}.`,
  notHooked: (moment) => `Es würde nicht aufgerufen, ${moment}.`,
  onlyObserves: (moment) => `Es würde nichts ändern, ${moment}, und nur zusehen.`,
  notHeard: (group) => `Es erhielte keine Ereignisse zu ${group}.`,
  notServed: (what) => `Es würde ${what} nicht bedienen.`,
  noWasm: 'Es liefe ohne WebAssembly.',
  noSchedule: 'Es würde zu den Zeiten, die es festgelegt hat, nicht aufgerufen.',
  full: (bytes, megabytes) =>
    `Es speichert ${bytes} Bytes, mehr als ${megabytes} MB: Es könnte nichts mehr speichern.`,
};
