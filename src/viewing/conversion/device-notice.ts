import type { Notice } from '../../platform/notifications/index.ts';
import type { HardwareKind } from './picture-encoders.ts';

/** What admins are told when a device failed so often that the processor works in its place. */
export const deviceNotice = (kind: HardwareKind): Notice => ({
  level: 'warning',
  title: `The device that encodes pictures (${kind}) failed three times within an hour.`,
  message: [
    'For an hour the processor encodes pictures in its place, which is slower; then the device is tried again.',
    'The log says what the device answered: look for "A conversion failed".',
    'Check its driver, whether other programs fill its memory, and whether the user of the server may open it.',
    'Until it works, start the server with --transcoder-hardware none.',
  ].join(' '),
  source: 'playback',
});
