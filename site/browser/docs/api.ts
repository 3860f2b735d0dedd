/** Starts Swagger UI with the OpenAPI document of this server. */
interface SwaggerOptions {
  url: string;
  dom_id: string;
  docExpansion: 'list' | 'none';
  defaultModelsExpandDepth: number;
  displayRequestDuration: boolean;
  tryItOutEnabled: boolean;
  deepLinking: boolean;
  validatorUrl: null;
}

declare const SwaggerUIBundle: (options: SwaggerOptions) => void;

const place = document.querySelector<HTMLElement>('#api');
if (place !== null) {
  SwaggerUIBundle({
    url: place.dataset.document ?? '',
    dom_id: '#api',
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    deepLinking: true,
    // By default, Swagger UI asks another host to validate the document.
    validatorUrl: null,
  });
}
export {};
