import { readFileSync } from 'node:fs';

it.each([
  ['docs/testing.md', 'test/testing-kit/example.test.ts'],
  ['docs/facilitator-adapters.md', 'test/testing-kit/examples/facilitator.example.test.ts'],
  ['docs/oracle-adapters.md', 'test/testing-kit/examples/oracle.example.test.ts'],
  ['docs/payout-adapters.md', 'test/testing-kit/examples/payout.example.test.ts'],
  ['docs/storage-adapters.md', 'test/testing-kit/examples/row-store.example.test.ts'],
  ['docs/rate-limit-adapters.md', 'test/testing-kit/examples/rate-limit.example.test.ts'],
])('the documents show in %s the very example that runs in %s', (document, example) => {
  const [, shown] = /```ts\n([^]*?)```/.exec(readFileSync(document, 'utf8')) ?? [];
  expect(shown).toBe(readFileSync(example, 'utf8'));
});
