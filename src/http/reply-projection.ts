/**
 * Cuts replies to the schema of their route: a key that the schema does not name never leaves the
 * server. It does not check types; tests check every reply against its schema (`checksReplies`). A
 * value without other keys is returned itself, since copying each item of a page is expensive.
 */
import type { TSchema } from '@sinclair/typebox';

/** Gives the value itself if it has only keys of the schema, else a copy with those. */
export type Projection = (value: unknown) => unknown;

const asItIs: Projection = (value) => value;

/** Reads a schema once and gives the projection. */
export function createProjection(schema: TSchema): Projection {
  if (Array.isArray(schema['anyOf'])) return unionProjection(schema['anyOf'] as TSchema[]);
  if (isObject(schema['properties'])) return objectProjection(schema);
  if (isObject(schema['items'])) return arrayProjection(schema['items'] as TSchema);
  return asItIs;
}

function objectProjection(schema: TSchema): Projection {
  if (schema['additionalProperties'] === true) return asItIs;
  const properties = Object.entries(schema['properties'] as Record<string, TSchema>);
  const names = new Set(properties.map(([name]) => name));
  const inner = properties
    .map(([name, one]) => ({ name, project: createProjection(one) }))
    .filter(({ project }) => project !== asItIs);
  return (value) => {
    if (!isObject(value)) return value;
    let cut = hasOnly(value, names) ? value : pick(value, names);
    for (const { name, project } of inner) {
      const [before, after] = [value[name], project(value[name])];
      if (after === before) continue;
      if (cut === value) cut = { ...value };
      cut[name] = after;
    }
    return cut;
  };
}

/** An object of a class may have getters, or a `toJSON` with other keys. */
function hasOnly(value: object, names: ReadonlySet<string>): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name of Object.keys(value)) if (!names.has(name)) return false;
  return true;
}

function pick(value: Record<string, unknown>, names: ReadonlySet<string>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (value[name] !== undefined) picked[name] = value[name];
  return picked;
}

function arrayProjection(item: TSchema): Projection {
  const project = createProjection(item);
  if (project === asItIs) return asItIs;
  return (value) => {
    if (!Array.isArray(value)) return value;
    const whole: readonly unknown[] = value;
    const cut = whole.map(project);
    return cut.every((one, at) => one === whole[at]) ? whole : cut;
  };
}

/**
 * The branches of a union are distinguished by the keys that have one constant value each; where
 * several fit, the first is taken of which the value has every required key.
 */
function unionProjection(branches: readonly TSchema[]): Projection {
  const all = branches.map((branch) => ({
    constants: constantsOf(branch),
    required: (branch['required'] ?? []) as readonly string[],
    project: createProjection(branch),
  }));
  return (value) => {
    if (!isObject(value)) return value;
    const fitting = all.filter(({ constants }) =>
      constants.every(([name, one]) => value[name] === one),
    );
    const whole = fitting.find(({ required }) =>
      required.every((name) => Object.hasOwn(value, name)),
    );
    const fits = whole ?? fitting[0];
    return fits ? fits.project(value) : {};
  };
}

const constantsOf = (schema: TSchema): readonly (readonly [string, unknown])[] =>
  Object.entries((schema['properties'] ?? {}) as Record<string, TSchema>)
    .filter(([, inner]) => 'const' in inner)
    .map(([name, inner]) => [name, inner['const']] as const);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
