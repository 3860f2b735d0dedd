/** Starts the reference page of the API with the document of the server that shows it. */
interface SwaggerOptions {
  url: string;
  dom_id: string;
  docExpansion: 'list' | 'none';
  defaultModelsExpandDepth: number;
  displayRequestDuration: boolean;
  tryItOutEnabled: boolean;
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
    // The package's default asks another host to validate the document.
    validatorUrl: null,
  });
}
export {};
