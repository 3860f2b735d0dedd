/**
 * Texts, instants and addresses as Joi rules (docs/specification.md "Validation"), with their JSON Schemas. Lengths
 * count code points.
 */
import Joi from 'joi';
import { parseAddress } from '../crypto/address';

interface TextRule {
  max: number;
  /** Whether new lines and tabs are allowed. */
  multiline: boolean;
}

interface ExtendedString extends Joi.StringSchema {
  humanText(rule: TextRule): ExtendedString;
  instant(): ExtendedString;
  evmAddress(): ExtendedString;
}

const ADDRESS_PATTERN = '^0x[0-9a-fA-F]{40}$';

/** Joi's types do not say that a rule can state its JSON Schema. */
type DocumentedRule = Joi.ExtensionRule &
  ThisType<Joi.SchemaInternals> & {
    jsonSchema(rule: { args: { rule: TextRule } }, schema: object): object;
  };

const MESSAGES = {
  'text.surrogate': '{{#label}} must be well-formed Unicode without lone surrogates',
  'text.control': '{{#label}} must not contain control characters',
  'text.bidi': '{{#label}} must not contain bidirectional overrides or isolates',
  'text.blank': '{{#label}} must contain visible characters',
  'text.length': '{{#label}} must have at most {{#max}} characters',
  'text.instant': '{{#label}} must be an ISO 8601 date-time with an offset, such as 2027-01-31T12:00:00Z',
  'text.address':
    '{{#label}} must be an EVM address: 0x and 40 hex digits, not zero, mixed case right by EIP-55',
};

const humanText: DocumentedRule = {
  method(rule: TextRule) {
    return this.$_addRule({ name: 'humanText', args: { rule } });
  },
  args: ['rule'],
  validate(value: string, helpers, { rule }) {
    const problem = textProblem(value, rule as TextRule);
    return problem === null ? value : helpers.error(`text.${problem}`, { max: (rule as TextRule).max });
  },
  jsonSchema: ({ args }, schema) => ({ ...schema, maxLength: args.rule.max }),
};

const instantRule: DocumentedRule = {
  method() {
    return this.$_addRule('instant');
  },
  validate: (value: string, helpers) => parseInstant(value) ?? helpers.error('text.instant'),
  jsonSchema: (_rule, schema) => ({ ...schema, format: 'date-time' }),
};

const evmAddress: DocumentedRule = {
  method() {
    return this.$_addRule('evmAddress');
  },
  validate: (value: string, helpers) => parseAddress(value) ?? helpers.error('text.address'),
  jsonSchema: (_rule, schema) => ({ ...schema, pattern: ADDRESS_PATTERN }),
};

const extendedJoi = Joi.extend({
  type: 'string',
  base: Joi.string(),
  messages: MESSAGES,
  rules: { humanText, instant: instantRule, evmAddress },
}) as { string(): ExtendedString };

/** One line of text with 1 to `max` code points. */
export const line = (max: number): Joi.StringSchema =>
  extendedJoi.string().humanText({ max, multiline: false });
/** Like `line`, but new lines and tabs are allowed. */
export const paragraphs = (max: number): Joi.StringSchema =>
  extendedJoi.string().humanText({ max, multiline: true });
/** An instant in ISO 8601 with an offset. The result is in milliseconds since the epoch. */
export const instant = (): Joi.StringSchema =>
  extendedJoi.string().instant().messages({ 'string.base': MESSAGES['text.instant'] });
/** An EVM address. The result is its lower-case form. */
export const address = (): Joi.StringSchema =>
  extendedJoi
    .string()
    .evmAddress()
    .messages({ 'string.base': MESSAGES['text.address'] })
    .description('EVM address: 0x and 40 hex digits; mixed case must be right by EIP-55');
/** The hash of a transaction, in upper or lower case. */
export const transactionHash = (): Joi.StringSchema => Joi.string().pattern(/^0x[0-9a-fA-F]{64}$/);

export type TextProblem = 'surrogate' | 'control' | 'bidi' | 'blank' | 'length';

const SURROGATE = /\p{Surrogate}/u;
const CONTROL = /\p{Cc}/u;
/** A carriage return is allowed only in CRLF, the new line of some platforms. */
const CONTROL_BUT_LINES = /\r(?!\n)|[^\P{Cc}\r\n\t]/u;
/**
 * Bidirectional overrides, embeddings and isolates. They change the order of the shown text, so a text could seem to
 * say something else.
 */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
/** A text of characters that show nothing. U+2800 is the empty braille pattern. */
const BLANK = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]*$/u;
const FIRST_OR_LAST = /^.|.$/gsu;

/** Whether the first or the last character shows nothing. */
export const hasBlankEnd = (text: string): boolean =>
  (text.match(FIRST_OR_LAST) ?? []).some((character) => BLANK.test(character));

/** `null` if nothing is wrong. */
export function textProblem(text: string, { max, multiline }: TextRule): TextProblem | null {
  if (SURROGATE.test(text)) return 'surrogate';
  if ((multiline ? CONTROL_BUT_LINES : CONTROL).test(text)) return 'control';
  if (BIDI.test(text)) return 'bidi';
  if (BLANK.test(text)) return 'blank';
  return isLongerThan(text, max) ? 'length' : null;
}

function isLongerThan(text: string, max: number): boolean {
  // A code point takes one or two units of a JavaScript text, so most texts need not be counted.
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;
const FIRST_INSTANT = Date.parse('0000-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 date and time with an offset, as milliseconds since the epoch. Digits beyond the millisecond are
 * cut. `null` for other forms and impossible instants.
 */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second = '00', fraction = '', offset = ''] = match;
  const [months, days] = [Number(month), Number(day)];
  if (months < 1 || months > 12 || days < 1 || days > daysInMonth(Number(year), months)) return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const zone = offset === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}${zone}`);
  return time >= FIRST_INSTANT && time <= LAST_INSTANT ? time : null;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
