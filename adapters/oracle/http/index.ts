/** The host's own resolver behind an HTTP address. Each question is one signed POST. */
import { randomUUID } from 'node:crypto';
import {
  callback,
  checkOptions,
  flag,
  milliseconds,
  mustBe,
  optional,
  printableText,
  secretHttpAddress,
  type Checks,
} from '../../../src/domain/options';
import { citationsOf, recordOf } from '../../../src/domain/oracle/citations';
import { isDecisive, verdictProblem, type OracleOutcome } from '../../../src/domain/oracle/vote';
import type { Oracle, OracleAnswer, OracleRole } from '../../../src/ports/oracle';
import { checkedLookup, systemResolve, type Resolve } from '../../../src/outbound/addresses';
import { signatureHeaders } from '../../../src/outbound/signature';
import { VoterError } from '../../shared/judge/errors';
import { timeLimit, unlessStopped } from '../../shared/judge/stop-signal';
import { postFollowing } from './request';

export interface HttpOracleOptions {
  /** The address that questions are sent to. It has to be https, unless `allowPrivate` is set. */
  url: string;
  /**
   * The secret that signs each question by the rules of Standard Webhooks: `whsec_` and 24 to 64 bytes in
   * base64.
   */
  secret: string;
  /** The name in votes, logs and metrics. Default `http`. */
  name?: string | undefined;
  /**
   * `authority` (default): one confident YES or NO decides a market. `judge`: the resolver is asked in rounds.
   */
  role?: OracleRole | undefined;
  /** The time limit of one answer in milliseconds, redirects included. Default 20,000. */
  timeoutMs?: number | undefined;
  /** Lets questions go to addresses that are not public (this machine, the local network), and without TLS. */
  allowPrivate?: boolean | undefined;
}

const DEFAULT_TIMEOUT_MS = 20_000;

const CHECKS: Checks<HttpOracleOptions> = {
  url: secretHttpAddress,
  secret: mustBe('"whsec_" and 24 to 64 bytes in base64', isSecret, { secret: true }),
  name: optional(printableText(100)),
  role: optional(mustBe('"authority" or "judge"', (value) => value === 'authority' || value === 'judge')),
  timeoutMs: optional(milliseconds),
  allowPrivate: optional(flag),
};

function isSecret(value: unknown): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(typeof value === 'string' ? value : '') ?? [];
  const size = base64 === undefined ? 0 : Buffer.from(base64, 'base64').length;
  return size >= 24 && size <= 64;
}

/**
 * Asks a service of yours by signed POSTs. By default it is an authority: one confident YES or NO decides a market.
 * docs/oracle-adapters.md "oracle/http".
 * @throws TypeError naming the option that does not fit. RangeError for a number out of its range.
 */
export function httpOracle(options: HttpOracleOptions): Oracle {
  return oracleAt('httpOracle', systemResolve, options);
}

/** Like `httpOracle`, for tests that resolve names themselves. */
export function httpOracleWith(resolve: Resolve, options: HttpOracleOptions): Oracle {
  callback(resolve, { factory: 'httpOracleWith', path: 'the first argument' });
  return oracleAt('httpOracleWith', resolve, options);
}

function oracleAt(factory: string, resolve: Resolve, options: HttpOracleOptions): Oracle {
  checkOptions(factory, options, CHECKS);
  const { url, secret, name = 'http', role = 'authority', timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const allowPrivate = options.allowPrivate === true;
  if (!allowPrivate && new URL(url).protocol !== 'https:')
    throw new TypeError(`${factory}: url must be an https address, unless allowPrivate is true`);
  return {
    name,
    role,
    async ask(question, { signal } = {}): Promise<OracleAnswer> {
      const limit = timeLimit(timeoutMs, signal);
      const body = JSON.stringify(question);
      const id = `msg_${randomUUID()}`;
      const headers = signatureHeaders({ id, body, secrets: [secret], sentAt: Date.now() });
      const lookup = checkedLookup(resolve, allowPrivate);
      const text = await unlessStopped(limit, () =>
        postFollowing({ url, body, headers, lookup, allowPrivate, signal: limit }),
      );
      return readAnswer(text);
    },
  };
}

/** Reads an answer. An abstention needs no figures. A YES or NO needs a probability and a confidence. */
function readAnswer(text: string): OracleAnswer {
  const answer = recordOf(parseJson(text));
  const outcome = answer.outcome as OracleOutcome;
  const abstains = !isDecisive(outcome);
  const probability = answer.probability ?? (abstains ? 0.5 : undefined);
  const confidence = answer.confidence ?? (abstains ? 0 : undefined);
  const problem = verdictProblem({ outcome, probability, confidence });
  if (problem !== null) throw new VoterError(`the resolver's answer cannot be used: ${problem}`);
  return {
    outcome,
    probability: probability as number,
    confidence: confidence as number,
    citations: citationsOf(answer.citations),
    ...(typeof answer.reasoning === 'string' && { reasoning: answer.reasoning }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new VoterError('the resolver answered with something other than JSON');
  }
}
