/** Starts Swagger UI with an OpenAPI document of this server. */
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
  requestInterceptor(request: SwaggerRequest): SwaggerRequest;
}

declare const SwaggerUIBundle: (options: SwaggerOptions) => void;

function show(url: string, token: string | null): void {
  SwaggerUIBundle({
    url,
    dom_id: '#api',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    deepLinking: true,
    // By default, Swagger UI asks another host to validate the document.
    validatorUrl: null,
    requestInterceptor(request) {
      if (token !== null) request.headers['Authorization'] = `Bearer ${token}`;
      return request;
    },
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
