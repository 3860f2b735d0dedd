/** Checks the message of a challenge before a wallet signs it. */

export interface ExpectedChallenge {
  action: string;
  address: string;
  nonce: string;
  /** The only host that the message may name; null allows every host. */
  host: string | null;
}

/**
 * Why the wallet must not sign the message; null if it may. A dishonest service could pass on a challenge of another
 * service, to get a key of the wallet there.
 */
export function challengeProblem(message: string, expected: ExpectedChallenge): string | null {
  const lines = message.split('\n');
  const [title = ''] = lines;
  const asText = /^Timestamp: \d+$/.test(lines[4] ?? '') && lines.length === 5;
  const host = asText ? /\(\w+:\/\/([^/]+).*\)$/.exec(title)?.[1] : SIGN_IN.exec(title)?.[1];
  const { action, address, nonce } = expected;
  const wanted = asText
    ? [`Action: ${action}`, `Address: ${address}`, `Nonce: ${nonce}`]
    : [address, `Nonce: ${nonce}`];
  const isForThis =
    (asText || (host !== undefined && (lines[3] ?? '').endsWith(`. Action: ${action}`))) &&
    wanted.every((line) => lines.some((each) => each.toLowerCase() === line.toLowerCase()));
  if (!isForThis) return 'it is no challenge for this wallet and action';
  // The message of a service without the option `baseUrl` names no host.
  if (host === undefined || expected.host === null || sameHost(host, expected.host)) return null;
  return `it names ${host}, not ${expected.host} (option serviceUrl)`;
}

/** The first line of a message by EIP-4361. */
const SIGN_IN = /^(\S+) wants you to sign in with your Ethereum account:$/;

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(?=:|$)/;

const sameHost = (one: string, other: string): boolean =>
  one.replace(LOOPBACK, '').toLowerCase() === other.replace(LOOPBACK, '').toLowerCase();
