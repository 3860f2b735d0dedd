/** Gets the API key of this browser: a wallet signs the challenge of the service. */
import { isPredictionMarketApiError, type PaymentSigner, type Scope } from '../../src/client';
import { client } from './client';

const LABEL = 'Website';
/** The permissions that the pages need. Withdrawals are not among them. */
const SCOPES: Scope[] = ['markets:read', 'markets:create', 'trades:create', 'account:read'];
/** Some wallets show messages of EIP-4361 more clearly, and warn if the host is not that of the page. */
const FORMAT = 'siwe';

/**
 * Issues a key for this browser. If the wallet has as many keys as it may have, a key with the label `Website` is
 * replaced. If there is no such key, rejects.
 */
export async function issueKey(signer: PaymentSigner): Promise<string> {
  const options = { label: LABEL, scopes: SCOPES, format: FORMAT } as const;
  try {
    return (await client.keys.issue(signer, options)).apiKey;
  } catch (error) {
    if (!isPredictionMarketApiError(error) || error.code !== 'KEY_LIMIT_REACHED') throw error;
    const older = (await client.keys.list(await addressOf(signer))).find(({ label }) => label === LABEL);
    if (older === undefined) throw error;
    return (await client.keys.regenerate(signer, older.id, { format: FORMAT })).apiKey;
  }
}

const addressOf = ({ address }: PaymentSigner): Promise<string> | string =>
  typeof address === 'string' ? address : address();
