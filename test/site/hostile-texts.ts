/** Texts of strangers that a page must show as text, and a check for elements that such a text has made. */
import type { Page } from 'playwright-core';

/**
 * Markup, an address that runs a script, and the beginning of a formula. No function is called like the field, so the
 * browser would report a call as an error.
 */
export const attack = (field: string): string => `=1+1 <script>${field}()</script>javascript:${field}()`;

/** Breaks out of an attribute in quotes of either kind, and out of a script or a style. */
export const breakout = (field: string): string => `${field}"'></script><b data-planted>`;

/** For fields that accept long texts. */
export const longAttack = (field: string): string => `${attack(field)} ${breakout(field)}`;

/** For a field in Markdown. */
export const markdownAttack = (field: string): string =>
  `${attack(field)} <img src=x onerror=${field}()> [a link](javascript:${field}())`;

/**
 * Elements in the document, in its shadow roots and in its frames of the same origin that only a hostile text
 * can have made. The pictures of our pages name their width.
 */
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
