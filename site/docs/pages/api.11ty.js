/** The HTTP API, to read and to try. The page loads the OpenAPI document of the running service. */
export const data = {
  title: 'HTTP API',
  permalink: 'api.html',
  wide: true,
  styles: ['swagger-ui.css', 'api.css'],
  scripts: ['swagger-ui-bundle.js', 'api.js'],
};

export function render() {
  return `<h1>HTTP API, to try</h1>
<p>Calls go to the running service. Public calls need an API key: put it in with “Authorize”.
<a href="tutorial#an-order">The tutorial</a> shows how a wallet gets one, and <a href="http-api">the overview</a> says what belongs together. The same as plain pages: <a href="../api/v2/docs">every call</a>, <a href="../api/v2/docs/live">the live feed</a>; as files: <a href="../api/v2/openapi.json">OpenAPI</a>, <a href="../api/v2/asyncapi.json">AsyncAPI</a>.</p>
<p id="stored-key" class="stored-key" role="status" hidden><button type="button">Use the key of my wallet</button> The pages of the market have stored it in this browser.</p>
<p id="problem" class="problem" role="alert" hidden></p>
<div id="api" data-document="../api/v2/openapi.json"><p>This page needs its script. <a href="../api/v2/docs">The plain page</a> does not.</p></div>`;
}
