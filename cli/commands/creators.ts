import type {
  AddressInput,
  CreatorView,
  DecideCreatorInput,
  ListCreatorsInput,
} from 'express-prediction-market';
import { operatorCommand, type OperatorGroup } from '../operator-command';
import { choice, PAGE, required, WALLET } from '../operator-fields';

/** The statuses that a list can be filtered by. A wallet with the status `none` is in no list. */
type Status = Exclude<NonNullable<ListCreatorsInput['status']>, 'none'>;

export const CREATORS: OperatorGroup = {
  name: 'creators',
  description: 'list the wallets that may create markets, or want to, and decide on them',
  commands: [
    operatorCommand({
      name: 'list',
      description: 'list creators and applications, the newest change first',
      route: 'GET /creators',
      field: 'creators',
      onDatabase: (market, input: ListCreatorsInput) => market.listCreators(input),
      fields: {
        status: choice<Status>('only those in this state', {
          pending: 0,
          approved: 0,
          rejected: 0,
          suspended: 0,
        }),
        ...PAGE,
      },
      lines: ({ creators, total }) => [...creators.map(describe), `${creators.length} of ${total}`],
    }),
    operatorCommand({
      name: 'approve',
      description: 'let a wallet create markets; it need not have applied',
      route: 'POST /creators/{address}/approve',
      field: 'address',
      onDatabase: (market, input: AddressInput, by) => market.approveCreator(input, by),
      fields: { address: WALLET },
      lines: (creator) => [describe(creator)],
    }),
    operatorCommand({
      name: 'reject',
      description: 'reject an application, or let another wallet create no markets',
      route: 'POST /creators/{address}/reject',
      field: 'address',
      onDatabase: (market, input: DecideCreatorInput, by) => market.rejectCreator(input, by),
      fields: { address: WALLET, reason: required('the reason, which the wallet can read') },
      lines: (creator) => [describe(creator)],
    }),
    operatorCommand({
      name: 'suspend',
      description: 'let a wallet create no further markets',
      route: 'POST /creators/{address}/suspend',
      field: 'address',
      onDatabase: (market, input: DecideCreatorInput, by) => market.suspendCreator(input, by),
      fields: { address: WALLET, reason: required('the reason, which only operators can read') },
      lines: (creator) => [describe(creator)],
    }),
  ],
};

function describe({ address, status, displayName, appliedAt, rejectedReason }: CreatorView): string {
  const applied = appliedAt === null ? 'has not applied' : `applied ${appliedAt}`;
  const reason = rejectedReason === null ? '' : `: ${rejectedReason}`;
  return `${address}  ${status}${reason}  ${displayName ?? '-'}  ${applied}`;
}
