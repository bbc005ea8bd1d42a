import { Type } from '@sinclair/typebox';
import { AppError } from '../../platform/errors.ts';
import { routes } from '../route.ts';

/** The content of `security.txt`. */
export interface SecurityTxtParts {
  /**
   * The contact for security reports: `mailto:…` or `https://…`; without one there is no such file.
   */
  readonly securityContact: string | null;
  readonly publicUrl: string | null;
  readonly now: () => number;
}

const path = '/.well-known/security.txt';
const text = 'text/plain; charset=utf-8';
const dayMs = 24 * 60 * 60_000;
/** Less than a year, as RFC 9116 recommends; the date advances while the server runs. */
const lifetimeMs = 180 * dayMs;

const SecurityTxt = {
  description: 'RFC 9116: the security contact of this server',
  content: { 'text/plain': { schema: Type.Unsafe<string>({ type: 'string' }) } },
};

/** The security contact, at its well-known path. */
export const securityTxtRoutes = routes<SecurityTxtParts>({ access: 'nobody' }, (route, parts) => {
  route(`GET ${path}`, {
    answersAlways: true,
    operation: 'getSecurityContact',
    summary: 'The security contact of this server',
    tag: 'operations',
    reply: SecurityTxt,
    handler: ({ reply }) => {
      if (parts.securityContact === null) throw new AppError('not_found', { what: path });
      return reply.type(text).send(linesOf(parts, parts.securityContact).join('\n'));
    },
  });
});

function linesOf({ publicUrl, now }: SecurityTxtParts, contact: string): readonly string[] {
  const endsAt = Math.floor((now() + lifetimeMs) / dayMs) * dayMs;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(endsAt).toISOString()}`,
    'Preferred-Languages: en',
    ...(publicUrl === null ? [] : [`Canonical: ${publicUrl}${path}`]),
    '',
  ];
}
