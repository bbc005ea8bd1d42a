import { proofOf } from './app.ts';

/**
 * The text of `https://<domain>/.well-known/media-identity.json`; `null` = missing. Rejects when
 * the domain does not answer.
 */
export type FetchProof = (domain: string) => Promise<string | null>;

/** The DNS TXT records, each split into parts, as in `node:dns`; none = an empty list. */
export type ResolveTxt = (domain: string) => Promise<readonly (readonly string[])[]>;

/** The result of a check; an unreachable domain is not the same as a missing proof. */
export type DomainVerdict = 'proven' | 'unproven' | 'unreachable';

/** Checks whether a domain names an app, in DNS or in its well-known file. */
export async function checkDomain(
  { domain, appId }: { readonly domain: string; readonly appId: string },
  { fetchProof, resolveTxt }: { readonly fetchProof: FetchProof; readonly resolveTxt: ResolveTxt },
): Promise<DomainVerdict> {
  const [records, file] = await Promise.allSettled([resolveTxt(domain), fetchProof(domain)]);
  const isInDns =
    records.status === 'fulfilled' &&
    records.value.some((parts) => parts.join('') === proofOf(appId));
  if (isInDns || (file.status === 'fulfilled' && namesApp(file.value, appId))) return 'proven';
  const isAnswered = records.status === 'fulfilled' && file.status === 'fulfilled';
  return isAnswered ? 'unproven' : 'unreachable';
}

/** Whether the text is `{"apps": [… appId …]}`. */
function namesApp(text: string | null, appId: string): boolean {
  if (text === null) return false;
  try {
    const parsed: unknown = JSON.parse(text);
    const apps: unknown =
      typeof parsed === 'object' && parsed !== null && 'apps' in parsed ? parsed.apps : null;
    return Array.isArray(apps) && apps.includes(appId);
  } catch {
    return false;
  }
}
