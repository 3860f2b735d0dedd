/** The content security policies of pages and of frames. */

/** The policy of a page for which the host has set none. The page may ask its own origin and those of `addresses`. */
export function pagePolicy(addresses: readonly string[]): string {
  return policyOf(addresses, "form-action 'self'", "frame-ancestors 'self'");
}

/** The whole policy of a page in a frame. It replaces the policy of the host, which usually forbids all frames. */
export function framePolicy(ancestors: string, apiUrl: string): string {
  return policyOf([apiUrl], "form-action 'none'", `frame-ancestors ${ancestors}`);
}

/** The policy of a page of the documentation. It replaces the policy of the host. */
export function documentationPolicy(addresses: readonly string[]): string {
  return policyOf(addresses, "form-action 'none'", "frame-ancestors 'none'");
}

function policyOf(addresses: readonly string[], ...own: string[]): string {
  const connect = ["'self'", ...new Set(addresses.flatMap(originsOf))].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    ...own,
  ].join('; ');
}

/** An http origin of a policy does not allow sockets of that origin. */
function originsOf(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { origin } = new URL(address);
  return [origin, origin.replace(/^http/, 'ws')];
}
