/**
 * `<prediction-market market="slug">`: a market in a frame. Sites load this file as
 * `<script src="https://markets.example.com/embed/element.js"></script>`. It imports nothing, so that it stays
 * small, and its address does not change.
 */
const HEIGHT = 360;
const MOST_HEIGHT = 2_000;
/**
 * The frame runs its own script in its own origin, and opens the market's page in a new tab. It may not send
 * forms, open dialogs or lead the host page to another address.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** The site that served this script. A module has no current script; then the attribute `base` is needed. */
const source = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : '';
const home = source.replace(/\/embed\/element\.js(\?.*)?$/, '');

class PredictionMarketElement extends HTMLElement {
  static readonly observedAttributes = ['market', 'base', 'theme', 'height'];
  readonly #frame = document.createElement('iframe');
  readonly #resized = (event: MessageEvent): void => this.#resize(event);

  connectedCallback(): void {
    const frame = this.#frame;
    frame.setAttribute('sandbox', SANDBOX);
    frame.loading = 'lazy';
    frame.style.cssText = 'border:0;inline-size:100%;display:block';
    if (this.style.display === '') this.style.display = 'block';
    addEventListener('message', this.#resized);
    this.#show();
    this.replaceChildren(frame);
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#resized);
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#show();
  }

  #address(): URL | null {
    const market = this.getAttribute('market') ?? '';
    const base = (this.getAttribute('base') ?? home).replace(/\/+$/, '');
    const theme = this.getAttribute('theme') ?? 'auto';
    const address = `${base}/embed/market/${encodeURIComponent(market)}?theme=${encodeURIComponent(theme)}`;
    const isWeb = market !== '' && /^https?:\/\//i.test(base) && URL.canParse(address);
    return isWeb ? new URL(address) : null;
  }

  #show(): void {
    const address = this.#address();
    this.#frame.title = `Prediction market ${this.getAttribute('market') ?? ''}`;
    this.#frame.height = this.getAttribute('height') ?? String(HEIGHT);
    if (address === null) this.#frame.removeAttribute('src');
    else if (this.#frame.src !== address.href) this.#frame.src = address.href;
  }

  /**
   * The frame sends its height in a message. Other windows could send the same message, so its sender is
   * checked.
   */
  #resize({ source: sender, origin, data }: MessageEvent): void {
    if (sender !== this.#frame.contentWindow || origin !== this.#address()?.origin) return;
    const { type, height } = (data ?? {}) as { type?: unknown; height?: unknown };
    if (type !== 'prediction-market:height' || typeof height !== 'number') return;
    if (!(height > 0) || this.hasAttribute('height')) return;
    this.#frame.height = String(Math.min(MOST_HEIGHT, Math.ceil(height)));
  }
}

if (customElements.get('prediction-market') === undefined)
  customElements.define('prediction-market', PredictionMarketElement);
