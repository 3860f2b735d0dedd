/** The operators' API, to read and to try. Its OpenAPI document needs the operators' token, so the page asks for it. */
export const data = {
  title: 'HTTP API of operators',
  permalink: 'api-operators.html',
  wide: true,
  styles: ['swagger-ui.css', 'api.css'],
  scripts: ['swagger-ui-bundle.js', 'api.js'],
};

export function render() {
  return `<h1>HTTP API of operators, to try</h1>
<p>Calls go to the operators’ routes, and <strong>change the books</strong>. The token is that of the server: <a href="standalone#ADMIN_TOKEN">ADMIN_TOKEN</a>, or the one that the server prints when it starts. In an app, it is the token of <a href="embedding#operators-with-a-token">requireToken</a>. It stays in this page until you close it. <a href="operations">Operating</a> and <a href="runbook">the runbook</a> say which call does what; as a file: <code>openapi.json</code> at the address of these routes.</p>
<form id="token-form" class="token-form"><label for="token">Token of operators</label> <input id="token" type="password" autocomplete="off" required minlength="16"> <button>Show the calls</button></form>
<p id="problem" class="problem" role="alert" hidden></p>
<div id="api" data-document="../api/v2/admin/openapi.json" data-needs-token><noscript><p>This page needs its script.</p></noscript></div>`;
}
