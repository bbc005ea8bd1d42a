import { Fragment } from 'preact';
import { t } from '../../core/messages.ts';

/** The pages of catalogues that metadata name, such as `tvmazeUrl`, by their hosts. */
export function sourceLinksOf(
  metadata: Readonly<Record<string, unknown>>,
): readonly { readonly host: string; readonly href: string }[] {
  const links = new Map<string, string>();
  for (const [key, value] of Object.entries(metadata)) {
    if (!key.endsWith('Url') || typeof value !== 'string' || !URL.canParse(value)) continue;
    const { protocol, hostname, href } = new URL(value);
    if (protocol === 'https:') links.set(hostname.replace(/^www\./, ''), href);
  }
  return [...links].map(([host, href]) => ({ host, href }));
}

/** Where texts and pictures are from, with a link, as the terms of catalogues ask. */
export function SourceLinks({
  metadata,
}: {
  readonly metadata: Readonly<Record<string, unknown>>;
}) {
  const links = sourceLinksOf(metadata);
  if (links.length === 0) return null;
  return (
    <p class="fine">
      {t('item.from')}{' '}
      {links.map(({ host, href }, at) => (
        <Fragment key={host}>
          {at > 0 && ' · '}
          <a href={href} target="_blank" rel="noreferrer">
            {host}
          </a>
        </Fragment>
      ))}
    </p>
  );
}
