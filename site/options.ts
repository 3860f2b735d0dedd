import {
  callback,
  checkOptions,
  flag,
  implementing,
  isHttpAddress,
  mustBe,
  optional,
  textOnOneLine,
  type Checks,
} from '../src/domain/options';
import type { SiteMarket } from './site-market';

export interface SiteOptions {
  /**
   * The public address of the pages with their mount path. Canonical links, oEmbed and the pictures of previews begin
   * with it. Without it canonical links have no host, oEmbed answers 404, and previews have no picture.
   */
  siteUrl?: string | undefined;
  /**
   * The address of the API for the browser. Default: `api/v2` below the mount path of the site. An API of
   * another origin needs CORS. If the host sets a Content-Security-Policy, this policy has to allow that origin.
   */
  apiUrl?: string | undefined;
  /**
   * The address of the operators' routes for the browser, such as `/api/v2/admin`. With it the pages for
   * operators are at `/operators`. They contain no data and ask for the token that the host checks at these routes.
   * Default: none, and no pages for operators.
   */
  adminUrl?: string | undefined;
  /**
   * The origins whose pages may show a market in a frame (`/embed/market/<slug>`): `'self'`, `*`, or origins such as
   * `https://example.com` and `https://*.example.com`. Default `["'self'"]`. The option does not apply to the other
   * pages of the site.
   */
  embedAncestors?: readonly string[] | undefined;
  /** The name of the site, at the top and in the title of each page. Default `Prediction Market`. */
  title?: string | undefined;
  /**
   * Whether the market has play money. Every page then says so, and readers without a wallet are offered a
   * throw-away wallet of their browser. Default false.
   */
  playMoney?: boolean | undefined;
  /**
   * Whether the host fills an empty market with samples at `<adminUrl>/sample`, as the standalone server does. The
   * operators' page then offers it, and with `playMoney` the empty start page links to the operators' page. Default
   * false.
   */
  sampleMarkets?: boolean | undefined;
  /** Answers requests for unknown paths with the not-found page instead of passing them on. Default false. */
  catchAll?: boolean | undefined;
  /** The present instant in milliseconds since 1970, for tests. */
  now?: (() => number) | undefined;
}

/** Checks the address of routes that a browser asks. */
export const addressForBrowsers = optional(
  mustBe(
    'an http(s) address or a path that begins with /',
    (value) => typeof value === 'string' && (/^\/(?!\/)\S*$/.test(value) || isHttpAddress(value)),
  ),
);

const CHECKS: Checks<SiteOptions> = {
  siteUrl: optional(mustBe('an http(s) address', isHttpAddress)),
  apiUrl: addressForBrowsers,
  adminUrl: addressForBrowsers,
  // `frameAncestors` checks each entry.
  embedAncestors: optional(mustBe('a list of origins', Array.isArray)),
  title: optional(textOnOneLine(80)),
  playMoney: optional(flag),
  sampleMarkets: optional(flag),
  catchAll: optional(flag),
  now: optional(callback),
};

const aMarket = implementing<SiteMarket>('a market, which createPredictionMarket returns', [
  'listMarkets',
  'getMarket',
  'getPrice',
]);

/** Throws a TypeError that names what is wrong. */
export function checkSite(market: unknown, options: unknown): void {
  aMarket(market, { factory: 'createSite', path: 'the market' });
  checkOptions('createSite', options, CHECKS);
}
