/**
 * What operators do with keys and creators, on the database or on a running server. Both ways make the same
 * calls of the service. The way over a server is for callers who know only its address, or have no access to
 * the database. A change in the database takes effect on requests to running servers at once, because they read
 * keys and creators from it at each request.
 */
import type {
  CreatorListView,
  CreatorView,
  KeyListView,
  KeyView,
  ListCreatorsInput,
  RevokedKeyView,
  UpdateKeyInput,
} from 'express-prediction-market';
import { operatorServer, type OperatorServer } from './server-client';
import { settingsFor, withMarket } from './storage';
import type { CommandContext } from './command-context';

export type Verdict = 'approve' | 'reject' | 'suspend';

export interface Operators {
  listKeys(address: string): Promise<KeyListView>;
  updateKey(input: UpdateKeyInput): Promise<KeyView>;
  revokeKey(id: number): Promise<RevokedKeyView>;
  listCreators(query: ListCreatorsInput): Promise<CreatorListView>;
  /** `reason` is given for `reject` and `suspend`. */
  decideCreator(verdict: Verdict, address: string, reason: string | undefined): Promise<CreatorView>;
}

export async function withOperators<Result>(
  command: string,
  commandContext: CommandContext,
  { url, operator }: { url: string | undefined; operator: string | undefined },
  work: (operators: Operators) => Promise<Result>,
): Promise<Result> {
  if (url !== undefined) return work(onServer(operatorServer(url, commandContext)));
  const settings = settingsFor(command, commandContext);
  const by = operator === undefined ? {} : { operator };
  return withMarket(commandContext, settings, (market) =>
    work({
      listKeys: (address) => market.listKeys({ address }),
      updateKey: (input) => market.updateKey(input, by),
      revokeKey: (id) => market.revokeKeyAsOperator({ id }, by),
      listCreators: (query) => market.listCreators(query),
      decideCreator: (verdict, address, reason = '') => {
        if (verdict === 'approve') return market.approveCreator({ address }, by);
        const judge = verdict === 'reject' ? market.rejectCreator : market.suspendCreator;
        return judge({ address, reason }, by);
      },
    }),
  );
}

function onServer(server: OperatorServer): Operators {
  const part = encodeURIComponent;
  return {
    listKeys: (address) => server.get(`/accounts/${part(address)}/keys`, 'keys'),
    updateKey: ({ id, ...change }) => server.send('PATCH', `/keys/${id}`, 'prefix', change),
    revokeKey: (id) => server.send('DELETE', `/keys/${id}`, 'prefix'),
    listCreators(query) {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      return server.get(`/creators?${search.toString()}`, 'creators');
    },
    decideCreator: (verdict, address, reason) =>
      server.send(
        'POST',
        `/creators/${part(address)}/${verdict}`,
        'address',
        reason === undefined ? undefined : { reason },
      ),
  };
}
