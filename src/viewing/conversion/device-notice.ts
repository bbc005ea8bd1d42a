import type { Notice } from '../../platform/notifications/index.ts';
import type { HardwareKind } from './picture-encoders.ts';
import { say } from '../../platform/text.ts';

/** What admins are told when a device failed so often that the processor works in its place. */
export const deviceNotice = (kind: HardwareKind): Notice => ({
  level: 'warning',
  title: say('conversion.deviceEncodesPicturesFailedThree', { kind }),
  message: say('conversion.processorEncodesForAnHour'),
  source: 'playback',
});
