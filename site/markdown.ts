/**
 * The markdown of descriptions and criteria, which strangers write. It becomes HTML on the server only, so
 * scripts of pages carry no parser.
 */
import MarkdownIt from 'markdown-it';
import { escapeHtml, SafeHtml } from './html';
import { isWebAddress, LINK_RELATION } from './links';

/** `html: false` shows tags as text. `breaks` keeps the line breaks of the author. */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });

// A picture would be a request to another host, which the author of a market could count.
markdown.disable('image');
markdown.validateLink = isWebAddress;
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
// Escapes these texts in the same way as all other texts of a page.
markdown.renderer.rules.text = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');

markdown.core.ruler.push('page', ({ tokens }) => {
  for (const token of tokens) {
    // The page itself has the headings of levels 1 and 2, so the headings of the author begin at level 3.
    if (token.type.startsWith('heading_')) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
    // A column with an alignment has an inline style, which the content security policy of the pages refuses.
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
    // The parser makes a link also of `[text]()`. This link would lead to the page itself, so only its text is shown.
    let isShown = true;
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') {
        isShown = isWebAddress(child.attrGet('href') ?? '');
        child.attrSet('rel', LINK_RELATION);
      }
      if (child.type.startsWith('link_')) child.hidden = !isShown;
    }
  }
});

export function markdownHtml(text: string): SafeHtml {
  return new SafeHtml(markdown.render(text));
}
