/**
 * The walls of the house: who may import whom. A rule names what is forbidden; the table that it
 * spells is in `docs/architecture.md`.
 */
const test = '\\.test\\.ts$|^test/';
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Each package has its homes; nobody else imports it. */
const homes = {
  'isolated-vm': '^kernel/run/sandbox/isolate',
  knex: '^kernel/store/|-store\\.ts$|-migrations\\.ts$',
  sqlite3: '^kernel/store/',
  semver: '^kernel/(run/|store/migrations\\.ts$)',
  ajv: '^kernel/|^src/http/request-validation\\.ts$',
  fastify: '^(src/http|packages/app/(broker|license-authority))/',
  '@fastify': '^(src/http|packages/app/broker)/',
  '@sinclair/typebox': '^(src/(contract|http)|packages/app/broker)/',
  '@noble/ed25519': '^packages/lib/identity-protocol/|^kernel/run/packages/signature\\.ts$',
  '@noble/hashes': '^packages/lib/identity-protocol/',
  canonicalize: '^packages/lib/identity-protocol/|^kernel/run/packages/signature\\.ts$',
  '@simplewebauthn': '^src/people/accounts/passkeys/|^packages/app/broker/',
  assjs: '^packages/app/web/player/ass/',
  libpgs: '^packages/app/web/player/pgs/',
  esbuild:
    '^kernel/run/scripts/(packer|bundle-options)\\.ts$|^packages/app/plugin-kit/|^packages/app/cli/(build|page-words|author-kit/.+)\\.ts$|^(packages/app/client/build\\.ts|examples/app/build\\.mjs)$',
  '@parcel/watcher': '^src/files/disk/',
  'hash-wasm': '^packages/app/broker/(pages|signing)/',
  '@scure/bip39': '^packages/app/broker/(pages|signing)/',
  '@zxcvbn-ts': '^packages/app/broker/(pages|signing)/',
  pg: '^kernel/store/',
  undici: '^src/platform/net/',
  aws4fetch: '^src/platform/blobs/',
  'ipaddr.js': '^src/platform/net/',
  'pdfjs-dist': '^packages/app/web/reader/pdf/',
  pino: '^src/platform/log\\.ts$|^packages/app/cli/main\\.ts$',
  commander: '^src/platform/config\\.ts$|^packages/app/cli/',
};

/** The parts of the kernel that have a door, beside the kernel's own. */
const kernelDoors = [
  'call/events',
  'call/hooks',
  'call/views',
  'store',
  'run',
  'run/sandbox',
  'run/locales',
  'run/manifest',
  'run/packages',
  'run/powers',
  'run/scripts',
  'run/secrets',
];

/** The groups of `src`, lowest first. A group imports the ones before it; */
const layers = [
  'contract',
  'platform',
  'people',
  'files',
  'work',
  'library',
  'viewing',
  'plugins',
  'operations',
  'console',
  'http',
  'compose',
];
/** The groups that have parts with an index each. */
const groups = layers.slice(1, 9).join('|');
const layerRules = layers
  .slice(0, -1)
  .map((layer, at) =>
    rule(
      `layer-${layer}`,
      'A group of src imports only the groups below it; src/README.md has the order.',
      { path: `^src/${layer}/`, pathNot: test },
      { path: `^src/(${layers.slice(at + 1).join('|')})/` },
    ),
  );

/** The inner folders of a folder, lowest first. Each imports only the ones before it. */
const innerLayers = {
  'kernel/run': [
    'sandbox',
    'plugin',
    'powers',
    'manifest',
    'locales',
    'packages',
    'scripts',
    'settings',
    'usage',
    'permissions',
    'secrets',
    'crypto',
    'supervision',
    'registry',
    'calls',
    'profile-settings',
    'providers',
    'lifecycle',
    'installation',
  ],
  'src/library/catalogue': [
    'tables',
    'access',
    'texts',
    'entities',
    'items',
    'search',
    'media',
    'commit',
    'scan',
    'libraries',
    'studies',
  ],
  'src/people': [
    'ratings',
    'viewer',
    'credentials',
    'accounts',
    'groups',
    'invites',
    'profiles',
    'identity',
  ],
  'packages/app/broker': [
    'service',
    'signing',
    'pages',
    'feed',
    'accounts',
    'apps',
    'pairing',
    'servers',
    'revocations',
    'passes',
    'http',
    'routes',
  ],
  'packages/app/plugin-kit': ['packing', 'fakes', 'test-harness', 'dev', 'review'],
};
/** Inner folders with a door of their own: `access` and `commit` for the pipeline, `items` and `search` for the API, `media` for the plugins, `studies` for the jobs that look at media. */
const innerDoors = ['access', 'commit', 'items', 'media', 'search', 'studies']
  .map((inner) => `src/library/catalogue/${inner}`)
  .join('|');
const innerLayerRules = Object.entries(innerLayers).flatMap(([folder, order]) => [
  ...order.map((inner, at) =>
    rule(
      `inner-layer-${folder}/${inner}`,
      'An inner folder imports only the folders before it in innerLayers, and no file beside them.',
      { path: `^${folder}/${inner}/`, pathNot: test },
      { path: `^${folder}/`, pathNot: `^${folder}/(${order.slice(0, at + 1).join('|')})/` },
    ),
  ),
  rule(
    `inner-layers-of-${folder}`,
    'Each inner folder has its place in innerLayers.',
    { path: `^${folder}/[^/]+/`, pathNot: `^${folder}/(${order.join('|')})/` },
    {},
  ),
]);

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
        pathNot: `${test}|\\.config\\.|\\.d\\.ts$|^src/main\\.ts$|^packages/app/cli/|^packages/app/client/(build|react-native)\\.ts$|host-process|guest-runtime|disk-worker|^packages/app/web/install/(install|service-worker)\\.ts$|^builtin-plugins/[^/]+/index\\.ts$|^plugin-api/create/(bin|templates/[^/]+/src/index)\\.ts$|^examples/`,
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
      'programs-are-started-in-their-places',
      'Plugin hosts start in kernel/run/sandbox, a transcoder in the cage, the programs of PostgreSQL in the backups, tools of authors in the commands, npm before the server.',
      {
        pathNot: `${test}|^kernel/run/sandbox/(host-link|isolation)\\.ts$|^src/viewing/conversion/cage\\.ts$|^src/operations/backups/postgres-programs\\.ts$|^packages/app/cli/(tasks|plugins/(plugin-types|plugin-tests)|author-kit/client-types)\\.ts$|^packages/app/cli/(bootstrap|author-kit/bin)\\.mjs$|^src/platform/compile-sqlite3\\.ts$|^packages/app/client/build\\.ts$`,
      },
      { path: '^(node:)?child_process$' },
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
      'The kernel knows no media, no HTTP and no plugin. Of the packages it uses concurrency and landlock alone.',
      { path: '^kernel/', pathNot: test },
      {
        path: '^(packages|src|builtin-plugins|examples|test)/',
        pathNot: '^packages/lib/(concurrency|landlock)/index\\.ts$',
      },
    ),
    rule(
      'kernel-takes-plugin-api-as-types',
      'What authors get of the contract has no code that the kernel runs. The records of host methods are for the server.',
      { path: '^kernel/', pathNot: test },
      {
        path: '^plugin-api/',
        pathNot: '^plugin-api/server/index\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'kernel-calls-know-neither-store-nor-run',
      'The rooms of the kernel, lowest first: its basic files, call/, store/, run/, kernel.ts.',
      { path: '^kernel/call/', pathNot: test },
      { path: '^kernel/(store/|run/|(kernel|index)\\.ts$)' },
    ),
    rule(
      'kernel-store-takes-services-only',
      'It registers host services, and knows no plugin.',
      { path: '^kernel/store/', pathNot: test },
      {
        path: '^kernel/(call/|run/|(kernel|index)\\.ts$)',
        pathNot: '^kernel/call/host-service\\.ts$',
      },
    ),
    rule(
      'kernel-basics-know-no-room',
      '',
      { path: '^kernel/[^/]+\\.ts$', pathNot: `${test}|^kernel/(kernel|index)\\.ts$` },
      { path: '^kernel/(call|store|run)/' },
    ),
    rule(
      'kernel-parts-stay-apart',
      'Only the other folders of run/ and kernel.ts bring these parts together.',
      { path: '^kernel/(call/(?:events|hooks|views)|run/sandbox)/', pathNot: test },
      { path: '^kernel/(store|run|call/[^/]+)/', pathNot: '^kernel/$1/' },
    ),
    rule(
      'builtins-are-strangers',
      'A built-in sees what a third party sees. What several of them read of media is in media-headers, and what they ask of catalogues in catalogue-lookup.',
      { path: '^builtin-plugins/([^/]+)/', pathNot: test },
      {
        path: '^(kernel|packages|src|test)/|^builtin-plugins/',
        pathNot: '^builtin-plugins/($1|media-headers|catalogue-lookup)/',
      },
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
      { path: '^(kernel|packages|src)/', pathNot: test },
      { path: '^plugin-api/', pathNot: '^plugin-api/((create|server)/)?index\\.ts$' },
    ),
    rule(
      'builtins-take-plugin-api-as-authors-do',
      '',
      { path: '^builtin-plugins/', pathNot: test },
      { path: '^plugin-api/', pathNot: '^plugin-api/index\\.ts$' },
    ),
    rule(
      'kernel-by-its-doors',
      'The kernel is used through its index, and the index of each part that kernelDoors names.',
      { path: '^(packages|src)/', pathNot: test },
      { path: '^kernel/', pathNot: `^kernel/((${kernelDoors.join('|')})/)?index\\.ts$` },
    ),
    rule(
      'parts-by-their-door',
      'Another part of the server is used through its index, or that of one of its folders.',
      { path: '^(?:src/([^/]+)/([^/]+)|packages/app/)', pathNot: test },
      {
        path: `^src/(${groups})/[^/]+/`,
        pathNot: `^src/$1/$2/|^src/[^/]+/[^/]+/index\\.ts$|^(${innerDoors})/index\\.ts$`,
      },
    ),
    rule(
      'outer-layers-by-their-door',
      'The console, the API and the composition have one index each.',
      { path: '^(?:src/([^/]+)|packages/app/[^/]+)/', pathNot: test },
      {
        path: '^src/(console|http|compose)/',
        pathNot: '^src/$1/|^src/[^/]+/index\\.ts$',
      },
    ),
    rule(
      'libraries-lie-below',
      'A package of packages/lib knows nothing of the server.',
      { path: '^packages/lib/', pathNot: test },
      { path: '^(kernel|src|plugin-api|builtin-plugins|manifests-schema|packages/app)/' },
    ),
    rule(
      'programs-lie-above',
      'A package of packages/app stands on the server or beside it: the server does not import it.',
      { path: '^(kernel|src|plugin-api|builtin-plugins|manifests-schema)/', pathNot: test },
      { path: '^packages/app/' },
    ),
    rule(
      'packages-by-their-door',
      'A package is used through its index.',
      { path: '^(packages/[^/]+/[^/]+/|src/)', pathNot: test },
      { path: '^packages/', pathNot: '^$1|^packages/[^/]+/[^/]+/index\\.ts$' },
    ),
    rule(
      'contract-imports-nothing-of-src',
      'A fact of the contract is declared there; what knows more imports it. The kernel is used through its doors.',
      { path: '^src/contract/', pathNot: test },
      {
        pathNot:
          '^src/contract/|^(plugin-api|kernel|kernel/run/packages)/index\\.ts$|^node_modules/@sinclair/typebox/',
        dependencyTypesNot: ['core'],
      },
    ),
    ...layerRules,
    ...innerLayerRules,
    rule(
      'broker-stands-alone',
      'It is a service of its own: it shares storage and the identity primitives.',
      { path: '^packages/app/broker/', pathNot: test },
      {
        path: '^(packages|src|kernel|builtin-plugins)/',
        pathNot:
          '^packages/app/broker/|^packages/lib/(identity-protocol|page-kit)/index\\.ts$|^kernel/(store/)?index\\.ts$|^src/platform/(clock|log)\\.ts$',
      },
    ),
    rule(
      'concurrency-imports-nothing',
      'The kernel and all above it stand on it.',
      { path: '^packages/lib/concurrency/', pathNot: test },
      { pathNot: '^packages/lib/concurrency/' },
    ),
    rule(
      'landlock-imports-nothing',
      'The kernel stands on it: system modules only.',
      { path: '^packages/lib/landlock/', pathNot: test },
      { pathNot: '^packages/lib/landlock/', dependencyTypesNot: ['core'] },
    ),
    rule(
      'client-stands-alone',
      'An app author installs it and nothing else.',
      { path: '^packages/app/client/', pathNot: test },
      {
        path: '^(packages|src|kernel|builtin-plugins|plugin-api)/',
        pathNot: '^packages/app/client/|^packages/lib/identity-protocol/index\\.ts$',
      },
    ),
    rule(
      'client-runs-without-node',
      'It runs in browsers and in React Native, too.',
      {
        path: '^packages/(lib/(identity-protocol|page-kit)|app/(client|web|broker/pages|broker/signing))/',
        pathNot: `${test}|^packages/app/client/build\\.ts$`,
      },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'web-stands-on-the-client',
      'It runs in browsers, and knows the server by its API alone.',
      { path: '^packages/app/web/', pathNot: test },
      {
        path: '^(packages|src|kernel|builtin-plugins|plugin-api)/',
        pathNot: '^packages/app/web/|^packages/(app/client|lib/page-kit)/index\\.ts$',
      },
    ),
    rule(
      'packages-never-import-http',
      'The API belongs to the server.',
      { path: '^packages/', pathNot: test },
      { path: '^src/http/' },
    ),
    rule(
      'routes-never-import-routes',
      '',
      { path: '^src/http/routes/([a-z-]+)/([a-z-]+)[.]', pathNot: test },
      { path: '^src/http/routes/', pathNot: '^src/http/routes/$1/$2[.]' },
    ),
    rule(
      'routes-of-no-area-never-import-routes',
      '',
      { path: '^src/http/routes/([a-z-]+)[.]', pathNot: test },
      { path: '^src/http/routes/', pathNot: '^src/http/routes/$1[.]' },
    ),
    rule(
      'no-dev-packages',
      'What the server needs is a dependency. The build makes the modules of words.',
      {
        path: '^(kernel|packages|src|plugin-api|builtin-plugins)/',
        pathNot: `${test}|^packages/app/client/build\\.ts$`,
      },
      {
        pathNot: '^words:(app|documents)$',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown', 'undetermined'],
      },
    ),
    ...packageRules,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|(plugin-api|packages/app/client|examples/app)/dist)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
    },
  },
};
