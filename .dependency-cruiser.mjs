/**
 * The walls of the house: who may import whom. A rule names what is forbidden; the table that it
 * spells is in `docs/architecture.md`.
 */
const test = '\\.test\\.ts$|^test/';
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Each package has its homes; nobody else imports it. */
const homes = {
  'isolated-vm': '^kernel/sandbox/isolate',
  knex: '^kernel/storage/|-store\\.ts$|-migrations\\.ts$',
  sqlite3: '^kernel/storage/',
  semver: '^kernel/plugins/',
  ajv: '^kernel/|^src/http/request-validation\\.ts$',
  fastify: '^src/(http|broker|license-authority)/',
  '@fastify': '^src/(http|broker)/',
  '@sinclair/typebox': '^src/(http|broker)/',
  '@noble/ed25519': '^src/identity/primitives/|^kernel/plugins/signature\\.ts$',
  '@noble/hashes': '^src/identity/primitives/',
  canonicalize: '^src/identity/primitives/|^kernel/plugins/signature\\.ts$',
  '@simplewebauthn': '^src/accounts/passkeys/|^src/broker/',
  esbuild:
    '^kernel/plugins/(packer|bundle-options)\\.ts$|^src/plugin-kit/|^src/cli/build\\.ts$|^(src/client/build\\.ts|examples/app/build\\.mjs)$',
  '@parcel/watcher': '^src/disk/',
  'hash-wasm': '^src/broker/(pages|signing)/',
  '@scure/bip39': '^src/broker/(pages|signing)/',
  '@zxcvbn-ts': '^src/broker/(pages|signing)/',
  pg: '^kernel/storage/',
  undici: '^src/net/',
  'ipaddr.js': '^src/net/',
  pino: '^src/(main|log)\\.ts$',
  commander: '^src/(cli/|config\\.ts$|main\\.ts$)',
};

const packageRules = Object.entries(homes).map(([name, home]) =>
  rule(
    `home-of-${name}`,
    `${name} is imported in its home alone.`,
    { pathNot: `${home}|${test}` },
    { path: `^node_modules/${name}(/|$)` },
  ),
);

export default {
  forbidden: [
    rule('no-cycle', 'A cycle has no first thing to read.', {}, { circular: true }),
    rule(
      'no-orphan',
      'A file that nobody imports is dead.',
      {
        orphan: true,
        pathNot: `${test}|\\.config\\.|\\.d\\.ts$|^src/main\\.ts$|^src/cli/|^src/client/(build|react-native)\\.ts$|host-process|guest-runtime|disk-worker|^builtin-plugins/[^/]+/index\\.ts$|^plugin-api/create/(bin|templates/[^/]+/src/index)\\.ts$|^examples/`,
      },
      {},
    ),
    rule(
      'code-never-imports-tests',
      'Tests see code, never the other way round.',
      { pathNot: test },
      { path: test },
    ),
    rule(
      'schemas-import-nothing',
      '',
      { path: '^manifests-schema/', pathNot: test },
      { pathNot: '^manifests-schema/' },
    ),
    rule(
      'plugin-api-stands-alone',
      'An author installs it and nothing else.',
      { path: '^plugin-api/', pathNot: `${test}|^plugin-api/create/` },
      { pathNot: '^(plugin-api|manifests-schema)/' },
    ),
    rule(
      'create-stands-alone',
      'An author runs it and installs nothing; a template sees what a stranger sees.',
      { path: '^plugin-api/create/', pathNot: test },
      { pathNot: '^plugin-api/(create/|index\\.ts$)', dependencyTypesNot: ['core'] },
    ),
    rule(
      'templates-run-without-node',
      '',
      { path: '^plugin-api/create/templates/', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'kernel-knows-contracts-only',
      'The kernel knows no media, no HTTP and no plugin.',
      { path: '^kernel/', pathNot: test },
      { path: '^(src|builtin-plugins|examples|test)/' },
    ),
    rule(
      'kernel-takes-plugin-api-as-types',
      'The contract has no code that the kernel runs.',
      { path: '^kernel/', pathNot: test },
      { path: '^plugin-api/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'kernel-parts-stay-apart',
      'Only plugins/ and kernel.ts bring the parts together.',
      { path: '^kernel/(events|hooks|views|storage|sandbox)/', pathNot: test },
      { path: '^kernel/[^/]+/', pathNot: '^kernel/$1/' },
    ),
    rule(
      'builtins-are-strangers',
      'A built-in sees what a third party sees.',
      { path: '^builtin-plugins/([^/]+)/', pathNot: test },
      { path: '^(kernel|src|test)/|^builtin-plugins/', pathNot: '^builtin-plugins/$1/' },
    ),
    rule(
      'builtins-run-without-node',
      '',
      { path: '^builtin-plugins/', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'plugin-api-by-its-door',
      '',
      { path: '^(kernel|src|builtin-plugins)/', pathNot: test },
      { path: '^plugin-api/', pathNot: '^plugin-api/(create/)?index\\.ts$' },
    ),
    rule(
      'kernel-by-its-door',
      '',
      { path: '^src/', pathNot: test },
      { path: '^kernel/', pathNot: '^kernel/index\\.ts$' },
    ),
    rule(
      'domains-by-their-door',
      'A sibling folder is used through its index.',
      { path: '^src/([^/]+)/', pathNot: test },
      {
        path: '^src/[^/]+/',
        pathNot:
          '^src/$1/|^src/[^/]+/index\\.ts$|^src/cli/build|^src/identity/primitives/index\\.ts$',
      },
    ),
    rule(
      'broker-stands-alone',
      'It is a service of its own: it shares storage and the identity primitives.',
      { path: '^src/broker/', pathNot: test },
      {
        path: '^(src|kernel|builtin-plugins)/',
        pathNot:
          '^src/broker/|^src/(identity/primitives|page-kit)/index\\.ts$|^kernel/index\\.ts$|^src/(clock|log)\\.ts$',
      },
    ),
    rule(
      'client-stands-alone',
      'An app author installs it and nothing else.',
      { path: '^src/client/', pathNot: test },
      {
        path: '^(src|kernel|builtin-plugins|plugin-api)/',
        pathNot: '^src/client/|^src/identity/primitives/index\\.ts$',
      },
    ),
    rule(
      'client-runs-without-node',
      'It runs in browsers and in React Native, too.',
      {
        path: '^src/(client|identity/primitives|page-kit|broker/pages|broker/signing)/',
        pathNot: `${test}|^src/client/build\\.ts$`,
      },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'domains-never-import-http',
      '',
      { path: '^src/(?!http/|cli/|compose/)[^/]+/', pathNot: test },
      { path: '^src/http/' },
    ),
    rule(
      'routes-never-import-routes',
      '',
      { path: '^src/http/routes/([^/.]+)\\.', pathNot: test },
      { path: '^src/http/routes/', pathNot: '^src/http/routes/$1\\.' },
    ),
    rule(
      'no-dev-packages',
      'What the server needs is a dependency.',
      {
        path: '^(kernel|src|plugin-api|builtin-plugins)/',
        pathNot: `${test}|^src/client/build\\.ts$`,
      },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'] },
    ),
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|(plugin-api|src/client|examples/app)/dist)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
