import fc from 'fast-check';
import { strangersLink } from '../../site/links';
import { markdownHtml } from '../../site/markdown';

const drawn = (text: string): string => markdownHtml(text).text;

describe('the markdown of strangers', () => {
  it('has paragraphs, lists, emphasis, line breaks and tables', () => {
    expect(drawn('One **bold** line\nand another.\n\n- a point')).toBe(
      '<p>One <strong>bold</strong> line<br>\nand another.</p>\n<ul>\n<li>a point</li>\n</ul>\n',
    );
    expect(drawn('|a|b|\n|:-:|--|\n|1|2|')).toContain('<td>1</td>');
  });

  it('has links to the web, which help no search engine and reach nothing of the page', () => {
    const rel = 'rel="nofollow ugc noopener noreferrer"';
    const link = `<p><a href="https://example.com/a?b=1&amp;c=2" ${rel}>here</a></p>\n`;
    expect(drawn('[here](https://example.com/a?b=1&c=2)')).toBe(link);
    expect(drawn('See https://example.com.')).toContain(`<a href="https://example.com" ${rel}>`);
    expect(drawn('example.com and me@example.com')).not.toContain('<a');
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](java\nscript:alert(1))',
    '<javascript:alert(1)>',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](//example.com)',
    '[x](/portfolio)',
    '[x](mailto:a@b.c)',
    '[x][1]\n\n[1]: javascript:alert(1)',
    '[x]()',
    '[x](<> "title")',
    '[x][1]\n\n[1]: <>',
  ])('makes no link of %j', (text) => {
    expect(drawn(text)).not.toContain('<a');
  });

  it('shows tags and pictures as text', () => {
    expect(drawn('<script>alert(1)</script>')).toBe('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n');
    expect(drawn('<img src=x onerror=alert(1)>')).not.toContain('<img');
    expect(drawn('![cat](https://example.com/cat.png)')).not.toContain('<img');
    expect(drawn('```"><script>\nx\n```')).not.toContain('<script');
  });

  it('begins its headings below those of the page', () => {
    expect(drawn('# Rules')).toBe('<h3>Rules</h3>\n');
    expect(drawn('###### Deep')).toBe('<h6>Deep</h6>\n');
  });

  it('has only elements of text, and no attribute but the address and the relation of a link', () => {
    const piece = fc.constantFrom(
      ...'<script> [x]( javascript: ) "onload= ` ~~~ | |-| # > - 1. * _ ![ ]( https://a.b \n & &#x3c; \\ <a'.split(
        ' ',
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    const allowed =
      /<(\/?(p|ul|ol|li|em|strong|s|code|pre|blockquote|h[3-6]|br|hr|table|thead|tbody|tr|th|td|a)|ol start="\d+"|code class="language-[^"<>]*"|a href="https?:[^"<>]*"( title="[^"<>]*")? rel="[a-z ]+")>/g;
    fc.assert(fc.property(text, (source) => expect(drawn(source).replace(allowed, '')).not.toMatch(/[<>]/)));
  });
});

describe('a link that a voter names', () => {
  it('is a link only if it leads to the web', () => {
    expect(strangersLink('https://example.com', '<b>').text).toContain('href="https://example.com"');
    for (const address of ['javascript:alert(1)', ' https://example.com', 'https://', '/x', 'x:y'])
      expect(strangersLink(address, '<b>').text).toBe('<span dir="auto">&lt;b&gt;</span>');
  });
});
