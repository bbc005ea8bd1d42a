/** Rules of a manifest beyond its schema: versions, paths, and parts that belong together. */
import semver from 'semver';
import type { ConfigField, DataSchema, Manifest } from '../../../plugin-api/index.ts';
import { compatibilityFaults } from './compatibility.ts';
import { valueFault } from './config-values.ts';
import { declaredActions } from './declared-actions.ts';
import { isOwnJobType, serverJobTypes } from '../powers/powers-asked.ts';
import { shown } from './schema-faults.ts';

type Rule = (manifest: Manifest) => readonly string[];

const rules: readonly Rule[] = [
  checkVersions,
  compatibilityFaults,
  checkDependencies,
  checkMain,
  checkHooks,
  checkCapabilities,
  checkDerivedPowers,
  checkJobTypes,
  checkForm,
  checkProfileForm,
  checkActions,
  checkExports,
  checkCalls,
];

/** The faults of a manifest that fits the schema, one sentence each. */
export function ruleFaults(manifest: Manifest): readonly string[] {
  return rules.flatMap((rule) => rule(manifest));
}

/**
 * Of a manifest that does not fit the schema, what the rules find all the same, so that an author
 * reads all faults at once. A place of which something was said already is left out.
 */
export function furtherFaults(value: unknown, said: readonly string[]): readonly string[] {
  const places = new Set(said.map(placeIn));
  return rules.flatMap((rule) => {
    try {
      return rule(value as Manifest).filter((fault) => !places.has(placeIn(fault)));
    } catch {
      // The parts that it reads are not there, or of another kind.
      return [];
    }
  });
}

const placeIn = (fault: string): string => fault.split(': ', 1)[0] ?? '';

/** The range of `minVersion`: a single version means that version or later. */
export function serverRange(minVersion: string): string {
  return semver.valid(minVersion) === null ? minVersion : `>=${minVersion}`;
}

function checkActions(manifest: Manifest): readonly string[] {
  const names = declaredActions(manifest).map(({ name }) => name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [`actions[${index}]: ${shown(name)} is listed before; name each action once.`],
  );
}

/** The most parts that the schemas of all exported methods have together. */
const mostParts = 2000;

function checkExports({ exports: methods = [] }: Manifest): readonly string[] {
  const names = methods.map(({ name }) => name);
  const parts = methods.reduce((sum, one) => sum + partsOf(one.input) + partsOf(one.output), 0);
  return [
    ...methods.flatMap(({ name, input }, index) => [
      ...(names.indexOf(name) === index
        ? []
        : [
            `exports[${index}].name: ${shown(name)} is the name of an earlier one; each has its own.`,
          ]),
      ...(input.type === 'object'
        ? []
        : [
            `exports[${index}].input.type: ${shown(input.type)} is not an input; right is "object".`,
          ]),
    ]),
    ...(parts > mostParts
      ? [`exports: the schemas have ${parts} parts, above ${mostParts}; leave some open.`]
      : []),
  ];
}

function partsOf({ properties = {}, items }: DataSchema): number {
  const inner = [...Object.values(properties), ...(items ? [items] : [])];
  return inner.reduce((sum, one) => sum + partsOf(one), 1);
}

function checkCalls({ id, permissions }: Manifest): readonly string[] {
  return (permissions.calls ?? []).flatMap((name, index) =>
    name.startsWith(`${id}:`)
      ? [`permissions.calls[${index}]: ${shown(name)} is a method of this plugin; leave it out.`]
      : [],
  );
}

function checkVersions({ version, minVersion }: Manifest): readonly string[] {
  const faults: string[] = [];
  if (!isStrictVersion(version)) {
    faults.push(
      `version: ${shown(version)} is not a strict semantic version; right is 1.4.0 or 2.0.0-beta.1.`,
    );
  }
  if (semver.validRange(minVersion) === null) {
    faults.push(
      `minVersion: ${shown(minVersion)} is not a range of versions; right is >=0.1.0 or ^1.2.0.`,
    );
  }
  return faults;
}

/** Whether it is a semantic version in its one spelling: no `v` before it and no space around it. */
export function isStrictVersion(version: string): boolean {
  const parsed = semver.parse(version);
  if (parsed === null) return false;
  return version === [parsed.version, parsed.build.join('.')].filter(Boolean).join('+');
}

function checkDependencies({ id, dependencies = {} }: Manifest): readonly string[] {
  return Object.entries(dependencies).flatMap(([other, range]) => {
    const at = `dependencies[${shown(other)}]`;
    if (other === id) return [`${at}: a plugin does not depend on itself; leave it out.`];
    return semver.validRange(range) === null
      ? [`${at}: ${shown(range)} is not a range of versions; right is ^1.2.0 or * for any.`]
      : [];
  });
}

function checkMain({ main }: Manifest): readonly string[] {
  const names = main.split('/');
  const isInside = names.every((name) => name !== '' && name !== '.' && name !== '..');
  if (isInside && /^[\w@+. /-]+\.m?js$/.test(main)) return [];
  return [
    `main: ${shown(main)} is not a path inside the package; right is a relative path to a .js or .mjs file without . and .. in it, such as dist/index.js.`,
  ];
}

function checkHooks({ subscriptions }: Manifest): readonly string[] {
  const names = (subscriptions?.hooks ?? []).map((hook) => hook.name);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          `subscriptions.hooks[${index}].name: ${shown(name)} is subscribed to already in subscriptions.hooks[${names.indexOf(name)}]; a plugin takes part in a hook once.`,
        ],
  );
}

function checkCapabilities(manifest: Manifest): readonly string[] {
  const { capabilities, capabilityConfig = {}, permissions } = manifest;
  const faults: string[] = [];
  for (const name of ['filesystem', 'library'] as const) {
    if (capabilityConfig[name] && !capabilities.includes(name)) {
      faults.push(
        `capabilityConfig.${name}: the capability ${name} is not among capabilities; add it there or leave this out.`,
      );
    }
  }
  if (permissions.disk && !capabilities.includes('filesystem')) {
    faults.push(
      `permissions.disk: ${shown(permissions.disk)} is for plugins with the capability filesystem; others ask for files.`,
    );
  }
  return faults;
}

const derivedFrom = {
  serves: 'capabilities and capabilityConfig',
  hears: 'subscriptions.events',
  hooks: 'subscriptions.hooks',
} as const;

/** The server derives these powers from other parts, so a second statement of them could differ. */
function checkDerivedPowers({ permissions }: Manifest): readonly string[] {
  return (['serves', 'hears', 'hooks'] as const)
    .filter((name) => permissions[name] !== undefined)
    .map(
      (name) =>
        `permissions.${name}: the server derives it from ${derivedFrom[name]}; leave it out.`,
    );
}

function checkJobTypes({ id, capabilityConfig = {} }: Manifest): readonly string[] {
  const runs = capabilityConfig.jobs?.runs ?? [];
  return runs.flatMap((type, index) =>
    isOwnJobType(type, id) || serverJobTypes.has(type)
      ? []
      : [
          `capabilityConfig.jobs.runs[${index}]: ${shown(type)} is neither a type of this plugin nor of the server; right is ${id}.${type.split('.').at(-1) ?? type}, or one of ${[...serverJobTypes].join(', ')}.`,
        ],
  );
}

function checkForm({ configuration = [] }: Manifest): readonly string[] {
  return formFaults('configuration', configuration);
}

/** The name of a secret that the server keeps for a plugin. */
const secretName = /^[a-z][a-zA-Z0-9_.-]{0,63}$/;

function checkProfileForm(manifest: Manifest): readonly string[] {
  const { profileConfiguration = [], permissions } = manifest;
  return [
    ...formFaults('profileConfiguration', profileConfiguration),
    ...profileConfiguration.flatMap(({ key, input, grants }: ConfigField, index) => {
      const at = `profileConfiguration[${index}]`;
      if (grants !== undefined)
        return [`${at}.grants: only a field of an admin grants; leave it out.`];
      if (input !== 'secret') return [];
      return [
        ...(permissions.secrets === true
          ? []
          : [`${at}.input: a secret of a profile needs permissions.secrets; add it.`]),
        ...(secretName.test(key)
          ? []
          : [`${at}.key: ${shown(key)} is not a name of a secret; right is a small letter first.`]),
      ];
    }),
  ];
}

function formFaults(part: string, form: readonly ConfigField[]): readonly string[] {
  const keys = form.map((field) => field.key);
  return form.flatMap((field, index) => {
    const at = `${part}[${index}]`;
    const first = keys.indexOf(field.key);
    return [
      ...(first === index
        ? []
        : [`${at}.key: ${shown(field.key)} is the key of ${part}[${first}] already.`]),
      ...fieldFaults(field).map((fault) => `${at}.${fault}`),
    ];
  });
}

const choosing: ReadonlySet<string> = new Set(['select', 'multi-select']);
const measuring: ReadonlySet<string> = new Set(['number', 'slider']);
const unusableKeys: ReadonlySet<string> = new Set(['constructor', 'prototype']);

function fieldFaults(field: ConfigField): readonly string[] {
  const { key, input, options, min, max } = field;
  const faults: string[] = [];
  if (unusableKeys.has(key)) faults.push(`key: ${shown(key)} is never allowed; take another name.`);
  if (choosing.has(input) && !options) {
    faults.push(`options is missing; an input ${shown(input)} needs the values to choose from.`);
  }
  if (!choosing.has(input) && options) {
    faults.push(
      `options: an input ${shown(input)} takes none; they are for select and multi-select.`,
    );
  }
  if (!measuring.has(input) && (min !== undefined || max !== undefined)) {
    const bound = min === undefined ? 'max' : 'min';
    faults.push(`${bound}: an input ${shown(input)} takes none; it is for number and slider.`);
  }
  if (min !== undefined && max !== undefined && min >= max) {
    faults.push(`min: ${min} is not below max, which is ${max}.`);
  }
  if (input === 'slider' && (min === undefined || max === undefined)) {
    faults.push(`${min === undefined ? 'min' : 'max'} is missing; a slider needs both ends.`);
  }
  return faults.length > 0 ? faults : [...grantFaults(field), ...defaultFaults(field)];
}

/** A default may not grant anything: only an admin grants, by entering a value. */
function grantFaults({ input, grants, default: standard }: ConfigField): readonly string[] {
  if (grants === undefined) return [];
  if (grants === 'host') {
    if (input !== 'text') return [`grants: host is for an input text, not ${shown(input)}.`];
    return typeof standard === 'string' && standard.startsWith('https://')
      ? []
      : ['default: a field that grants a host has its public https address as its default.'];
  }
  if (input !== 'string-list') {
    return [`grants: an input ${shown(input)} grants nothing; ${grants} is for string-list.`];
  }
  return standard === undefined
    ? []
    : ['default: a field that grants must start empty; leave it out.'];
}

function defaultFaults(field: ConfigField): readonly string[] {
  if (field.default === undefined) return [];
  if (field.input === 'secret') return ['default: a secret has none; leave it out.'];
  const fault = valueFault(field, field.default);
  return fault === null ? [] : [`default: ${fault}.`];
}
