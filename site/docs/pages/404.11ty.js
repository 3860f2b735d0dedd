/** The page for unknown addresses. createDocs sends it if its option `catchAll` is true. */
export const data = { title: 'Page not found', permalink: '404.html' };

export function render() {
  return `<h1>Page not found</h1>
<p>The documentation has no page at this address. It may have moved: search for it above, or go to <a href="./">the overview</a>.</p>`;
}
