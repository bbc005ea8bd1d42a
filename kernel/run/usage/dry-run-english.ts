import { byHostCall } from '../../../plugin-api/server/index.ts';
import type { DryRunWords } from './dry-run-words.ts';

const on = (subject: string | null): string => (subject === null ? '' : ` (${subject})`);

/** The words of a dry run in English. */
export const english: DryRunWords = {
  calls: byHostCall(({ done }) => done.english),
  powers: {
    calls: 'calling other plugins',
    disk: 'reading the disk of the server',
    eventLog: 'reading every event of the server',
    events: 'sending events',
    files: 'reading the files of your libraries',
    jobs: 'starting background work',
    kv: 'storing values',
    library: 'seeing what is in your libraries',
    libraryChange: 'changing what is in your libraries',
    metadata: 'changing titles and other metadata',
    net: 'using the network',
    notifications: 'sending notifications',
    schedule: 'running at times that it sets',
    secrets: 'using secrets',
    viewing: 'seeing and changing what people watched and marked',
    textIndex: 'keeping a search index of its own',
    wasm: 'running WebAssembly',
  },
  moments: {
    'pipeline.index.afterProcess': 'after a title is identified',
    'pipeline.item.beforeActivate': 'before a title is shown',
    'pipeline.probe.afterProcess': 'after the files of a title are read',
    'pipeline.scan.prepare': 'before a scan',
  },
  groups: {
    library: 'your libraries',
    playback: 'what people watch, rate and collect',
    pipeline: 'the import of titles',
    jobs: 'background work',
    users: 'users and sign-ins',
    plugins: 'other plugins',
    server: 'notifications, backups and the scheduler',
  },
  served: {
    filesystem: 'files at',
    library: 'libraries of the type',
    probe: 'files of the type',
    indexer: 'the identification of titles',
    search: 'searches',
    license: 'the license',
    notifier: 'notifications',
    transcode: 'playback',
    pictures: 'pictures',
    texts: 'subtitles and lyrics',
    webhooks: 'webhooks',
    job: 'background work of the type',
  },
  call({ did, subject, count, lacking }) {
    const times = count === 1 ? 'once' : `${count} times`;
    const ending =
      lacking === null ? 'and still could.' : `and would have been refused: ${lacking}.`;
    return `It ${did}${on(subject)} ${times}, ${ending}`;
  },
  otherCall: 'asked the server for something',
  otherPower: 'this',
  notGranted: (power) => `${power} is not granted`,
  notHost: (host, hosts) => `${host} is not one of the hosts ${hosts}`,
  notJob: (type) => `jobs of the type ${type} are not granted`,
  notCall: (method) => `calls of ${method} are not granted`,
  onlyPlaces: (places) => `It would receive only calls and events about ${places}.`,
  notHooked: (moment) => `It would not be called ${moment}.`,
  onlyObserves: (moment) => `It would change nothing ${moment}, and only look on.`,
  notHeard: (group) => `It would receive no events about ${group}.`,
  notServed: (what) => `It would not serve ${what}.`,
  noWasm: 'It would run without WebAssembly.',
  noSchedule: 'It would not be called at the times that it has scheduled.',
  full: (bytes, megabytes) =>
    `It keeps ${bytes} bytes, above ${megabytes} MB: it could store nothing more.`,
};
