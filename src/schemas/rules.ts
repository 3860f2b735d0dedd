import type Joi from 'joi';

type RuleOf<Value> = [Value] extends [string]
  ? Joi.StringSchema<Value>
  : [Value] extends [number]
    ? Joi.NumberSchema
    : [Value] extends [readonly unknown[]]
      ? Joi.ArraySchema
      : Joi.Schema;

/** One rule for each field of the input, of the matching kind. */
export type Rules<Input> = {
  readonly [Name in keyof Input]-?: RuleOf<Exclude<Input[Name], undefined>>;
};
