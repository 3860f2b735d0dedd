import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { FLAGS } from '../../test/site/chromium';
import { locate } from '../../test/support/optional';

const SIZES = [
  [1280, 900],
  [390, 844],
] as const;
const SCHEMES = ['light', 'dark'] as const;

export async function openBrowser(): Promise<Browser> {
  const executablePath = locate('chromium');
  if (executablePath === null) throw new Error('chromium is not on the path, and CHROMIUM_PATH is not set');
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Waits until the network is idle and two more frames have begun. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

export async function shoot(page: Page, folder: string, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await settle(page);
      const overflow = (await page.evaluate('document.documentElement.scrollWidth')) as number;
      if (overflow > width) process.stdout.write(`${name}: ${overflow} pixels wide at ${width}\n`);
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 900 });
}

export async function shootPart(
  page: Page,
  file: string,
  { width, height }: { width: number; height: number },
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width, height });
  await settle(page);
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: file });
}
