/** How a command reads each field of an input: from an argument or from an option. */
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { integerFrom } from './numbers';

interface FieldOf<Kind extends 'argument' | 'required' | 'option', Value> {
  kind: Kind;
  description: string;
  /** What the help shows for the value of an option, or in place of the name of an argument. */
  placeholder?: string;
  parse?: (text: string) => Value;
  /** The values that are allowed. Default: all. */
  values?: readonly string[];
  fallback?: Value;
}

/** A field that every call gives: an argument, or an option that is required. */
export type GivenField<Value> = FieldOf<'argument' | 'required', Value>;
export type OptionalField<Value> = FieldOf<'option', Value>;
export type AnyField = GivenField<unknown> | OptionalField<unknown>;

/** The fields of `Input`. For each property that `Input` requires, the compiler demands a `GivenField`. */
export type Fields<Input> = {
  [Name in keyof Input]-?: Partial<Pick<Input, Name>> extends Pick<Input, Name>
    ? OptionalField<NonNullable<Input[Name]>>
    : GivenField<Input[Name]>;
};

/** Tells Commander about the fields. The order of the arguments is that of the fields. */
export function addFields(command: Command, fields: Readonly<Record<string, AnyField>>): void {
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'argument') command.addArgument(argumentOf(name, field));
    else command.addOption(optionOf(name, field));
  }
}

/** The input that a call of the command gives. */
export function inputOf(
  fields: Readonly<Record<string, AnyField>>,
  texts: readonly unknown[],
  options: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = Object.keys(fields).filter((name) => fields[name]?.kind === 'argument');
  const given = Object.keys(fields).map((name) => [
    name,
    names.includes(name) ? texts[names.indexOf(name)] : options[name],
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

export const optionName = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function argumentOf(name: string, { placeholder = name, description, parse, values }: AnyField): Argument {
  const argument = new Argument(`<${placeholder}>`, description);
  if (parse !== undefined) argument.argParser(parse);
  return values === undefined ? argument : argument.choices(values);
}

function optionOf(name: string, { kind, placeholder = name, description, ...reading }: AnyField): Option {
  const { parse, values, fallback } = reading;
  const option = new Option(`${optionName(name)} <${placeholder}>`, description);
  if (parse !== undefined) option.argParser(parse);
  if (values !== undefined) option.choices(values);
  if (fallback !== undefined) option.default(fallback);
  return option.makeOptionMandatory(kind === 'required');
}

// --- the kinds of fields ---

/** A text, which the service checks. */
export const argument = (description: string, placeholder?: string): GivenField<string> => ({
  ...{ kind: 'argument', description },
  ...(placeholder !== undefined && { placeholder }),
});

/** An option without which the command is refused. */
export const required = (description: string, placeholder = 'text'): GivenField<string> => ({
  ...{ kind: 'required', description: `required: ${description}`, placeholder },
});

export const option = (description: string, placeholder = 'text'): OptionalField<string> => ({
  ...{ kind: 'option', description, placeholder },
});

export const WALLET = argument('the address of the wallet');
export const MARKET = argument('the id, the ticker (PM-0001) or the slug of the market', 'market');

export const idOf = (what: string): GivenField<number> => ({
  ...{ kind: 'argument', description: `the id of the ${what}`, parse: integerFrom(1) },
});

export const integer = (description: string, low = 1): OptionalField<number> => ({
  ...{ kind: 'option', description, placeholder: 'number', parse: integerFrom(low) },
});

export const requiredInteger = (description: string): GivenField<number> => ({
  ...{ kind: 'required', description: `required: ${description}`, placeholder: 'number' },
  parse: integerFrom(1),
});

/** USD. The service refuses amounts that are too large. */
export const AMOUNT: GivenField<number> = {
  kind: 'argument',
  description: 'USD, with at most six decimals',
  parse(text) {
    if (/^\d{1,10}(\.\d{1,6})?$/.test(text)) return Number(text);
    throw new InvalidArgumentError('expected USD, such as 100 or 99.95, with at most six decimals.');
  },
};

/** The keys of `values`. The compiler checks that no value is missing. */
export const choice = <Value extends string>(
  description: string,
  values: Readonly<Record<Value, 0>>,
  placeholder = 'status',
): OptionalField<Value> => ({ kind: 'option', description, placeholder, values: Object.keys(values) });

/** Texts that are separated by commas. The service refuses a text that it does not know. */
export const list = <Value extends string>(
  description: string,
  values: Readonly<Record<Value, 0>>,
): OptionalField<Value[]> => ({
  kind: 'option',
  description: `${description}, separated by commas: ${Object.keys(values).join(', ')}`,
  placeholder: 'list',
  parse: (text) => text.split(',').map((part) => part.trim() as Value),
});

const LIMIT: OptionalField<number> = {
  ...integer('how many; more than 100 are served as 100'),
  fallback: 50,
};

export const PAGE: { limit: OptionalField<number>; offset: OptionalField<number> } = {
  limit: LIMIT,
  offset: { ...integer('how many to leave out first', 0), fallback: 0 },
};
