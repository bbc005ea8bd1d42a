import { joinWords } from './join-words.ts';
import type { PowerWords } from './power-words.ts';

const join = joinWords('und', 'nichts');

/** The words of consent in German. */
export const german: PowerWords = {
  join,
  andMore: (entries, more) => `${entries.join(', ')} und ${more} mehr`,
  allPlaces: 'Es darf an alle Bibliotheken, auch an künftige.',
  onlyPlaces: (places) =>
    `Es darf an ${places} und an keine andere Bibliothek; über andere Bibliotheken erfährt es nichts.`,
  powers: {
    files: 'Es kann die Dateien Ihrer Bibliotheken lesen.',
    disk: 'Es kann Dateien unter den Ordnern Ihrer Bibliotheken auf der Festplatte des Servers lesen.',
    metadata: 'Es kann Titel, Beschreibungen, Bilder und andere Angaben zu Ihren Medien setzen.',
    textIndex: 'Es kann einen eigenen Suchindex auf dem Server halten.',
    events: 'Es kann Ereignisse senden, die andere Plugins und Apps empfangen.',
    eventLog: 'Es kann jedes Ereignis auf dem Server lesen.',
    notifications: 'Es kann Ihnen und den anderen Admins Mitteilungen senden.',
    schedule: 'Es kann von selbst laufen, zu Zeiten, die es festlegt.',
    secrets:
      'Es kann Geheimnisse verwenden, die der Server für es aufbewahrt, etwa Schlüssel von Diensten.',
    wasm: 'Es kann WebAssembly ausführen, in einem eigenen Prozess, der mehr Speicher belegen darf.',
  },
  narrowed: {
    files: (places) => `Es kann die Dateien von ${places} lesen, und keine anderen.`,
    disk: (places) =>
      `Es kann Dateien unter den Ordnern von ${places} auf der Festplatte des Servers lesen, und keine anderen.`,
    metadata: (places) =>
      `Es kann Titel, Beschreibungen, Bilder und andere Angaben zu dem setzen, was in ${places} ist, und zu nichts anderem.`,
    eventLog: (places) =>
      `Es kann jedes Ereignis von ${places} lesen, und jedes, das keine Bibliothek betrifft.`,
  },
  library: (places, mayWrite) => {
    const where = places ?? 'Ihren Bibliotheken';
    const change = mayWrite ? ', und es hinzufügen, ändern und entfernen' : '';
    return `Es kann sehen, was in ${where} ist${change}${places === null ? '' : ', und in keiner anderen Bibliothek'}.`;
  },
  viewing: (places, mayWrite) => {
    const where = places === null ? '' : ` in ${places}`;
    const change = mayWrite ? ' und ändern' : '';
    return `Es kann sehen${change}, was Menschen${where} gesehen, bewertet und in Listen aufgenommen haben: bei allen, die es benutzen, und jederzeit bei denen, die zustimmen.`;
  },
  agreedViewing: (mayWrite) =>
    mayWrite
      ? 'Es darf sehen und ändern, was Sie gesehen, bewertet und in Listen aufgenommen haben, auch während Sie weg sind.'
      : 'Es darf sehen, was Sie gesehen, bewertet und in Listen aufgenommen haben, auch während Sie weg sind.',
  net: (hosts) => `Es kann an ${join(hosts)} senden und von dort lesen.`,
  anyHost: 'jeden Host im Internet',
  hostsBelow: (domain) => `jeden Host unter ${domain}`,
  onPort: (host, port) => `${host} an Port ${port}`,
  kv: (megabytes) => `Es kann bis zu ${megabytes} MB eigene Daten auf dem Server speichern.`,
  jobs: (types) => `Es kann Hintergrundarbeit vom Typ ${join(types)} starten.`,
  methodsOf: (methods, pluginId) => `${methods} des Plugins ${pluginId}`,
  calls: (methods) =>
    `Es kann ${join(methods)} aufrufen; das erhält, was es sendet, und antwortet ihm.`,
  hears: {
    library: 'Es erfährt, was in Ihren Bibliotheken ist.',
    playback: 'Es erfährt, wer was wann ansieht, bewertet und sammelt.',
    pipeline: 'Es erfährt, welche Titel aufgenommen werden, Schritt für Schritt.',
    jobs: 'Es erfährt, welche Hintergrundarbeit läuft.',
    users: 'Es erfährt von Benutzern und Anmeldungen.',
    plugins: 'Es erfährt, was andere Plugins tun und senden.',
    server: 'Es erfährt von Mitteilungen, von Sicherungen und vom Zeitplan.',
  },
  seesItems: (mayChange) =>
    `Es sieht jeden Titel, während er aufgenommen wird${mayChange ? ', und kann ihn ändern' : ''}.`,
  addsKinds: 'Es fügt Arten von Dateien hinzu, die ein Scan findet.',
  serves: {
    filesystem: (schemes) =>
      `Es liefert die Dateien unter ${schemes}: Es sagt, welche Dateien es gibt und was darin ist.`,
    library: (types) =>
      `Es bedient Bibliotheken vom Typ ${types}: Es sagt, welche Dateien dazu gehören und welche ein Titel sind.`,
    probe: (extensions) => `Es liest Dateien vom Typ ${extensions}.`,
    indexer: () => 'Es erkennt Titel: Es sieht die Namen Ihrer Dateien und sagt, was sie sind.',
    search: () => 'Es bedient die Suche: Es sieht jede Anfrage und entscheidet, was gefunden wird.',
    license: () => 'Es bedient die Lizenz: Es entscheidet, was die Lizenz dieses Servers erlaubt.',
    notifier: () => 'Es bedient Mitteilungen: Es sieht jede und gibt sie weiter.',
    transcode: () => 'Es bedient die Wiedergabe: Es sieht, was gespielt wird, und wandelt es um.',
    pictures: () =>
      'Es bedient Bilder: Es sieht Poster und Fotos und macht daraus die kleinen, die Apps zeigen.',
    texts: () =>
      'Es bedient Texte: Es sieht Untertitel und Liedtexte und wandelt sie in die Form um, die Apps zeigen.',
    webhooks: () =>
      'Es bedient Webhooks: Es sieht jedes Ereignis, das sie senden, und entscheidet, was gesendet wird.',
    job: (types) => `Es erledigt Hintergrundarbeit vom Typ ${types}.`,
  },
  servesOther: (capability) => `Es bedient ${capability}.`,
  views: {
    'ui.item.detail.actions': 'Knöpfe auf den Seiten von Titeln',
    'ui.item.detail.panels': 'Felder auf den Seiten von Titeln',
    'ui.library.header.actions': 'Knöpfe bei Bibliotheken',
    'ui.player.overlays': 'Einblendungen im Player',
    'ui.home.sections': 'Reihen auf der ersten Seite',
    'ui.shell': 'Einträge in den Listen von Seiten und Befehlen',
    'ui.settings.sections': 'einen Abschnitt in den Einstellungen',
  },
  addsViews: (views) => `Es ergänzt ${join(views)}.`,
  actions: (all, forAdmins) => {
    const offered = all === 1 ? '1 Aktion' : `${all} Aktionen`;
    if (forAdmins === all) return `Es bietet Admins ${offered} an.`;
    if (forAdmins === 0) return `Es bietet Benutzern ${offered} an.`;
    return `Es bietet ${offered} an, davon ${forAdmins} nur Admins.`;
  },
  exports: (methods) =>
    `Es antwortet anderen Plugins, denen Sie es erlauben, auf ${join(methods)}.`,
  asksProfiles: (fields) => `Es fragt jedes Profil nach ${join(fields)}.`,
  noLibrary: 'keine Bibliothek',
  removedLibrary: 'eine Bibliothek, die entfernt wurde',
  libraryNotGranted: (name) => `die Bibliothek ${name} ist nicht erlaubt`,
  onlyGranted: (place) => `nur ${place} ist erlaubt`,
  onlyFolders: (folders) =>
    `nur ${folders.length === 1 ? 'der Ordner' : 'die Ordner'} ${join(folders)}`,
};
