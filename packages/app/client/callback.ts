import { IdentityError } from './identity-error.ts';

/** The data of a callback from the broker. */
export interface Callback {
  /** The URL without its query. */
  readonly at: string;
  readonly requestId: string;
  /** `ok`, or the reason of the failure. */
  readonly result: string;
}

/** Parses a callback URL without `URL`, which in React Native does not support custom schemes. */
export function parseCallback(url: string): Callback {
  const [beforeFragment = ''] = url.split('#', 1);
  const mark = beforeFragment.indexOf('?');
  const query = new Map(
    mark < 0
      ? []
      : beforeFragment
          .slice(mark + 1)
          .split('&')
          .map(toPair),
  );
  const requestId = query.get('requestId');
  const result = query.get('result');
  if (requestId === undefined || result === undefined) throw new IdentityError('callback_unknown');
  return { at: beforeFragment.slice(0, mark), requestId, result };
}

/** Whether a URL is a callback, so that an app can check each URL that starts it. */
export const isCallback = (url: string): boolean => /[?&]requestId=[^&#]+/.test(url);

function toPair(text: string): [string, string] {
  const [key = '', value = ''] = text.split('=', 2);
  return [decoded(key), decoded(value)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** Whether a callback has the expected URL; browsers add a slash to a bare origin. */
export const isAt = (at: string, callbackUrl: string): boolean =>
  at === callbackUrl || at === `${callbackUrl}/`;
