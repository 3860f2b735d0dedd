/** The parts of the reference pages: plain HTML without scripts and without outside requests. */
import { createHash } from 'node:crypto';

export interface HtmlPage {
  html: string;
  /** The Content-Security-Policy of the page. It allows the one inline style sheet and the empty icon. */
  contentSecurityPolicy: string;
}

const STYLE = `:root{color-scheme:light dark;--line:#dfe2e8;--soft:#eef0f4;--soft-text:#565c6a;--accent:#3b4fd8;--method:#0b7a4b}
@media(prefers-color-scheme:dark){:root{--line:#2c313c;--soft:#191c23;--soft-text:#a6adba;--accent:#93a2ff;--method:#46cf92;background:#101217;color:#eceef2}}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
h1,h2{line-height:1.2}h2{margin-top:2.5rem;border-bottom:1px solid var(--line)}
details{border:1px solid var(--line);border-radius:.4rem;margin:.5rem 0;padding:.4rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}code,pre{font:.9em/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.7rem;overflow:auto;border-radius:.3rem}
table{border-collapse:collapse;width:100%;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem;border-bottom:1px solid var(--line)}
.method{display:inline-block;min-width:3.2rem;font-weight:700;color:var(--method);text-transform:uppercase}
.method.changes{color:var(--accent)}.sender{color:var(--soft-text)}.what{display:inline-block;padding-inline-start:.3rem}
nav a{margin-inline-end:1rem}a{color:var(--accent)}`;

/** A page with this title and body, both of which are HTML. */
export function htmlPage(title: string, body: string): HtmlPage {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`,
    contentSecurityPolicy:
      `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; ` +
      `form-action 'none'; frame-ancestors 'none'`,
  };
}

export function shapeOf(name: string, schema: unknown): string {
  return `<details id="${escape(name)}"><summary><code>${escape(name)}</code></summary>${codeOf(schema)}</details>`;
}

export function codeOf(value: unknown): string {
  return `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`;
}

export function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
