/** An app that may request a pairing. */
import type { AppView, DeveloperApp } from '../service/web-api.ts';

export interface StoredApp {
  readonly appId: string;
  /** Its developer. */
  readonly userId: string;
  readonly name: string;
  readonly icon: string | null;
  readonly domain: string | null;
  /** When the domain proof was last found; `null` = not verified. */
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  readonly callbacks: readonly string[];
}

/** An app as users see it. An unverified app is shown without domain and picture. */
export function viewOfApp({ appId, name, icon, domain, verifiedAt }: StoredApp): AppView {
  const isVerified = verifiedAt !== null;
  return {
    appId,
    name,
    isVerified,
    domain: isVerified ? domain : null,
    icon: isVerified ? icon : null,
  };
}

/** The text of the DNS TXT record with which a domain claims an app. */
export const proofOf = (appId: string): string => `media-identity=${appId}`;

/** An app as its developer sees it. */
export const developerView = (app: StoredApp): DeveloperApp => ({
  ...viewOfApp(app),
  domain: app.domain,
  icon: app.icon,
  callbacks: app.callbacks,
  isEnabled: app.isEnabled,
  createdAt: app.createdAt,
  proof: app.domain === null ? null : proofOf(app.appId),
});

/** Reserved names: they would seem to be the broker or the product. */
const reserved = new Set([
  'admin',
  'administrator',
  'account',
  'api',
  'app',
  'broker',
  'developer',
  'help',
  'identity',
  'login',
  'media-identity',
  'moderator',
  'official',
  'passkey',
  'recovery',
  'root',
  'security',
  'server',
  'support',
  'system',
  'test',
  'verified',
  'vitrine',
]);
const reservedParts = new Set(['vitrine', 'official', 'admin', 'broker']);

/** Whether the name is reserved. */
export const isReserved = (slug: string): boolean =>
  reserved.has(slug) || slug.split('-').some((part) => reservedParts.has(part));

const customScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:(?:\/{0,3}[A-Za-z0-9._~/-]*)$/;

/**
 * Whether a callback may be registered: https with a host, and perhaps port and path, in the
 * spelling of the URL standard; or a private scheme that contains a dot, a reversed domain (RFC
 * 8252).
 */
export function isCallback(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text) || /[?#\s\\%]/.test(text)) return false;
  const { protocol, username, password, href } = new URL(text);
  if (protocol !== 'https:') return customScheme.test(text) && href === text;
  const isExact = href === text || href === `${text}/`;
  return isExact && !text.endsWith('/') && username === '' && password === '';
}

/**
 * Whether a text is a domain name with a dot, valid in DNS, in the spelling of the URL standard.
 */
export const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(text);
