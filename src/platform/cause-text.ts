/**
 * Causes of failures that were stored or passed on in English, in each language of the server. Each
 * sentence is translated by itself; one that is not known here, such as what a plugin wrote, stays as
 * it is.
 */
import { textIn, type Text } from './text.ts';

/** `{name}` is any text. The more general ones come last. */
export const germanCauses: readonly (readonly [english: string, german: string])[] = [
  ['internal error', 'Ein Fehler im Server; sein Protokoll sagt mehr.'],
  ['The file or folder does not exist.', 'Die Datei oder den Ordner gibt es nicht.'],
  ['The path does not exist.', 'Den Pfad gibt es nicht.'],
  ['The scan failed.', 'Der Scan ist gescheitert.'],
  ['It crashed.', 'Es ist abgestürzt.'],
  ['It gave no reason.', 'Es nannte keinen Grund.'],
  ['Its process ended.', 'Sein Prozess endete.'],
  ['Its process no longer answers.', 'Sein Prozess antwortet nicht mehr.'],
  ['Its process went over its memory cap.', 'Sein Prozess brauchte mehr Speicher, als er darf.'],
  ['Its channel failed.', 'Die Verbindung zu seinem Prozess brach ab.'],
  ['Went over its memory limit.', 'Es brauchte mehr Speicher, als es darf.'],
  ['Sent too many malformed messages.', 'Es schickte zu viele falsche Nachrichten.'],
  [
    'Went on computing past the deadline of its call.',
    'Es rechnete länger, als sein Aufruf dauern darf.',
  ],
  ['Runs code that nothing can interrupt.', 'Es führt etwas aus, das sich nicht anhalten lässt.'],
  [
    'The process that it shared with others ended.',
    'Der Prozess, den es mit anderen teilte, endete.',
  ],
  ['Computed for {time} ms without a pause.', 'Es rechnete {time} ms lang ohne Pause.'],
  ['The plugin did not start within {time} s.', 'Das Plugin startete nicht binnen {time} s.'],
  ['Plugin {id} did not start: {why}', 'Das Plugin {id} startete nicht: {why}'],
  ['Plugin {id} is not running.', 'Das Plugin {id} läuft nicht.'],
  ['No answer came in {time} ms.', 'In {time} ms kam keine Antwort.'],
  ['{host} did not answer in time.', '{host} antwortete nicht rechtzeitig.'],
  ['{host} redirects too often.', '{host} leitet zu oft weiter.'],
  [
    'The server ended {times} times during this job, which made no progress.',
    'Der Server endete während dieser Aufgabe {times}-mal, und sie kam nicht voran.',
  ],
  [
    'No plugin finds files for a library of the type {type}; the types that work here are {types}.',
    'Kein Plugin findet Dateien für eine Bibliothek der Art {type}; hier gehen die Arten {types}.',
  ],
  [
    'The disk of the backup folder {place} is full, and nothing was stored.',
    'Die Platte des Ordners der Sicherungen {place} ist voll, und nichts wurde gespeichert.',
  ],
  ['Make room on it.', 'Schaffen Sie Platz darauf.'],
  [
    'The disk of the backup folder {place} is read-only.',
    'Die Platte des Ordners der Sicherungen {place} ist schreibgeschützt.',
  ],
  ['Mount it for writing.', 'Hängen Sie sie zum Schreiben ein.'],
  [
    'The backup folder {place} cannot be used by the user of this process ({code}).',
    'Der Benutzer dieses Prozesses kann den Ordner der Sicherungen {place} nicht benutzen ({code}).',
  ],
  ['Make that user its owner.', 'Machen Sie ihn zum Eigentümer.'],
  [
    'The disk of the backup folder {place} failed ({code}).',
    'Die Platte des Ordners der Sicherungen {place} versagte ({code}).',
  ],
  ['The log of the system (dmesg) says more.', 'Das Protokoll des Systems (dmesg) sagt mehr.'],
  [
    'The backup folder {place} is not a folder, or lies in a file ({code}).',
    'Der Ordner der Sicherungen {place} ist kein Ordner oder liegt in einer Datei ({code}).',
  ],
  ['Move that file away.', 'Verschieben Sie diese Datei.'],
  [
    'The update service could not be reached.',
    'Der Dienst für neue Versionen ist nicht erreichbar.',
  ],
  [
    'The update service answered with {status}.',
    'Der Dienst für neue Versionen antwortete mit {status}.',
  ],
  [
    'There are no update checks: start the server with --update-url and --update-key.',
    'Es wird nicht nach neuen Versionen gesehen: Starten Sie den Server mit --update-url und --update-key.',
  ],
  ['The channel file is not JSON.', 'Die Datei des Kanals ist kein JSON.'],
  [
    'The channel file is not signed with the key of --update-key.',
    'Die Datei des Kanals ist nicht mit dem Schlüssel von --update-key signiert.',
  ],
  ['The database is damaged: {fault}.', 'Die Datenbank ist beschädigt: {fault}.'],
  ['{host} could not be reached{why}.', '{host} ist nicht erreichbar{why}.'],
  ['{what} could not be read.', '{what} ließ sich nicht lesen.'],
];

const known = germanCauses.map(([english, german]) => {
  const pieces = english
    .split(/\{\w+\}/)
    .map((piece) => piece.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  const names = [...english.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return { pattern: new RegExp(`^${pieces.join('(.*?)')}$`, 's'), names, german };
});

/** A cause that is known in English, in each language. */
export const causeText = (english: string): Text => ({
  english,
  german: english
    .split(/(?<=[.!?]) (?=[A-Z])/)
    .map(germanOf)
    .join(' '),
});

/** A cause in the language of a reader; `null` stays `null`. */
export const causeIn = <Cause extends string | null>(
  cause: Cause,
  locale: string | null | undefined,
): Cause | string => (cause === null ? cause : textIn(causeText(cause), locale));

function germanOf(sentence: string): string {
  for (const { pattern, names, german } of known) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const values = new Map(names.map((name, at) => [name, found[at + 1] ?? '']));
    return german.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
  }
  return sentence;
}
