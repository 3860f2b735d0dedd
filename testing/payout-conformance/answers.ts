/** Finds a fault in an answer or an error of a payout. */
import type { PayoutPreparation, PayoutProgress } from '../../src/ports/payout';
import { shown } from '../conformance/failure';
import { cameOf } from '../conformance/members';
import { printed, tellsSecret } from '../conformance/secrets';
import type { PayoutSentence } from './contract';

export interface PayoutFault {
  sentence: PayoutSentence;
  seen: string;
}

/** The fields of an answer, and what each must contain. A field of "… or nothing" may be left out. */
type Fields = Readonly<Record<string, 'text' | 'text or null' | 'text or nothing' | 'boolean or nothing'>>;
const TRANSACTION = { transaction: 'text or null' } as const;
const REASON = { reason: 'text' } as const;

const PREPARATIONS: Readonly<Record<PayoutPreparation['status'], Fields>> = {
  prepared: { state: 'text', ...TRANSACTION },
  refused: REASON,
  unavailable: REASON,
  busy: {},
};
const PROGRESS: Readonly<Record<PayoutProgress['status'], Fields>> = {
  pending: { trouble: 'text or nothing', unknown: 'boolean or nothing', ending: 'boolean or nothing' },
  renewed: { state: 'text', ...TRANSACTION },
  confirmed: TRANSACTION,
  failed: { ...REASON, ...TRANSACTION },
  lost: REASON,
};

export function faultOfAnswer(
  method: 'prepare' | 'check',
  answer: unknown,
  secrets: readonly string[],
): PayoutFault | null {
  const forms: Readonly<Record<string, Fields>> = method === 'prepare' ? PREPARATIONS : PROGRESS;
  const sentence = method === 'prepare' ? 'order' : 'became';
  const given = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const fields = typeof given['status'] === 'string' ? forms[given['status']] : undefined;
  if (fields === undefined) {
    const expected = `an object with \`status\`, one of ${Object.keys(forms).join(', ')}`;
    return { sentence, seen: `\`${method}\` answered ${cameOf(answer)}; expected: ${expected}` };
  }
  for (const [name, kind] of Object.entries(fields)) {
    const value = given[name];
    const where = `\`${name}\` of what \`${method}\` answered`;
    if (!fits(value, kind))
      return {
        sentence: name === 'state' ? 'state' : sentence,
        seen: `${where}: ${cameOf(value)}; expected: ${kind}`,
      };
    const fault = typeof value === 'string' ? faultOfText(value, name, secrets) : null;
    if (fault !== null) return { sentence: 'secret', seen: `${where}: ${fault}` };
  }
  return null;
}

function fits(value: unknown, kind: Fields[string]): boolean {
  if (kind === 'boolean or nothing') return value === undefined || typeof value === 'boolean';
  if (typeof value === 'string') return true;
  return kind === 'text or null' ? value === null : kind === 'text or nothing' && value === undefined;
}

export function faultOfError(method: string, error: unknown, secrets: readonly string[]): PayoutFault | null {
  const message = error instanceof Error ? error.message : String(error);
  const fault = tellsSecret(printed(error), secrets)
    ? 'it or its cause contains a secret'
    : faultOfText(message, 'message', secrets);
  return fault === null
    ? null
    : { sentence: 'secret', seen: `the message of what \`${method}\` rejected with: ${fault}` };
}

function faultOfText(text: string, name: string, secrets: readonly string[]): string | null {
  if (tellsSecret(text, secrets)) return 'it contains a secret';
  return name !== 'state' && /[\r\n]/.test(text) ? `several lines: ${shown(text)}` : null;
}
