import type { Page } from 'playwright-core';

/**
 * A script, an address that runs a script, and a formula. No function is called like the field, so the browser would
 * report an error if the script ran.
 */
export const attack = (field: string): string => `=1+1 <script>${field}()</script>javascript:${field}()`;

export const breakout = (field: string): string => `${field}"'></script><b data-planted>`;

export const longAttack = (field: string): string => `${attack(field)} ${breakout(field)}`;

export const markdownAttack = (field: string): string =>
  `${attack(field)} <img src=x onerror=${field}()> [a link](javascript:${field}())`;

/** Elements that only a hostile text can have made. A picture of our own pages names its width. */
export function plantedElements(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const isScriptAddress = (value) => /^[\\s\\0]*((javascript|vbscript):|data:text\\/html)/i.test(value);
    const isPlanted = (element) =>
      element.matches('script:not([src]), img:not([src^="data:"]):not([width]), base, object, embed, [data-planted], [srcdoc]') ||
      (element.matches('meta, link, style') && !element.closest('head')) ||
      [...element.attributes].some(
        ({ name, value }) => /^on/i.test(name) || (/^(href|src|action|formaction|xlink:href)$/i.test(name) && isScriptAddress(value)),
      );
    const inside = (root) =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        ...(isPlanted(element) ? [element.outerHTML] : []),
        ...(element.shadowRoot ? inside(element.shadowRoot) : []),
        ...(element.contentDocument ? inside(element.contentDocument) : []),
      ]);
    return inside(document);
  })()`);
}

export async function expectTexts(page: Page, texts: readonly string[]): Promise<void> {
  for (const text of texts) await page.getByText(text).first().waitFor();
  expect(await plantedElements(page)).toEqual([]);
}
