/**
 * Carries out the calls of operators, on the database or, with `--url`, through a running server. Running servers read
 * keys, creators, markets and money from the database, so they see a change that a command has made there.
 */
import type { ActingOperator, PredictionMarket } from 'express-prediction-market';
import type { MethodOf, Path } from '../src/client/operations';
import { filled, searchOf } from '../src/client/path';
import { UsageError } from './needs-a-person';
import { operatorServer, type ServerRequest } from './server-client';
import { settingsFor, withMarket } from './storage';
import type { CommandContext } from './command-context';

/** The operators' routes, such as `POST /accounts/{address}/deposits`, as the client of the package knows them. */
export type OperatorRoute = {
  [P in Path]: P extends `/admin${infer Rest}` ? `${Uppercase<MethodOf<P>>} ${Rest}` : never;
}[Path];

/**
 * The market of a command has no facilitator and no payout. It must not decide what became of money that only these
 * parts can look up: it could reject a payment that has arrived, or give a withdrawal back that was paid.
 */
export type MarketOfCommands = Omit<
  PredictionMarket,
  'confirmPayment' | 'rejectPayment' | 'confirmWithdrawal' | 'failWithdrawal'
>;

/** A call of the service. `Input` has the names of the route: parts of its path, and fields of its query or body. */
export interface OperatorCall<Input extends object, View extends object> {
  route: OperatorRoute;
  /** A field that the expected answer has. */
  field: keyof View & string;
  /**
   * The same call on the database. `null`: only a running server can make the call, because it asks the
   * facilitator or the payout, or answers from its memory. A command has none of them.
   */
  onDatabase: ((market: MarketOfCommands, input: Input, by: ActingOperator) => Promise<View>) | null;
  /** What only a running server can do, for the error of a call without `--url`. */
  onlyServer?: string;
}

export interface Place {
  /** The words of the command, for its errors. */
  command: string;
  url: string | undefined;
  /** The name for the operators' log. */
  operator: string | undefined;
}

const LOOK_UP = 'look up what became of the money';

export function carryOut<Input extends object, View extends object>(
  { route, field, onDatabase, onlyServer = LOOK_UP }: OperatorCall<Input, View>,
  input: Input,
  { command, url, operator }: Place,
  commandContext: CommandContext,
): Promise<View> {
  if (url !== undefined) {
    if (operator !== undefined)
      throw new UsageError('--operator works without --url only: a server names the operator itself');
    return operatorServer(url, commandContext).call<View>({ ...requestOf(route, input), field });
  }
  if (onDatabase === null)
    throw new UsageError(`${command} needs --url: only a running server can ${onlyServer}`);
  const [group = command] = command.split(' ');
  const settings = settingsFor(group, commandContext);
  const by = operator === undefined ? {} : { operator };
  return withMarket(commandContext, settings, (market) => onDatabase(market, input, by));
}

function requestOf(route: OperatorRoute, input: object): Omit<ServerRequest, 'field'> {
  const [method = '', path = ''] = route.split(' ');
  const entries = Object.entries(input);
  const isPart = ([name]: [string, unknown]): boolean => path.includes(`{${name}}`);
  const address = pathOf(path, Object.fromEntries(entries.filter(isPart)));
  const others = Object.fromEntries(entries.filter((entry) => !isPart(entry)));
  if (method === 'GET') return { method, path: address + searchOf(others) };
  return { method, path: address, ...(Object.keys(others).length > 0 && { body: others }) };
}

function pathOf(path: string, parts: Readonly<Record<string, string | number>>): string {
  try {
    return filled(path, parts);
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
