import { readFileSync } from 'node:fs';

it('shows in docs/testing.md the very example that runs here', () => {
  const [, shown] = /```ts\n([^]*?)```/.exec(readFileSync('docs/testing.md', 'utf8')) ?? [];
  expect(shown).toBe(readFileSync('test/testing-kit/example.test.ts', 'utf8'));
});
