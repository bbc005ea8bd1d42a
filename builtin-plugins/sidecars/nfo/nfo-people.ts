import type { BundleEntity } from '../../../plugin-api/index.ts';
import { entity, toLine, toLines } from '../findings/finding.ts';
import { childrenOf, textOf, textsOf, type XmlElement } from '../xml/xml-element.ts';
import { pictureAddress } from './nfo-artwork.ts';
import { idsOf } from './nfo-ids.ts';
import { splitNames, toCount } from './nfo-values.ts';

const mostActors = 200;

/** Jellyfin and Emby name the role in `type`, also for people behind the camera. */
const roleOfType: ReadonlyMap<string, string> = new Map([
  ['actor', 'actor'],
  ['gueststar', 'actor'],
  ['director', 'director'],
  ['writer', 'writer'],
  ['producer', 'producer'],
  ['composer', 'composer'],
  ['conductor', 'conductor'],
  ['lyricist', 'lyricist'],
]);

/** People by role, in their order. */
export function peopleOf(element: XmlElement): Record<string, readonly BundleEntity[]> {
  const actors = childrenOf(element, 'actor').slice(0, mostActors).flatMap(toActor);
  const inRole = (role: string): BundleEntity[] =>
    actors.flatMap((one) => (one.role === role ? [one] : [])).map(({ person }) => person);
  const named = (role: string, ...names: readonly string[]): BundleEntity[] => {
    const listed = toLines(splitNames(textsOf(element, ...names)));
    const described = inRole(role);
    const people = listed.map(
      (name) => described.find((one) => one.name === name) ?? entity('person', name),
    );
    return [...people, ...described.filter(({ name }) => !listed.includes(name))];
  };
  return {
    actor: inRole('actor'),
    director: named('director', 'director'),
    writer: named('writer', 'credits', 'writer'),
    producer: named('producer', 'producer'),
    composer: named('composer', 'composer', 'musiccomposer'),
    conductor: inRole('conductor'),
    lyricist: inRole('lyricist'),
  };
}

interface Actor {
  readonly role: string;
  readonly order: number;
  readonly person: BundleEntity;
}

function toActor(element: XmlElement, place: number): Actor[] {
  const name = toLine(textOf(element, 'name'));
  if (name === undefined) return [];
  const type = textOf(element, 'type')?.toLowerCase();
  const role = roleOfType.get(type ?? 'actor');
  if (role === undefined) return [];
  const order = toCount(textOf(element, 'order', 'sortorder')) ?? place;
  const metadata = {
    character: role === 'actor' ? toLine(textOf(element, 'role')) : undefined,
    order,
    isGuest: type === 'gueststar' ? true : undefined,
    imageUrl: pictureAddress(textOf(element, 'thumb')),
    url: pictureAddress(textOf(element, 'profile')),
  };
  return [{ role, order, person: entity('person', name, { ids: idsOf(element), metadata }) }];
}
