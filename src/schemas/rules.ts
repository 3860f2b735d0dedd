import type Joi from 'joi';

type RuleOf<Value> = [Value] extends [string]
  ? Joi.StringSchema<Value>
  : [Value] extends [number]
    ? Joi.NumberSchema
    : [Value] extends [readonly unknown[]]
      ? Joi.ArraySchema
      : Joi.Schema;

/** A Joi rule for each field of the input. The type of each rule matches the type of its field. */
export type Rules<Input> = {
  readonly [Name in keyof Input]-?: RuleOf<Exclude<Input[Name], undefined>>;
};
