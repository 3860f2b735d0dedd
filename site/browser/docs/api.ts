/** Starts Swagger UI with an OpenAPI document of this server. */
import { STORED_KEY } from '../stored-key-name';

interface SwaggerRequest {
  headers: Record<string, string>;
}

interface SwaggerOptions {
  url: string;
  dom_id: string;
  docExpansion: 'list' | 'none';
  defaultModelsExpandDepth: number;
  displayRequestDuration: boolean;
  tryItOutEnabled: boolean;
  deepLinking: boolean;
  validatorUrl: null;
  onComplete(): void;
  requestInterceptor(request: SwaggerRequest): SwaggerRequest;
}

interface SwaggerPage {
  /** Fills in what "Authorize" asks for. */
  preauthorizeApiKey(scheme: string, key: string): void;
}

declare const SwaggerUIBundle: (options: SwaggerOptions) => SwaggerPage;

function show(url: string, token: string | null): void {
  const page = SwaggerUIBundle({
    url,
    dom_id: '#api',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    deepLinking: true,
    // By default, Swagger UI asks another host to validate the document.
    validatorUrl: null,
    onComplete: () => offerStoredKey(page),
    requestInterceptor(request) {
      if (token !== null) request.headers['Authorization'] = `Bearer ${token}`;
      return request;
    },
  });
}

function readStoredKey(): string | null {
  try {
    return localStorage.getItem(STORED_KEY);
  } catch {
    // In a browser without storage, no key is stored.
    return null;
  }
}

/** If the pages of the market have stored a key in this browser, a button fills it in. */
function offerStoredKey(page: SwaggerPage): void {
  const offer = document.querySelector<HTMLElement>('#stored-key');
  const key = readStoredKey();
  if (offer === null || key === null) return;
  offer.hidden = false;
  offer.querySelector('button')?.addEventListener('click', () => {
    page.preauthorizeApiKey('apiKey', key);
    offer.textContent = 'Your key is filled in. Calls now act for your wallet.';
  });
}

const place = document.querySelector<HTMLElement>('#api');
const form = document.querySelector<HTMLFormElement>('#token-form');
const { document: url = '', needsToken } = place?.dataset ?? {};
if (place !== null && needsToken === undefined) show(url, null);
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  show(url, form.querySelector('input')?.value.trim() ?? null);
});
export {};
