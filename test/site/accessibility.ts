import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

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

/** Widths of the window in CSS pixels: a desktop, a phone, and a desktop of 1280 pixels at a zoom of 400 %. */
const WIDTHS = [1280, 390, 320];

export async function sidewaysScrolling(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const direction of ['ltr', 'rtl']) {
      const wide = (await page.evaluate(
        `(document.documentElement.dir = '${direction}', document.documentElement.scrollWidth)`,
      )) as number;
      if (wide > width) found.push(`${page.url()} (${direction}): ${wide} pixels in a window of ${width}`);
    }
  }
  await page.evaluate(`document.documentElement.removeAttribute('dir')`);
  return found;
}
