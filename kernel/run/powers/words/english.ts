import { joinWords } from './join-words.ts';
import type { PowerWords } from './power-words.ts';

const join = joinWords('and', 'nothing');

/** The words of consent in English. */
export const english: PowerWords = {
  join,
  andMore: (entries, more) => `${entries.join(', ')} and ${more} more`,
  allPlaces: 'It may touch all libraries, also future ones.',
  onlyPlaces: (places) =>
    `It may touch ${places} and no other library; it receives nothing about other libraries.`,
  powers: {
    files: 'It can read the files of your libraries.',
    disk: 'It can read files below the folders of your libraries on the disk of the server.',
    metadata: 'It can set titles, descriptions, pictures and other metadata of your media.',
    textIndex: 'It can keep a search index of its own on the server.',
    events: 'It can send events, which other plugins and apps receive.',
    eventLog: 'It can read every event on the server.',
    notifications: 'It can send notifications to you and the other admins.',
    schedule: 'It can run by itself at times that it sets.',
    secrets: 'It can use secrets that the server keeps for it, such as keys of services.',
    wasm: 'It can run WebAssembly, in a process of its own that may take more memory.',
  },
  narrowed: {
    files: (places) => `It can read the files of ${places}, and no others.`,
    disk: (places) =>
      `It can read files below the folders of ${places} on the disk of the server, and no others.`,
    metadata: (places) =>
      `It can set titles, descriptions, pictures and other metadata of what is in ${places}, and of nothing else.`,
    eventLog: (places) =>
      `It can read every event of ${places}, and every event that concerns no library.`,
  },
  library: (places, mayWrite) => {
    const where = places ?? 'your libraries';
    const change = mayWrite ? ', and add, change and remove it' : '';
    return `It can see what is in ${where}${change}${places === null ? '' : ', and in no other library'}.`;
  },
  viewing: (places, mayWrite) => {
    const where = places === null ? '' : ` in ${places}`;
    const change = mayWrite ? ' and change' : '';
    return `It can see${change} what people watched, rated and put in lists${where}: of everybody who uses it, and at any time of those who agree.`;
  },
  agreedViewing: (mayWrite) =>
    mayWrite
      ? 'It may see and change what you watched, rated and put in lists, also while you are away.'
      : 'It may see what you watched, rated and put in lists, also while you are away.',
  net: (hosts) => `It can send to and read from ${join(hosts)}.`,
  anyHost: 'any host on the internet',
  hostsBelow: (domain) => `every host below ${domain}`,
  onPort: (host, port) => `${host} on port ${port}`,
  kv: (megabytes) => `It can keep up to ${megabytes} MB of its own on the server.`,
  jobs: (types) => `It can start background work of the type ${join(types)}.`,
  methodsOf: (methods, pluginId) => `${methods} of the plugin ${pluginId}`,
  calls: (methods) => `It can call ${join(methods)}, which gets what it sends and answers it.`,
  hears: {
    library: 'It learns what is in your libraries.',
    playback: 'It learns who watches, rates and collects what, and when.',
    pipeline: 'It learns which items are imported, step by step.',
    jobs: 'It learns which background work runs.',
    users: 'It learns of users and sign-ins.',
    plugins: 'It learns what other plugins do and send.',
    server: 'It learns of notifications, of backups and of the scheduler.',
  },
  seesItems: (mayChange) =>
    `It sees each item while it is imported${mayChange ? ' and can change it' : ''}.`,
  addsKinds: 'It adds to the kinds of files that a scan finds.',
  serves: {
    filesystem: (schemes) =>
      `It serves files at ${schemes}: it says which files there are and what is in them.`,
    library: (types) =>
      `It serves libraries of the type ${types}: it says which files belong to them and which files are one item.`,
    probe: (extensions) => `It serves as the reader of files of the type ${extensions}.`,
    indexer: () =>
      'It serves as an indexer: it sees the names of your files and says what they are.',
    search: () => 'It serves search: it sees every query and decides what is found.',
    license: () => 'It serves the license: it decides what the license of this server allows.',
    notifier: () => 'It serves notifications: it sees each one and passes it on.',
    transcode: () => 'It serves playback: it sees what is played and converts it.',
    pictures: () =>
      'It serves pictures: it sees posters and photos and makes the small ones that clients show.',
    texts: () =>
      'It serves texts: it sees subtitles and lyrics and converts them to the form that clients show.',
    webhooks: () =>
      'It serves webhooks: it sees each event that they send and decides what is sent.',
    job: (types) => `It runs background work of the type ${types}.`,
  },
  servesOther: (capability) => `It serves ${capability}.`,
  views: {
    'ui.item.detail.actions': 'buttons to item pages',
    'ui.item.detail.panels': 'panels to item pages',
    'ui.library.header.actions': 'buttons to libraries',
    'ui.player.overlays': 'overlays to the player',
    'ui.home.sections': 'rows to the first page',
    'ui.shell': 'entries to the lists of pages and commands',
    'ui.settings.sections': 'a section to the settings',
  },
  addsViews: (views) => `It adds ${join(views)}.`,
  actions: (all, forAdmins) => {
    const offered = all === 1 ? '1 action' : `${all} actions`;
    if (forAdmins === all) return `It offers ${offered} to admins.`;
    if (forAdmins === 0) return `It offers ${offered} to users.`;
    return `It offers ${offered}, ${forAdmins} of them to admins alone.`;
  },
  exports: (methods) => `It answers other plugins that you allow to call ${join(methods)}.`,
  asksProfiles: (fields) => `It asks each profile for ${join(fields)}.`,
  noLibrary: 'no library',
  removedLibrary: 'a library that was removed',
  libraryNotGranted: (name) => `the library ${name} is not granted`,
  onlyGranted: (place) => `only ${place} is granted`,
  onlyFolders: (folders) =>
    `only the ${folders.length === 1 ? 'folder' : 'folders'} ${join(folders)}`,
};
