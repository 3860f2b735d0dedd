/** What axe finds on a page that a browser shows, in light and dark. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

/** One line for each violation; none if the page is clean. The content security policy does not stop the check. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(AXE);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate('axe.run(document)')) as { violations: Finding[] };
    for (const { id, nodes } of violations)
      found.push(
        ...nodes.map((node) => `${colorScheme}: ${id}: ${String(node.target)}: ${node.failureSummary ?? ''}`),
      );
  }
  await page.emulateMedia({ colorScheme: null });
  return found;
}
