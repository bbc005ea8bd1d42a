import type { Notice } from '../../platform/notifications/index.ts';
import type { HardwareKind } from './picture-encoders.ts';

/** What admins are told when a device failed so often that the processor works in its place. */
export const deviceNotice = (kind: HardwareKind): Notice => ({
  level: 'warning',
  title: {
    english: `The device that encodes pictures (${kind}) failed three times within an hour.`,
    german: `Das Gerät, das Bilder kodiert (${kind}), ist in einer Stunde dreimal gescheitert.`,
  },
  message: {
    english: [
      'For an hour the processor encodes pictures in its place, which is slower; then the device is tried again.',
      'The log says what the device answered: look for "A conversion failed".',
      'Check its driver, whether other programs fill its memory, and whether the user of the server may open it.',
      'Until it works, start the server with --transcoder-hardware none.',
    ].join(' '),
    german: [
      'Eine Stunde lang kodiert der Prozessor an seiner Stelle, was langsamer ist; dann wird das Gerät wieder versucht.',
      'Das Protokoll sagt, was das Gerät geantwortet hat: Suchen Sie nach „A conversion failed“.',
      'Prüfen Sie seinen Treiber, ob andere Programme seinen Speicher füllen, und ob der Benutzer des Servers es öffnen darf.',
      'Bis es geht, starten Sie den Server mit --transcoder-hardware none.',
    ].join(' '),
  },
  source: 'playback',
});
