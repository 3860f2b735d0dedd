/** Texts of strangers that a page must show as text, and what a page would hold if one of them were more. */
import type { Page } from 'playwright-core';

/**
 * A text for a field: markup, an address that runs a script, and the beginning of a formula. The function does not
 * exist, so the browser would complain if the text were run.
 */
export const attack = (field: string): string => `=1+1 <script>${field}()</script>javascript:${field}()`;

/** The same for a field in Markdown. */
export const markdownAttack = (field: string): string =>
  `${attack(field)} <img src=x onerror=${field}()> [a link](javascript:${field}())`;

/** Elements of the document that only a text can have made. */
export function plantedElements(page: Page): Promise<string[]> {
  return page.evaluate(`[
    ...document.querySelectorAll(
      'script:not([src]), img:not([src^="data:"]), [href^="javascript:" i], [src^="javascript:" i], [onerror]',
    ),
  ].map((planted) => planted.outerHTML)`);
}
