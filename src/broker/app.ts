/** An app that may ask to be paired. */
import type { AppView, DeveloperApp } from './web-api.ts';

/** An app as it is stored. */
export interface StoredApp {
  readonly appId: string;
  /** Its developer. */
  readonly userId: string;
  readonly name: string;
  readonly icon: string | null;
  readonly domain: string | null;
  /** When the domain last named the app; `null` = it is not verified. */
  readonly verifiedAt: number | null;
  readonly checkedAt: number | null;
  readonly isEnabled: boolean;
  readonly createdAt: number;
  readonly callbacks: readonly string[];
}

/** An app as users see it: what is not verified has neither domain nor picture. */
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

/** What a domain says to prove that an app is its own, in a DNS TXT record. */
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

/** Names that would speak for the broker or for the product, and parts of them that do. */
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

/** Whether nobody may register it. */
export const isReserved = (slug: string): boolean =>
  reserved.has(slug) || slug.split('-').some((part) => reservedParts.has(part));

const customScheme = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:(?:\/{0,3}[A-Za-z0-9._~/-]*)$/;

/**
 * Whether an app may register it: https with host, and perhaps port and path, spelled as the URL
 * standard spells it; or a scheme of its own with a dot, which is some domain reversed (RFC 8252).
 */
export function isCallback(text: string): boolean {
  if (text.length > 500 || !URL.canParse(text) || /[?#\s\\%]/.test(text)) return false;
  const { protocol, username, password, href } = new URL(text);
  if (protocol !== 'https:') return customScheme.test(text) && href === text;
  const isExact = href === text || href === `${text}/`;
  return isExact && !text.endsWith('/') && username === '' && password === '';
}

/** Whether a domain is a name with a dot that DNS can hold, as the URL standard spells it. */
export const isDomain = (text: string): boolean =>
  text.length <= 253 &&
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(text);
