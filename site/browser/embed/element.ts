/**
 * `<prediction-market market="slug">` shows a market in a frame. Other sites load this file by `<script
 * src="https://markets.example.com/embed/element.js"></script>`, so it is small and imports nothing.
 */
const HEIGHT = 360;
const MOST_HEIGHT = 2_000;
/**
 * The frame may run scripts, keep its own origin, and open links in new tabs. Forms, dialogs and navigation of the host
 * page stay forbidden.
 */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox';

/** `document.currentScript` is null in a module. The attribute `base` is needed there. */
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

  /** The frame sends its height in a message. Other windows could send the same message, so the sender is checked. */
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
