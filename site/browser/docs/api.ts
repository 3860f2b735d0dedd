/** Starts Swagger UI with an OpenAPI document of the service. */
import { STORED_KEY } from '../stored-key-name';

const REFUSED_TOKEN = 'The server refused this token. Check it, and try again.';

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

function showCalls(url: string, token: string | null): void {
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

/** Why the document cannot be shown. `null`: it can. */
async function problemOf(url: string, token: string | null): Promise<string | null> {
  // A browser cannot send other characters in the header.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) return REFUSED_TOKEN;
  const headers: HeadersInit = token === null ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers }).catch(() => null);
  if (response === null) return 'No answer came from the server. Try again in a moment.';
  if (token !== null && (response.status === 401 || response.status === 403)) return REFUSED_TOKEN;
  if (response.status === 429 || response.status >= 500) {
    const seconds = response.headers.get('Retry-After');
    const wait = seconds === null ? 'in a moment' : `in ${seconds} s`;
    return `The server does not answer this request now (status ${response.status}). Try again ${wait}.`;
  }
  if (response.ok && response.headers.get('Content-Type')?.includes('json') === true) return null;
  const option = token === null ? 'apiUrl' : 'adminUrl';
  return `The server has no description of the calls at ${response.url} (status ${response.status}). If it is your server, name the address of the routes with the option ${option} of createDocs.`;
}

async function show(url: string, token: string | null): Promise<void> {
  const problem = await problemOf(url, token);
  const message = document.querySelector<HTMLElement>('#problem');
  if (message !== null) {
    message.hidden = problem === null;
    message.textContent = problem;
  }
  if (problem === null) showCalls(url, token);
}

const place = document.querySelector<HTMLElement>('#api');
const form = document.querySelector<HTMLFormElement>('#token-form');
const { document: url = '', needsToken } = place?.dataset ?? {};
// Until now it said that the page needs its script.
place?.replaceChildren();
if (place !== null && needsToken === undefined) void show(url, null);
form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void show(url, form.querySelector('input')?.value.trim() ?? '');
});
