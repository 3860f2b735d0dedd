import type { Page } from 'playwright-core';
import { shoot } from './browser';
import type { PictureServer } from './server';

const PAGES = {
  start: '/docs/',
  tutorial: '/docs/tutorial.html',
  client: '/docs/client.html',
  performance: '/docs/performance.html',
  architecture: '/docs/architecture.html',
  missing: '/docs/nowhere.html',
  api: '/api/v2/docs',
  live: '/api/v2/docs/live',
};

export async function shootDocuments(page: Page, { base }: PictureServer, folder: string): Promise<void> {
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(base + path);
    await shoot(page, folder, `docs-${name}`);
  }
  await page.goto(`${base}/docs/tutorial.html`);
  await page.locator('#search').fill('withdraw');
  await page.locator('#results a').first().waitFor();
  await shoot(page, folder, 'docs-search');
  await page.locator('#search').fill('xylophone');
  await page.getByText('Nothing found.').waitFor();
  await shoot(page, folder, 'docs-search-nothing');
  await page.goto(`${base}/docs/tutorial.html`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.menu-button').click();
  await shoot(page, folder, 'docs-menu');
}
