import type { ComponentChildren } from 'preact';
import { pictureUrl } from '../ui/tile.tsx';
import type { Fact, MetadataPiece } from './piece.ts';

/** The text of a fact; a page of the app is linked, and so is an address outside with its host. */
function FactLink({
  fact,
  children,
}: {
  readonly fact: Fact;
  readonly children: ComponentChildren;
}) {
  if (fact.page !== undefined) return <a href={fact.page}>{children}</a>;
  if (fact.link !== undefined)
    return (
      <a href={fact.link.href} target="_blank" rel="noopener noreferrer">
        {children} <small>({fact.link.host})</small>
      </a>
    );
  return <>{children}</>;
}

const About = ({ fact: { description } }: { readonly fact: Fact }) =>
  description === '' ? null : (
    <small>
      <bdi>{description}</bdi>
    </small>
  );

const Picture = ({ id }: { readonly id: string | undefined }) =>
  id === undefined ? null : <img src={pictureUrl(id, 320)} alt="" loading="lazy" />;

/** Facts of a plugin in one of the four layouts. */
export function Metadata({ piece: { layout, facts } }: { readonly piece: MetadataPiece }) {
  switch (layout) {
    case 'key-value':
      return (
        <dl class="facts-table">
          {facts.map((fact, at) => (
            <div key={at}>
              <dt>
                <bdi>{fact.key}</bdi>
              </dt>
              <dd>
                <FactLink fact={fact}>
                  <bdi>{fact.value}</bdi>
                </FactLink>
                <About fact={fact} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'list':
      return (
        <ul class="lines">
          {facts.map((fact, at) => (
            <li key={at}>
              <span>
                <FactLink fact={fact}>
                  <bdi>{fact.key}</bdi>
                </FactLink>{' '}
                <About fact={fact} />
              </span>
              {fact.value !== '' && <bdi>{fact.value}</bdi>}
            </li>
          ))}
        </ul>
      );
    case 'chips':
      return (
        <ul class="chips">
          {facts.map((fact, at) => (
            <li key={at} class="chip">
              <FactLink fact={fact}>
                <bdi>{fact.value === '' ? fact.key : `${fact.key}: ${fact.value}`}</bdi>
              </FactLink>
            </li>
          ))}
        </ul>
      );
    case 'gallery':
      return (
        <ul class="gallery">
          {facts.map((fact, at) => (
            <li key={at}>
              <FactLink fact={fact}>
                <Picture id={fact.picture} />
                <bdi>{fact.key}</bdi>
              </FactLink>
              <About fact={fact} />
            </li>
          ))}
        </ul>
      );
  }
}
