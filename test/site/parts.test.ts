import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { INTERVALS_MS } from '../../src/domain/candles';
import { files, scripts } from '../../site/assets.generated';
import { percent, shares, shortAddress, shortUsd, usd } from '../../site/format';
import { html } from '../../site/html';
import { chartWindow, RANGES } from '../../site/chart-ranges';
import { shareForAMoment } from '../../site/shared-requests';

describe('html', () => {
  it('lets no value end the element or the attribute it stands in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { text: drawn } = html`<p title="${text}">${text}</p>`;
        expect(drawn.replace(/^<p title="|">|<\/p>$/g, '')).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('leaves templates within templates as they are, and nothing out of nothing', () => {
    expect(html`<ul>${[html`<li>1</li>`, html`<li>2</li>`]}${null}${false}</ul>`.text).toBe(
      '<ul><li>1</li><li>2</li></ul>',
    );
  });
});

describe('figures', () => {
  it.each([
    [percent(0.5432), '54.3%'],
    [percent(0.5), '50%'],
    [usd(1234567.891), '$1,234,567.89'],
    [usd(-3.5), '-$3.50'],
    [shortUsd(950), '$950.00'],
    [shortUsd(12_345), '$12.3k'],
    [shortUsd(2_000_000), '$2M'],
    [shares(1234.5), '1,234.50'],
    [shares(1200), '1,200.00'],
    [shares(0.126), '0.13'],
    [shortAddress('0x1111111111111111111111111111111111112222'), '0x1111…2222'],
  ])('%s', (got, wanted) => expect(got).toBe(wanted));
});

describe('ranges of the chart', () => {
  it('need a few hundred candles at most below three months, and begin with the candle of the first trade', () => {
    const ages = fc.integer({ min: 0, max: 90 * 86_400_000 });
    fc.assert(
      fc.property(ages, fc.constantFrom(...RANGES), (age, { name }) => {
        const now = 1_800_000_000_000;
        const { startTime, interval } = chartWindow(name, now - age, now);
        const stepMs = INTERVALS_MS[interval];
        expect(startTime % stepMs).toBe(0);
        expect(startTime).toBeGreaterThan(now - age - stepMs);
        if (name === 'all') expect(startTime).toBeLessThanOrEqual(now - age);
        expect((now - startTime) / stepMs).toBeLessThanOrEqual(386);
      }),
    );
  });
});

describe('sharing', () => {
  it('keeps no failure and no more than a thousand answers', async () => {
    const shared = shareForAMoment<number>(1000, () => 0);
    await expect(shared('a', () => Promise.reject(new Error('once')))).rejects.toThrow('once');
    await expect(shared('a', () => Promise.resolve(1))).resolves.toBe(1);
    for (let index = 0; index < 1000; index += 1) await shared(`b${index}`, () => Promise.resolve(index));
    await expect(shared('a', () => Promise.resolve(2))).resolves.toBe(2);
    await expect(shared('b999', () => Promise.resolve(-1))).resolves.toBe(999);
  });
});

describe('the assets', () => {
  it('are what site/browser gives (else run `npm run build:site`)', () => {
    const built = execFileSync(process.execPath, ['scripts/build-site-assets.mjs', '--stdout'], {
      encoding: 'utf8',
    });
    expect(readFileSync('site/assets.generated.ts', 'utf8')).toBe(built);
  });

  const sizeOf = (paths: readonly string[]): number =>
    paths.map((path) => gzipSync(files[path]?.content ?? '').byteLength).reduce((sum, each) => sum + each, 0);

  it.each(Object.entries(scripts))(
    'of the page %s stay small on the way to a browser',
    (_name, { path, imports, later }) => {
      expect(sizeOf([path, ...imports])).toBeLessThan(40_000);
      expect(sizeOf([path, ...imports, ...later])).toBeLessThan(120_000);
    },
  );

  it('carry the notice of the charts, as their licence asks', () => {
    const charts = Object.values(files).filter(({ content }) => content.includes('Lightweight Charts'));
    expect(charts.some(({ content }) => content.includes('Licensed under Apache License 2.0'))).toBe(true);
  });
});

describe('the colours', () => {
  const styleOf = (name: string): string => readFileSync(`site/browser/styles/${name}.css`, 'utf8');
  const coloursAfter = (style: string, text: string): Record<string, string> => {
    const block = style.slice(style.indexOf(text)).split('}', 1)[0] ?? '';
    return Object.fromEntries(
      [...block.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name, colour]) => [name, colour]),
    );
  };

  it.each([
    ['light', ':root {', '.theme-light'],
    ['dark', 'prefers-color-scheme: dark', '.theme-dark'],
  ])('of a frame that asks for the %s theme are those of the pages', (_name, ofPages, ofFrame) => {
    const wanted = coloursAfter(styleOf('base'), ofPages);
    expect(Object.keys(wanted).length).toBeGreaterThan(10);
    expect(coloursAfter(styleOf('embed'), ofFrame)).toEqual(wanted);
  });
});
