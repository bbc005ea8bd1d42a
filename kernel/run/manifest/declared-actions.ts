import type { ActionDeclaration, Manifest } from '../../../plugin-api/index.ts';

/** The actions of a manifest with their access; an action given by name alone is for admins. */
export const declaredActions = ({
  actions = [],
}: Pick<Manifest, 'actions'>): readonly ActionDeclaration[] =>
  actions.map((one) => (typeof one === 'string' ? { name: one, access: 'admin' } : one));
