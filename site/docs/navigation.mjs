/**
 * The order of the documentation. An entry is a document or a generated page, with an anchor if it means one section.
 * A document without an entry has no link in the navigation.
 */
export const navigation = [
  {
    title: 'Begin',
    text: 'From an empty folder to a market in your own app.',
    entries: [
      ['docs/tutorial.md', 'Tutorial'],
      ['docs/recipes.md', 'Recipes'],
      ['docs/questions.md', 'Questions'],
      ['docs/command-line.md', 'Command line'],
      ['docs/examples.md', 'Examples'],
    ],
  },
  {
    title: 'Embed',
    text: 'The market as a part of your Express app, and clients of it.',
    entries: [
      ['docs/embedding.md', 'Embedding'],
      ['docs/pages.md', 'Pages'],
      ['docs/client.md', 'Client'],
      ['docs/client-live.md', 'Live client'],
      ['docs/react.md', 'React'],
      ['docs/live.md', 'Live feed'],
      ['docs/testing.md', 'Testing your app'],
    ],
  },
  {
    title: 'Operate',
    text: 'Run it, on one machine or on many.',
    entries: [
      ['docs/deploy.md', 'Deploy'],
      ['docs/standalone.md', 'Standalone server'],
      ['docs/operations.md', 'Operations'],
      ['docs/runbook.md', 'Runbook'],
      ['docs/rate-limits.md', 'Rate limits'],
      ['docs/scaling.md', 'Scaling'],
      ['docs/performance.md', 'Performance'],
    ],
  },
  {
    title: 'Money',
    text: 'How it comes in, what it pays for, and how it goes out.',
    entries: [
      ['docs/paying.md', 'Pay per request'],
      ['docs/money-in-and-out.md', 'Money in and out'],
      ['docs/pricing-and-ledger.md', 'Prices and ledger'],
    ],
  },
  {
    title: 'Outcomes',
    text: 'The life of a market, and who decides it.',
    entries: [
      ['docs/market-life.md', 'Life of a market'],
      ['docs/resolution.md', 'Resolution'],
      ['docs/measuring-a-judge.md', 'Measuring a judge'],
    ],
  },
  {
    title: 'Extend',
    text: 'Your own adapter, and the suite that proves it.',
    entries: [
      ['docs/storage-adapters.md', 'Storage'],
      ['docs/oracle-adapters.md', 'Oracle'],
      ['docs/facilitator-adapters.md', 'Facilitator'],
      ['docs/payout-adapters.md', 'Payout'],
      ['docs/rate-limit-adapters.md', 'Rate limit'],
    ],
  },
  {
    title: 'Reference',
    text: 'Every call, option, event, error and type.',
    entries: [
      ['api', 'HTTP API, to try'],
      ['api-operators', 'HTTP API of operators'],
      ['docs/http-api.md', 'HTTP API, overview'],
      ['docs/errors.md', 'Errors'],
      ['docs/embedding.md#options', 'Options'],
      ['docs/embedding.md#events', 'Events'],
      ['docs/standalone.md#environment', 'Environment'],
      ['types', 'Types'],
      ['docs/specification.md', 'Specification'],
      ['docs/glossary.md', 'Glossary'],
    ],
  },
  {
    title: 'Project',
    text: 'What is promised, how it is built, and how to work on it.',
    entries: [
      ['docs/security.md', 'Promises and tests'],
      ['docs/architecture.md', 'Architecture'],
      ['docs/decisions.md', 'Decisions'],
      ['docs/dependencies.md', 'Dependencies'],
      ['CONTRIBUTING.md', 'Contributing'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
];

/** `docs/embedding.md#options` is at `embedding#options`, `CHANGELOG.md` at `changelog`. */
export function addressOf(entry) {
  const [path = '', anchor] = entry.split('#');
  const name = path
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase();
  return anchor === undefined ? name : `${name}#${anchor}`;
}
