import type { Resources } from '../core/api.ts';
import { t } from '../core/messages.ts';
import { deviceWords } from './device-words.ts';

/** The name of the device of a session, else its browser and system. */
export function deviceName({
  deviceName: name,
  userAgent,
}: Pick<Resources['Session'], 'deviceName' | 'userAgent'>): string {
  if (name !== null) return name;
  const { browser, system } = deviceWords(userAgent ?? '');
  if (browser !== undefined && system !== undefined)
    return t('account.browserOn', { browser, system });
  return browser ?? system ?? t('account.unknownDevice');
}
