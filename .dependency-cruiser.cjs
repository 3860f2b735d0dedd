/**
 * The import directions of docs/architecture.md. Paths are relative to the folder in which the tool runs.
 */

/** The folders of src, called rooms. A room may import itself and the rooms in its list, and no other room. */
const rooms = {
  client: [],
  domain: [],
  ports: ['domain'],
  crypto: ['domain', 'ports'],
  'rate-limit': ['domain', 'ports'],
  outbound: ['domain', 'ports'],
  views: ['domain', 'ports', 'crypto'],
  events: ['domain', 'ports', 'crypto', 'views'],
  usecases: ['domain', 'ports', 'crypto', 'views', 'events', 'outbound'],
  schemas: [
    'domain',
    'ports',
    'crypto',
    'events',
    'outbound',
    'usecases/commands',
    'inputs',
    'operator-inputs',
  ],
  http: ['usecases', 'ports', 'domain', 'views', 'events', 'schemas', 'crypto', 'rate-limit'],
  live: ['usecases', 'ports', 'domain', 'views', 'events', 'schemas', 'crypto', 'outbound', 'rate-limit'],
  jobs: ['usecases', 'ports', 'domain', 'views', 'events', 'schemas', 'crypto'],
};

/** Files at the top of src that hold only types or options, which any use case may name. */
const sharedFiles = ['src/config[.]ts$', 'src/live-options[.]ts$', 'src/operations-types[.]ts$'];
const roomsThatSeeSharedFiles = ['usecases', 'http', 'live', 'jobs'];

function roomRule([room, allowed]) {
  const open = [room, ...allowed].map((name) => `src/${name}(/|[.]ts$)`);
  const shared = roomsThatSeeSharedFiles.includes(room) ? sharedFiles : [];
  return {
    name: `${room}-imports`,
    comment: `src/${room} imports only ${[room, ...allowed].join(', ')}.`,
    severity: 'error',
    from: { path: `^src/${room}/` },
    to: {
      path: '^(src|adapters|testing|site|examples|bench|test)/',
      pathNot: `^(${[...open, ...shared].join('|')})`,
    },
  };
}

/** What an import of the package resolves to: its folder, its name if it is not installed, or its types. */
function packagePath(name) {
  return `(^|node_modules/)(@types/)?${name}(/|$)`;
}

function onlyIn(name, folder, alsoIn = '') {
  return {
    name: `${name}-only-in-its-room`,
    comment: `${name} is imported in ${folder} only.`,
    severity: 'error',
    from: { path: '^(src|adapters|testing|site)/', pathNot: `^(${folder}/${alsoIn})` },
    to: { path: packagePath(name) },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(roomRule),
    {
      name: 'domain-is-pure',
      comment: 'src/domain imports no package and no module of Node.',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypesNot: ['local', 'type-only', 'type-import', 'import'], pathNot: '^src/' },
    },
    {
      name: 'client-runs-everywhere',
      comment:
        'The client runs in browsers too, so it imports no module of Node, and of packages only React.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: {
        dependencyTypesNot: ['local', 'type-only', 'type-import', 'import'],
        pathNot: ['^src/', packagePath('react')],
      },
    },
    {
      name: 'client-serves-those-outside',
      comment: 'The service does not use its client.',
      severity: 'error',
      from: { path: '^(src|adapters)/', pathNot: '^src/client/' },
      to: { path: '^src/client/' },
    },
    {
      name: 'answer-schemas-only-in-http',
      comment:
        'Views and messages are built without Joi: only src/http reads the schemas of answers and messages.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http/|(views|events)/.*[.]schema[.]ts$)' },
      to: { path: '^src/(views|events)/.*[.]schema([.]ts)?$' },
    },
    {
      name: 'src-never-imports-outside',
      comment: 'src never imports adapters, the testing kit, the site, examples, bench or tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(adapters|testing|site|examples|bench|test)/' },
    },
    {
      name: 'adapters-imports',
      comment: 'Adapters import ports, domain, crypto, outbound and each other.',
      severity: 'error',
      from: { path: '^adapters/', pathNot: '^adapters/rate-limit/' },
      to: {
        path: '^(src|testing|site|examples|bench|test)/',
        pathNot: '^src/(ports|domain|crypto|outbound)/',
      },
    },
    {
      name: 'migrations-are-frozen',
      comment:
        'A migration imports nothing from src, because a later change of src would change the migration after it has run.',
      severity: 'error',
      from: { path: '^adapters/shared/sql/migrations/' },
      to: { path: '^src/' },
    },
    {
      name: 'rate-limit-adapters-imports',
      comment: 'Rate-limit adapters also fall back to the window in memory.',
      severity: 'error',
      from: { path: '^adapters/rate-limit/' },
      to: {
        path: '^(src|testing|site|examples|bench|test)/',
        pathNot: '^src/(ports|domain|crypto|rate-limit)/',
      },
    },
    {
      name: 'testing-imports',
      comment: 'The testing kit composes src and adapters. It knows no site, example, bench or test.',
      severity: 'error',
      from: { path: '^testing/' },
      to: { path: '^(site|examples|bench|test)/' },
    },
    {
      name: 'site-imports',
      comment: 'The site knows the public face (types), the client, the checks of options and itself.',
      severity: 'error',
      from: { path: '^site/' },
      to: {
        path: '^(src|adapters|testing|examples|bench|test)/',
        pathNot: '^src/(index[.]ts$|client/|domain/options[.]ts$)',
      },
    },
    {
      name: 'site-imports-types-only',
      comment:
        'Of the service, the site imports only types and the checks of options, so that it contains no second copy of the service.',
      severity: 'error',
      from: { path: '^site/' },
      to: {
        path: '^src/',
        pathNot: '^src/(client/|domain/(options|money)[.]ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'cli-imports',
      comment:
        'The command line uses the published entries, the client, the standalone server, and the time limit of HTTP answers.',
      severity: 'error',
      from: { path: '^cli/' },
      to: {
        path: '^(src|adapters|testing|site|examples|bench|test)/',
        pathNot:
          '^(src/index[.]ts$|src/client/|adapters/(storage|oracle|facilitator|payout|rate-limit)/[^/]+/index[.]ts|testing/index[.]ts$|site/index[.]ts$|examples/standalone/|src/ports/time-limit[.]ts$|adapters/shared/bounded-text[.]ts$)',
      },
    },
    {
      name: 'cli-is-the-outside',
      comment: 'Only tests import the command line.',
      severity: 'error',
      from: { path: '^(src|adapters|testing|site|examples)/' },
      to: { path: '^cli/' },
    },
    {
      name: 'examples-use-the-public-face',
      comment: 'Examples show what users can write: the published entries, never the inside.',
      severity: 'error',
      from: { path: '^examples/' },
      to: {
        path: '^(src|adapters|testing)/',
        pathNot:
          '^(src/index[.]ts|src/client/index[.]ts|adapters/(storage|oracle|facilitator|payout|rate-limit)/[^/]+/index[.]ts|testing/index[.]ts)$',
      },
    },
    {
      name: 'no-cycles',
      comment: 'Modules do not import each other in a circle, types neither.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'Every import leads somewhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    // The composition root names the type of the routers that it hands out. The pages read the body of a preview by
    // Express's parser.
    onlyIn('express', 'src/http', '|src/create-prediction-market[.]ts$|site/preview[.]ts$'),
    onlyIn('ws', 'src/live'),
    onlyIn('sequelize', 'adapters/shared/sql'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The command line copies these files. Their imports hold in the app that it writes.
    exclude: { path: '^cli/templates/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
