/** Types that make the compiler compare an input type with its schema and its command. */
import Joi from 'joi';
import type { FieldError } from '../domain/errors';
import { absentAsNull, toCommand } from './common';
import type { Rules } from './rules';

declare const READS: unique symbol;

/** A schema that reads an `Input` as a caller writes it, and produces a `Command`. */
export interface InputSchema<Input, Command> extends Joi.ObjectSchema<Command> {
  /** Never set. It tells the compiler which input type the schema reads. */
  readonly [READS]?: (input: Input) => void;
}

/** Makes the code fail to compile for each field that only one of the two types has. */
type SameFields<Input, Command> = Record<
  Exclude<keyof Input, keyof Command> | Exclude<keyof Command, keyof Input>,
  never
>;

/** The fields that a caller may leave out and that are `null` in the command. */
type NullWhenAbsent<Input, Command> = {
  readonly [
    Name in keyof Input & keyof Command as object extends Pick<Input, Name>
      ? null extends Command[Name]
        ? Name
        : never
      : never
  ]: null;
};

/** The schema of an input whose command has another form. `convert` gets the checked fields. */
export function convertedSchema<Input, Fields extends object, Command extends object>(
  rules: Rules<Input> & SameFields<Input, Fields>,
  convert: (fields: Fields) => Command,
  mismatches?: (fields: Fields) => FieldError[],
): InputSchema<Input, Command> {
  return Joi.object(rules).custom(toCommand(convert, mismatches));
}

/**
 * The schema of an input whose command has the same fields. `absent` names every field that is `null` in the
 * command if the caller leaves it out. `mismatches` finds fields that are each right but do not fit together.
 */
export function inputSchema<Input, Command>(
  rules: Rules<Input> & SameFields<Input, Command>,
  absent: NullWhenAbsent<Input, Command>,
  mismatches: (fields: Partial<Command>) => FieldError[] = () => [],
): InputSchema<Input, Command> {
  return Joi.object(rules)
    .custom(toCommand((fields: object) => fields, mismatches as (fields: object) => FieldError[]))
    .custom(absentAsNull(...Object.keys(absent)));
}
