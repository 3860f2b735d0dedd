import type { AddressInput, KeyInput, KeyView, Scope, UpdateKeyInput } from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { idOf, integer, list, WALLET } from '../operator-fields';

const ID = idOf('key');
const SCOPES: Record<Scope, 0> = {
  'markets:read': 0,
  'markets:create': 0,
  'trades:create': 0,
  'account:read': 0,
  'account:withdraw': 0,
};

export const KEYS: OperatorGroup = {
  name: 'keys',
  description: 'list, change and revoke the API keys of a wallet',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list the active keys of a wallet',
      route: 'GET /accounts/{address}/keys',
      field: 'keys',
      onDatabase: (market, input: AddressInput) => market.listKeys(input),
      fields: { address: WALLET },
      lines: ({ keys }) => (keys.length === 0 ? ['no active keys'] : keys.map(describe)),
    }),
    operatorCommand({
      name: 'update',
      description: 'change the rate limit or the scopes of a key',
      route: 'PATCH /keys/{id}',
      field: 'prefix',
      onDatabase: (market, input: UpdateKeyInput, by) => market.updateKey(input, by),
      fields: {
        id: ID,
        rateLimit: integer('requests in a rolling minute'),
        scopes: list('the scopes of the key from now on', SCOPES),
      },
      needsOption: true,
      lines: (key) => [describe(key)],
    }),
    operatorCommand({
      name: 'revoke',
      description: 'revoke a key, without a signature of its wallet',
      route: 'DELETE /keys/{id}',
      field: 'prefix',
      onDatabase: (market, input: KeyInput, by) => market.revokeKeyAsOperator(input, by),
      fields: { id: ID },
      lines: ({ id, prefix }) => [`revoked key ${id} (${prefix})`],
    }),
  ],
};

function describe({ id, prefix, label, rateLimit, scopes, createdAt, lastUsedAt }: KeyView): string {
  const used = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt}`;
  return `${id}  ${prefix}  ${label ?? '-'}  ${rateLimit}/min  ${scopes.join(',')}  made ${createdAt}, ${used}`;
}
