/**
 * What leaves is cut to the schema of its route: a key that the schema does not name stays in the
 * server, whatever a domain put there. It is no check of types; tests check every reply against its
 * schema instead (`checksReplies`), so that a served reply pays for a copy and nothing more.
 */
import type { TSchema } from '@sinclair/typebox';

/** Copies what the schema names. */
export type Projection = (value: unknown) => unknown;

const asItIs: Projection = (value) => value;

/** Reads a schema once and gives the copying function. */
export function createProjection(schema: TSchema): Projection {
  if (Array.isArray(schema['anyOf'])) return unionProjection(schema['anyOf'] as TSchema[]);
  if (isObject(schema['properties'])) return objectProjection(schema);
  if (isObject(schema['items'])) return arrayProjection(schema['items'] as TSchema);
  return asItIs;
}

function objectProjection(schema: TSchema): Projection {
  if (schema['additionalProperties'] === true) return asItIs;
  const properties = Object.entries(schema['properties'] as Record<string, TSchema>);
  const fields = properties.map(([name, inner]) => ({ name, project: createProjection(inner) }));
  return (value) => {
    if (!isObject(value)) return value;
    const copy: Record<string, unknown> = {};
    for (const { name, project } of fields) {
      const inner = value[name];
      if (inner !== undefined) copy[name] = project === asItIs ? inner : project(inner);
    }
    return copy;
  };
}

function arrayProjection(item: TSchema): Projection {
  const project = createProjection(item);
  if (project === asItIs) return asItIs;
  return (value) => (Array.isArray(value) ? value.map(project) : value);
}

/** The branches of a union are told apart by the keys that have one value each. */
function unionProjection(branches: readonly TSchema[]): Projection {
  const all = branches.map((branch) => ({
    constants: constantsOf(branch),
    project: createProjection(branch),
  }));
  return (value) => {
    if (!isObject(value)) return value;
    const fits = all.find(({ constants }) => constants.every(([name, one]) => value[name] === one));
    return fits ? fits.project(value) : {};
  };
}

const constantsOf = (schema: TSchema): readonly (readonly [string, unknown])[] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
    .filter(([, inner]) => 'const' in inner)
    .map(([name, inner]) => [name, inner['const']] as const);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
